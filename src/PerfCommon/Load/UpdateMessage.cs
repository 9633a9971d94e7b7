using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>An update with the shortest header.</summary>
internal readonly struct UpdateMessage : IStampedMessage
{
    public static int HeaderBytes => UpdateHeader.Length;

    public static string Name => "an update";

    public static short StampField => StampFields.Update;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TakeTurn(ref RotatingItem item, int count) => item.TakeUpdate(count);

    /// <summary>Queues an update.</summary>
    /// <returns>False while no output buffer is free.</returns>
    public static bool TrySend(MessageOutput output, int streamId, FieldListTemplate fields, ulong stamp, FieldView? view = null)
    {
        UpdateMessage update = default;
        if (!output.TryBegin(update.MaxBytes(fields), out Span<byte> room))
            return false;
        int bytes = update.Encode(room, streamId, fields, stamp);
        if (view is not null)
            bytes = HeaderBytes + FieldListFilter.Apply(room[HeaderBytes..bytes], view, out _);

        output.End(bytes, MessageKind.Update);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteHeader(Span<byte> room, int streamId, bool isOrderBook) // wire/domains 5.3
    {
        if (isOrderBook)
            UpdateHeader.Write(room, DomainType.MarketByOrder, streamId, DataType.Map, UpdateType.Unspecified);
        else
            UpdateHeader.Write(room, DomainType.MarketPrice, streamId, DataType.FieldList, UpdateType.Unspecified);
    }
}
