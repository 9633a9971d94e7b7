using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Posts and generic messages of a handler.</content>
public sealed partial class ConsumerSession
{
    /// <summary>Who posts, as what comes back says.</summary>
    public PostUser Poster => _options.Poster;

    internal PostMessage Posts { get => field ??= new(Poster); }

    /// <summary>Posts to an item that was requested: an update on its stream.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="fields">The fields of the update.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, before the item was requested, or when the connection is over.</returns>
    public bool TrySendPost(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || item >= _requested || !Output.TryBegin(PostMessage.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(Posts.Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Post);
        return true;
    }

    /// <summary>Sends a generic message on the stream of an item that was requested.</summary>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="fields">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for providers that measure; 0 for none.</param>
    /// <returns>False while no output buffer is free, before the item was requested, or when the connection is over.</returns>
    public bool TrySendGeneric(int item, FieldListTemplate fields, ulong stamp = 0)
    {
        ArgumentNullException.ThrowIfNull(fields);
        if (!IsOpen || item >= _requested || !Output.TryBegin(GenericMessage.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(GenericMessage.Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Generic);
        return true;
    }
}
