namespace PerfCommon.Transport;

/// <summary>Arrays of one worker thread, lent to channels while they hold bytes, so that an idle connection holds none.</summary>
/// <remarks>Sizes are powers of two; at most <see cref="KeptBytesPerSize"/> of each are kept. Not for several threads.</remarks>
internal sealed class BufferPool
{
    private const int SmallestShift = 10;
    private const int KeptBytesPerSize = 32 * 1024 * 1024; // 5,000 output buffers of 6,000 bytes: what is thrown away is not collected for long

    private readonly Stack<byte[]>[] _bySize = [.. Enumerable.Range(0, 31 - SmallestShift).Select(_ => new Stack<byte[]>())];

    /// <summary>Lends an array of at least this many bytes; its content is whatever was there.</summary>
    public byte[] Rent(int bytes)
    {
        int size = SizeClass(bytes);
        return _bySize[size].TryPop(out byte[]? array) ? array : GC.AllocateUninitializedArray<byte>(1 << (size + SmallestShift));
    }

    public void Return(byte[] array)
    {
        if (array.Length == 0)
            return;
        Stack<byte[]> kept = _bySize[SizeClass(array.Length)];
        if (kept.Count == 0 || (long)(kept.Count + 1) * array.Length <= KeptBytesPerSize)
            kept.Push(array);
    }

    private static int SizeClass(int bytes) =>
        Math.Max(0, 32 - System.Numerics.BitOperations.LeadingZeroCount((uint)(bytes - 1)) - SmallestShift);
}
