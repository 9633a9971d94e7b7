using System.Runtime.CompilerServices;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Encodes the updates of one connection: in turn over the items that receive them, for each item its templates in turn.</summary>
/// <param name="items">The items that receive them.</param>
/// <param name="templates">The messages of market price, at least one.</param>
/// <param name="orderBooks">The messages of market by order; at least one where there are such items.</param>
/// <param name="views">The views that items may have; null for none.</param>
internal struct UpdateEncoder(
    ItemRotation items, FieldListTemplate[] templates, FieldMapTemplate[]? orderBooks = null, ItemViews? views = null) : IMessageEncoder
{
    private readonly FieldMapTemplate[] _orderBooks = orderBooks ?? [];
    private readonly ViewedTemplates<FieldListTemplate>? _viewed = views is null ? null : CreateViewed(views, templates);
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0;

    public readonly int MaxBytes { get; } =
        templates.Select(UpdateMessage.MaxBytes).Concat((orderBooks ?? []).Select(UpdateMessage.MaxBytes)).Max();

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        if (item.IsSpecial)
            return EncodeSpecial(room, ref item, (ulong)stamp);
        FieldListTemplate fields = templates[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < templates.Length ? item.NextUpdate + 1 : 0);
        return UpdateMessage.Encode(room, item.StreamId, fields, (ulong)stamp);
    }

    private static ViewedTemplates<FieldListTemplate> CreateViewed(ItemViews views, FieldListTemplate[] all) =>
        new(views, view => Array.ConvertAll(all, fields => fields.Select(view)));

    [MethodImpl(MethodImplOptions.NoInlining)] // keeps the loop's registers for field lists
    private readonly int EncodeSpecial(Span<byte> room, ref RotatingItem item, ulong stamp)
    {
        if (!item.IsOrderBook)
        {
            FieldListTemplate fields = _viewed!.Of(item.Slot)[item.NextUpdate];
            item.NextUpdate = (ushort)(item.NextUpdate + 1 < templates.Length ? item.NextUpdate + 1 : 0);
            return UpdateMessage.Encode(room, item.StreamId, fields, stamp);
        }

        FieldMapTemplate map = _orderBooks[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < _orderBooks.Length ? item.NextUpdate + 1 : 0);
        return UpdateMessage.Encode(room, item.StreamId, map, stamp);
    }
}
