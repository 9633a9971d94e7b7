namespace PerfCommon.Transport;

/// <summary>Sleeps until links have something to report, another thread signals, or a time has passed. Never spins.</summary>
/// <remarks>One per poller, for the links of one network; everything but <see cref="Signal"/> belongs to its thread.</remarks>
internal abstract class Waiter : IDisposable
{
    /// <summary>What the last wait found.</summary>
    public List<(WaitSlot Slot, bool Readable, bool Writable)> Found { get; } = [];

    /// <summary>The waiter to go on with when one more link comes: this one, or one for more of them that has taken all it held.</summary>
    public virtual Waiter MakeRoom() => this;

    /// <summary>Takes a link, to wait for nothing yet.</summary>
    public abstract void Add(WaitSlot slot, NetworkLink link);

    /// <summary>Says what to wait for; breaks and errors are reported always, as both.</summary>
    public abstract void SetInterest(WaitSlot slot, bool reads, bool writes);

    /// <summary>Forgets a link; before it is closed.</summary>
    public abstract void Remove(WaitSlot slot);

    /// <summary>Waits and fills <see cref="Found"/>; a time-out of 0 only looks.</summary>
    public abstract void Wait(long timeoutNanos);

    /// <summary>Ends the current or next wait; any thread.</summary>
    public abstract void Signal();

    public abstract void Dispose();
}
