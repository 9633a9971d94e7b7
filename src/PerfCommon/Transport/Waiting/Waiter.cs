namespace PerfCommon.Transport;

/// <summary>Sleeps until links have something to report, another thread signals, or a time has passed. Never spins.</summary>
/// <remarks>One per poller, for the links of one network; everything except <see cref="Signal"/> belongs to its thread.</remarks>
internal abstract class Waiter : IDisposable
{
    /// <summary>The events of the last wait.</summary>
    public List<(WaitSlot Slot, bool Readable, bool Writable)> Found { get; } = [];

    /// <summary>Returns the waiter to use when one more link is added: this one, or a larger one that has taken over its links.</summary>
    public virtual Waiter MakeRoom() => this;

    /// <summary>Adds one end of a connection, without waiting for any event of it yet.</summary>
    public abstract void Add(WaitSlot slot, WaitSource source);

    /// <summary>Sets the events to wait for; disconnects and errors are always reported, as both.</summary>
    public abstract void SetInterest(WaitSlot slot, bool reads, bool writes);

    /// <summary>Removes a link; before it is closed.</summary>
    public abstract void Remove(WaitSlot slot);

    /// <summary>Waits and fills <see cref="Found"/>; with a timeout of 0 it does not wait.</summary>
    public abstract void Wait(long timeoutNanos);

    /// <summary>Ends the current or next wait; any thread.</summary>
    public abstract void Signal();

    public abstract void Dispose();
}
