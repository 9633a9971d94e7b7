namespace PerfCommon.Transport;

/// <summary>Lends arrays of one worker thread to channels while they hold bytes, so that an idle connection has none.</summary>
/// <remarks>
/// Sizes are powers of two; at most <see cref="KeptBytesPerSize"/> of each are kept, of those above <see cref="LargeBytes"/> at most
/// <see cref="KeptLargeBytes"/> or one: memory that a peer required once is released. So are arrays that were unused for a while: see
/// <see cref="Trim"/>. For one thread.
/// </remarks>
internal sealed class BufferPool
{
    private const int SmallestShift = 10;
    // 5,000 output buffers of 6,000 bytes: discarded arrays would not be collected for a long time
    private const int KeptBytesPerSize = 32 * 1024 * 1024;
    private const int LargeBytes = 64 * 1024; // the size of one read
    private const int KeptLargeBytes = 4 * 1024 * 1024; // of each size

    private readonly Stack<byte[]>[] _bySize = [.. Enumerable.Range(0, 31 - SmallestShift).Select(_ => new Stack<byte[]>())];
    private readonly int[] _unused = new int[31 - SmallestShift]; // of each size: arrays that were unused all the time since the last trimming

    /// <summary>Bytes of all arrays that are lent, or kept to be lent again.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Lends an array of at least this many bytes; its content is undefined.</summary>
    public byte[] Rent(int bytes)
    {
        int size = SizeClass(bytes);
        Stack<byte[]> kept = _bySize[size];
        if (kept.TryPop(out byte[]? array))
        {
            if (kept.Count < _unused[size])
                _unused[size] = kept.Count;
            return array;
        }

        int capacity = CapacityFor(bytes);
        HeldBytes += capacity;
        return GC.AllocateUninitializedArray<byte>(capacity);
    }

    public void Return(byte[] array)
    {
        if (array.Length == 0)
            return;
        Stack<byte[]> kept = _bySize[SizeClass(array.Length)];
        if (kept.Count == 0 || (kept.Count + 1L) * array.Length <= (array.Length > LargeBytes ? KeptLargeBytes : KeptBytesPerSize))
            kept.Push(array);
        else
            HeldBytes -= array.Length;
    }

    /// <summary>Releases the arrays that were unused since the last call.</summary>
    public void Trim()
    {
        for (int size = 0; size < _bySize.Length; size++)
        {
            Stack<byte[]> kept = _bySize[size];
            for (int i = 0; i < _unused[size]; i++)
                HeldBytes -= kept.Pop().Length;
            if (_unused[size] > 0)
                kept.TrimExcess();
            _unused[size] = kept.Count;
        }
    }

    /// <summary>Returns the bytes of the array that is lent for a given size.</summary>
    public static int CapacityFor(int bytes) => 1 << (SizeClass(bytes) + SmallestShift);

    private static int SizeClass(int bytes) =>
        Math.Max(0, 32 - System.Numerics.BitOperations.LeadingZeroCount((uint)(bytes - 1)) - SmallestShift);
}
