using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Sleeps until sockets have something to report, another thread signals, or a time has passed. Never spins.</summary>
/// <remarks>One per poller; everything but <see cref="Signal"/> belongs to its thread.</remarks>
internal abstract class SocketWaiter : IDisposable
{
    /// <summary>Most sockets that a plain poll looks through quicker than epoll.</summary>
    public const int MostPolled = 64;

    /// <summary>What the last wait found.</summary>
    public List<(RsslChannel Channel, bool Readable, bool Writable)> Found { get; } = [];

    /// <summary>The waiter for a few sockets on this system.</summary>
    public static SocketWaiter Create() => OperatingSystem.IsLinux() ? new PollWaiter() : new SelectWaiter();

    /// <summary>Waits for a channel's socket from now on, for nothing yet.</summary>
    public abstract void Add(RsslChannel channel, Socket socket);

    /// <summary>Says what to wait for; breaks and errors are reported always, as both.</summary>
    public abstract void SetInterest(RsslChannel channel, bool reads, bool writes);

    /// <summary>Forgets a channel's socket; before it is closed.</summary>
    public abstract void Remove(RsslChannel channel);

    /// <summary>Waits and fills <see cref="Found"/>.</summary>
    /// <param name="timeoutNanos">Longest wait; 0 only looks.</param>
    public abstract void Wait(long timeoutNanos);

    /// <summary>Ends the current or next wait; any thread.</summary>
    public abstract void Signal();

    /// <summary>Hands sockets and signal to a waiter for more than <see cref="MostPolled"/> sockets; this one is used no more.</summary>
    public abstract SocketWaiter MoveToLarger();

    public abstract void Dispose();
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

    /// <summary>Makes it readable; any thread.</summary>
    public void Set()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.SetEvent(Descriptor);
        }
    }

    /// <summary>Makes it unreadable again.</summary>
    public void Reset() => Libc.ResetEvent(Descriptor);

    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.CloseDescriptor(Descriptor);
            _isClosed = true;
        }
    }
}
