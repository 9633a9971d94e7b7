namespace PerfCommon.Transport;

/// <summary>Serves the channels of one worker thread: waits, connects, shakes hands, pings and times out.</summary>
/// <remarks>
/// Everything but <see cref="Post"/> and <see cref="Wake"/> belongs to the owning thread. One turn of a worker: what is due, then
/// <see cref="Wait"/> until the next due time, then read every channel of <see cref="Ready"/> (or of <see cref="Channels"/>).
/// Call Wait in every turn, with a time that has passed when nothing is to be waited for: only it finds new bytes.
/// </remarks>
public sealed class ChannelPoller : IDisposable
{
    private readonly List<RsslChannel> _channels = [];

    /// <summary>Makes a poller; the thread that first waits owns it.</summary>
    public ChannelPoller(PollerOptions options) => Options = options;

    /// <summary>How it waits.</summary>
    public PollerOptions Options { get; }

    /// <summary>All channels, closed ones included until <see cref="Remove"/>. Go by index.</summary>
    public IReadOnlyList<RsslChannel> Channels => _channels;

    /// <summary>Channels that have something to read, became active, got room to write, or closed, as of the last wait.</summary>
    public IReadOnlyList<RsslChannel> Ready => _channels;

    /// <summary>Begins to connect and returns at once: name, addresses, versions and handshake are worked off by <see cref="Wait"/>.</summary>
    public RsslChannel Connect(ConnectOptions options) => throw new NotImplementedException();

    /// <summary>Hands over an accepted connection and wakes the poller; any thread. It appears in <see cref="Channels"/> at the next wait, still connecting.</summary>
    public void Post(AcceptedConnection connection) => throw new NotImplementedException();

    /// <summary>Ends the current or the next wait; any thread.</summary>
    public void Wake() => throw new NotImplementedException();

    /// <summary>Sleeps until bytes arrive, a blocked channel has room again, another thread wakes it, or the time has come; works off connects, handshakes, pings and time-outs.</summary>
    /// <param name="untilNanos">Stopwatch time in nanoseconds; one that has passed only looks.</param>
    public void Wait(long untilNanos) => throw new NotImplementedException();

    /// <summary>Forgets a channel, closing it if it is open.</summary>
    public void Remove(RsslChannel channel) => throw new NotImplementedException();

    /// <summary>Closes all channels.</summary>
    public void Dispose() => throw new NotImplementedException();
}
