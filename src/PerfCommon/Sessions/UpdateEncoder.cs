using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the updates of one connection: in turn over the items that get them, each item its templates in turn.</summary>
/// <param name="items">The connection's items.</param>
/// <param name="templates">The updates of the message file.</param>
internal struct UpdateEncoder(ProviderItems items, FieldListTemplate[] templates) : IMessageEncoder
{
    private int _cursor;

    /// <inheritdoc/>
    public readonly bool HasTargets => items.RotatingCount > 0;

    /// <inheritdoc/>
    public readonly int MaxBytes { get; } = templates.Max(UpdateMessage.MaxBytes);

    /// <inheritdoc/>
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
