using PerfCommon.MsgData;

namespace PerfCommon.Load;

/// <summary>
/// Encodes updates as <see cref="RotatingEncoder{TMessage}"/> does, but copies messages that were encoded once, with another stream id and a stamp.
/// <c>-preEnc</c>
/// </summary>
/// <param name="items">The items that receive them.</param>
/// <param name="templates">The messages of market price, at least one.</param>
/// <param name="orderBooks">Those of market by order; at least one where there are such items.</param>
/// <param name="viewed">Those of market price for items with a view.</param>
/// <param name="maxBytes">Maximum bytes of one, as reserved without <c>-preEnc</c>, so that packs hold the same number.</param>
internal struct PreEncodedUpdateEncoder(
    ItemRotation items, MessageTemplate[] templates, MessageTemplate[] orderBooks, ViewedTemplates<MessageTemplate> viewed, int maxBytes)
    : IMessageEncoder
{
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0;

    public readonly int MaxBytes { get; } = maxBytes;

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        MessageTemplate[] inTurn = !item.IsSpecial ? templates : item.IsOrderBook ? orderBooks : viewed.Of(item.Slot);
        MessageTemplate template = inTurn[item.TakeUpdate(inTurn.Length)];
        return stamp == 0 ? template.CopyTo(room, item.StreamId) : template.CopyTo(room, item.StreamId, (ulong)stamp);
    }
}
