namespace PerfCommon.Transport;

/// <summary>
/// Output buffers that the connections of a server share: each may borrow some beyond its guaranteed ones while others do not need them.
/// </summary>
/// <remarks>Any thread. A channel borrows several at once, and only when its own are in use: never per message.</remarks>
/// <param name="size">Number of buffers.</param>
internal sealed class SharedBuffers(int size)
{
    private int _free = size;

    /// <summary>Number of buffers that are not borrowed.</summary>
    public int Free => Volatile.Read(ref _free);

    /// <summary>Borrows buffers.</summary>
    /// <param name="count">Number requested.</param>
    /// <returns>Number borrowed, 0 to <paramref name="count"/>.</returns>
    public int Rent(int count)
    {
        while (true)
        {
            int free = Volatile.Read(ref _free);
            int taken = Math.Min(free, count);
            if (taken <= 0)
                return 0;
            if (Interlocked.CompareExchange(ref _free, free - taken, free) == free)
                return taken;
        }
    }

    /// <summary>Returns borrowed buffers.</summary>
    public void Return(int count) => Interlocked.Add(ref _free, count);
}
