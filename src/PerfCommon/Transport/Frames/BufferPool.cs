namespace PerfCommon.Transport;

/// <summary>Arrays of one worker thread, lent to channels while they hold bytes, so that an idle connection holds none.</summary>
/// <remarks>
/// Sizes are powers of two; at most <see cref="KeptBytesPerSize"/> of each are kept, of those above <see cref="LargeBytes"/> at most
/// <see cref="KeptLargeBytes"/> or one: what a peer had us take once is given back. Not for several threads.
/// </remarks>
internal sealed class BufferPool
{
    private const int SmallestShift = 10;
    // 5,000 output buffers of 6,000 bytes: what is thrown away is not collected for long
    private const int KeptBytesPerSize = 32 * 1024 * 1024;
    private const int LargeBytes = 64 * 1024; // what is read at once
    private const int KeptLargeBytes = 4 * 1024 * 1024; // of each size

    private readonly Stack<byte[]>[] _bySize = [.. Enumerable.Range(0, 31 - SmallestShift).Select(_ => new Stack<byte[]>())];

    /// <summary>Lends an array of at least this many bytes; its content is whatever was there.</summary>
    public byte[] Rent(int bytes)
    {
        int size = SizeClass(bytes);
        return _bySize[size].TryPop(out byte[]? array) ? array : GC.AllocateUninitializedArray<byte>(CapacityFor(bytes));
    }

    public void Return(byte[] array)
    {
        if (array.Length == 0)
            return;
        Stack<byte[]> kept = _bySize[SizeClass(array.Length)];
        if (kept.Count == 0 || (kept.Count + 1L) * array.Length <= (array.Length > LargeBytes ? KeptLargeBytes : KeptBytesPerSize))
            kept.Push(array);
    }

    /// <summary>Bytes of the array that is lent for so many.</summary>
    public static int CapacityFor(int bytes) => 1 << (SizeClass(bytes) + SmallestShift);

    private static int SizeClass(int bytes) =>
        Math.Max(0, 32 - System.Numerics.BitOperations.LeadingZeroCount((uint)(bytes - 1)) - SmallestShift);
}
