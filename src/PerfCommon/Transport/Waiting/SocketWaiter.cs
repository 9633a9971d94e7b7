using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Sleeps until sockets have something to report, another thread signals, or a time has passed. Never spins.</summary>
/// <remarks>One per poller; everything but <see cref="Signal"/> belongs to its thread.</remarks>
internal abstract class SocketWaiter : IDisposable
{
    public List<(RsslChannel Channel, bool Readable, bool Writable)> Found { get; } = [];

    /// <summary>The waiter for a few sockets on this system.</summary>
    public static SocketWaiter Create() => OperatingSystem.IsLinux() ? new PollWaiter() : new SelectWaiter();

    /// <summary>Takes a channel's socket, to wait for nothing yet.</summary>
    public abstract void Add(RsslChannel channel, Socket socket);

    /// <summary>Says what to wait for; breaks and errors are reported always, as both.</summary>
    public abstract void SetInterest(RsslChannel channel, bool reads, bool writes);

    /// <summary>Forgets a channel's socket; before it is closed.</summary>
    public abstract void Remove(RsslChannel channel);

    /// <summary>Waits and fills <see cref="Found"/>; a time-out of 0 only looks.</summary>
    public abstract void Wait(long timeoutNanos);

    /// <summary>Ends the current or next wait; any thread.</summary>
    public abstract void Signal();

    public abstract void Dispose();

    /// <summary>Adds what Linux reports of a channel's socket to <see cref="Found"/>.</summary>
    protected void Note(RsslChannel channel, uint events)
    {
        bool isBroken = (events & (Libc.PollError | Libc.PollHangUp)) != 0;
        Found.Add((channel, isBroken || (events & Libc.PollIn) != 0, isBroken || (events & Libc.PollOut) != 0));
    }

    protected static short EventsFor(bool reads, bool writes) => (short)((reads ? Libc.PollIn : 0) | (writes ? Libc.PollOut : 0));
}

/// <summary>A descriptor that other threads make readable to end a wait. Closing it and setting it exclude each other.</summary>
internal sealed class WakeEvent : IDisposable
{
    private readonly Lock _gate = new();
    private bool _isClosed;

    /// <exception cref="IOException">When the system gives none.</exception>
    public WakeEvent()
    {
        Descriptor = Libc.CreateEvent();
        if (Descriptor < 0)
            throw new IOException("the system gives no event descriptor");
    }

    public int Descriptor { get; }

    public void Set()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.SetEvent(Descriptor);
        }
    }

    public void Reset() => Libc.ResetEvent(Descriptor);

    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isClosed)
                _ = Libc.Close(Descriptor);
            _isClosed = true;
        }
    }
}
