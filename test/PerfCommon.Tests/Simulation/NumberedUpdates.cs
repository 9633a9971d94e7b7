using PerfCommon.Load;
using PerfCommon.MsgData;

namespace PerfCommon.Tests.Simulation;

/// <summary>Encodes updates with their number, from 1, in place of a time stamp.</summary>
internal struct NumberedUpdates(ItemRotation items) : IMessageEncoder
{
    private int _cursor;

    public long Encoded { get; private set; }

    public readonly bool HasTargets => items.Count > 0;

    public readonly int MaxBytes { get; } = SessionSamples.Messages.Updates.Max(fields => default(UpdateMessage).MaxBytes(fields));

    public static FieldListTemplate FieldsOf(long number) =>
        SessionSamples.Messages.Updates[(int)(number % SessionSamples.Messages.Updates.Count)];

    public int Encode(Span<byte> room, long stamp)
    {
        _cursor = _cursor < items.Count ? _cursor : 0;
        long number = ++Encoded;
        return default(UpdateMessage).Encode(room, items.Items[_cursor++].StreamId, FieldsOf(number), (ulong)number);
    }
}
