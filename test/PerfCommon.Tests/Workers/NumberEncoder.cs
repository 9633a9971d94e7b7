using PerfCommon.Load;

namespace PerfCommon.Tests.Workers;

/// <summary>Encodes messages of one size with their number from 0, and their stamp.</summary>
internal struct NumberEncoder(int size) : IMessageEncoder
{
    private long _next;

    public bool IsIdle { get; set; }

    public readonly bool HasTargets => !IsIdle;

    public readonly int MaxBytes => size;

    public int Encode(Span<byte> room, long stamp)
    {
        room[..size].Clear();
        BitConverter.TryWriteBytes(room, _next++);
        BitConverter.TryWriteBytes(room[8..], stamp);
        return size;
    }

    public static long NumberIn(ReadOnlySpan<byte> message) => BitConverter.ToInt64(message);

    public static long StampIn(ReadOnlySpan<byte> message) => BitConverter.ToInt64(message[8..]);
}
