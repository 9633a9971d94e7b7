using System.Collections.Concurrent;

namespace HubPerf.Rings;

/// <summary>Records that are too large for a ring, in its order. Rare: a message of more than 96 KB.</summary>
internal sealed class LargeRecords
{
    /// <summary>In the kind of the record that keeps the place.</summary>
    public const byte Flag = 0x80;

    private readonly ConcurrentQueue<byte[]> _waiting = new();

    public void Add(ReadOnlySpan<byte> bytes) => _waiting.Enqueue(bytes.ToArray());

    public RingRecord Take(byte kind, int number) => _waiting.TryDequeue(out byte[]? bytes)
        ? new(kind, number, bytes, 0, bytes.Length)
        : throw new InvalidOperationException("a large record is missing");
}
