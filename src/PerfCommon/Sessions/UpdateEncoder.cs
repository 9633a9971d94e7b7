using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the updates of one connection: in turn over the items that get them, each item its templates in turn.</summary>
internal struct UpdateEncoder(ItemRotation items, FieldListTemplate[] templates) : IMessageEncoder
{
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0;

    public readonly int MaxBytes { get; } = templates.Max(UpdateMessage.MaxBytes);

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        FieldListTemplate fields = templates[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < templates.Length ? item.NextUpdate + 1 : 0);
        return UpdateMessage.Encode(room, item.StreamId, fields, (ulong)stamp);
    }
}
