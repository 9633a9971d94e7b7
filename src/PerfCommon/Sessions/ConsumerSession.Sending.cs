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
        if (!IsOpen || !IsAsked(item) || !Output.TryBegin(PostMessage.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(Posts.Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Post);
        return true;
    }

    /// <summary>Asks once more for an item that was requested, on its stream: a reissue, which is answered with another refresh.</summary>
    /// <remarks>Not every provider can take one: that of the C# edition ends.</remarks>
    /// <param name="item">0 to <see cref="ItemCount"/> - 1.</param>
    /// <param name="wantsRefresh">False asks for no refresh.</param>
    /// <returns>
    /// False while no output buffer is free or the service is down, before the item was requested, or when the connection is over.
    /// </returns>
    // wire/domains 5.5
    public bool TryReissue(int item, bool wantsRefresh = true)
    {
        int maxBytes = MarketPriceHeaders.MaxRequestBytes(ItemList.MaxNameBytes);
        if (!IsOpen || !IsAsked(item) || !_directory.IsReady || !Output.TryBegin(maxBytes, out Span<byte> room))
            return false;
        ItemFlags flags = FlagsOf(item);
        int bytes = MarketPriceConsumer.EncodeRequest(
            room, StreamIdOf(item), _directory.Service!, NameOf(item), _options.Streams(flags), wantsRefresh, domain: ItemDomain.Of(flags));
        Output.End(bytes, MessageKind.Request);
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
        if (!IsOpen || !IsAsked(item) || !Output.TryBegin(GenericMessage.MaxBytes(fields), out Span<byte> room))
            return false;
        Output.End(GenericMessage.Encode(room, StreamIdOf(item), fields, stamp), MessageKind.Generic);
        return true;
    }

    // Of a watchlist's session a number is a handle.
    private bool IsAsked(int item) => IsRequested(_watched?.Handles.ItemOf(item) ?? item);
}
