namespace PerfCommon.Transport;

/// <summary>
/// Output buffers that the connections of a server share: each may have some beyond its guaranteed ones while others do not need them.
/// </summary>
/// <remarks>Any thread. A channel takes several at once, and only when its own are used up: never per message.</remarks>
/// <param name="size">How many there are.</param>
internal sealed class SharedBuffers(int size)
{
    private int _free = size;

    /// <summary>Buffers that nobody has.</summary>
    public int Free => Volatile.Read(ref _free);

    /// <summary>Takes some.</summary>
    /// <param name="count">How many are wanted.</param>
    /// <returns>How many there were, 0 to <paramref name="count"/>.</returns>
    public int Take(int count)
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

    /// <summary>Gives some back.</summary>
    public void Return(int count) => Interlocked.Add(ref _free, count);
}
