using System.Collections.Concurrent;

namespace PerfHub.FanOut;

/// <summary>Records that are too large for a ring, in its order. Rare: a message of more than 96 KB.</summary>
internal sealed class LargeRecords
{
    /// <summary>Flag in the kind of the record that keeps the place.</summary>
    public const byte Flag = 0x80;

    /// <summary>Maximum of the waiting bytes; beyond it nothing is added until some were read.</summary>
    public const long MaxBytes = 16 * 1024 * 1024;

    private readonly ConcurrentQueue<byte[]> _waiting = new();
    private long _waitingBytes;

    /// <summary>True while the maximum is exceeded. Any thread.</summary>
    public bool IsFull => Interlocked.Read(ref _waitingBytes) >= MaxBytes;

    public void Add(ReadOnlySpan<byte> bytes)
    {
        Interlocked.Add(ref _waitingBytes, bytes.Length);
        _waiting.Enqueue(bytes.ToArray());
    }

    public RingRecord Dequeue(byte kind, int number)
    {
        if (!_waiting.TryDequeue(out byte[]? bytes))
            throw new InvalidOperationException("a large record is missing");
        Interlocked.Add(ref _waitingBytes, -bytes.Length);
        return new(kind, number, bytes, 0, bytes.Length);
    }
}
