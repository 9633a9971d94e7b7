using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the updates of one connection: in turn over the items that get them, each item its templates in turn.</summary>
internal struct UpdateEncoder(ProviderItems items, FieldListTemplate[] templates) : IMessageEncoder
{
    private int _cursor;

    public readonly bool HasTargets => items.RotatingCount > 0;

    public readonly int MaxBytes { get; } = templates.Max(UpdateMessage.MaxBytes);

    public int Encode(Span<byte> room, long stamp)
    {
        if (_cursor >= items.RotatingCount)
            _cursor = 0;
        int item = items.RotatingAt(_cursor++);
        FieldListTemplate fields = templates[items.NextUpdate(item)];
        items.UpdateSent(item, templates.Length);
        return UpdateMessage.Encode(room, items.StreamIdOf(item), fields, (ulong)stamp);
    }
}
