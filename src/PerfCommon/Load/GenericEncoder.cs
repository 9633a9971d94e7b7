using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// Encodes the generic messages of one connection, of either side: in turn over its items, for each item its templates in turn.
/// </summary>
/// <param name="items">The items that receive them.</param>
/// <param name="templates">The messages of market price, at least one where there are such items.</param>
/// <param name="directory">The directory by which a consumer detects that its service is down, which pauses it; null for a provider.</param>
/// <param name="orderBooks">The messages of market by order.</param>
internal struct GenericEncoder(ItemRotation items, FieldListTemplate[] templates, DirectoryConsumer? directory = null,
    FieldMapTemplate[]? orderBooks = null) : IMessageEncoder
{
    private readonly FieldMapTemplate[] _orderBooks = orderBooks ?? [];
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0 && directory is not { IsReady: false };

    public readonly int MaxBytes { get; } =
        templates.Select(GenericMessage.MaxBytes).Concat((orderBooks ?? []).Select(GenericMessage.MaxBytes)).Max();

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        if (item.IsOrderBook)
            return EncodeOrderBook(room, ref item, (ulong)stamp);
        FieldListTemplate fields = templates[item.NextGeneric];
        item.NextGeneric = (ushort)(item.NextGeneric + 1 < templates.Length ? item.NextGeneric + 1 : 0);
        return GenericMessage.Encode(room, item.StreamId, fields, (ulong)stamp);
    }

    private readonly int EncodeOrderBook(Span<byte> room, ref RotatingItem item, ulong stamp)
    {
        FieldMapTemplate map = _orderBooks[item.NextGeneric];
        item.NextGeneric = (ushort)(item.NextGeneric + 1 < _orderBooks.Length ? item.NextGeneric + 1 : 0);
        return GenericMessage.Encode(room, item.StreamId, map, stamp);
    }
}
