using System.Collections.Concurrent;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Serves the channels of one worker thread: waits, connects, shakes hands, pings and times out.</summary>
/// <remarks>
/// Everything but <see cref="Post"/> and <see cref="Wake"/> belongs to the owning thread. One turn of a worker: what is due, then
/// <see cref="Wait"/> until the next due time, then read every channel of <see cref="Ready"/> (or of <see cref="Channels"/>).
/// Call Wait in every turn, with a time that has passed when nothing is to be waited for: only it finds new bytes.
/// </remarks>
public sealed partial class ChannelPoller : IDisposable
{
    private readonly List<RsslChannel> _channels = [];
    private readonly List<RsslChannel> _refused = [];
    private readonly List<RsslChannel> _ready = [];
    private readonly ConcurrentQueue<Action<long>> _posted = new();
    private readonly BufferPool _pool = new();
    private readonly bool _busyRead;
#pragma warning disable CA2213 // it is disposed below; the analyzer loses it because it is replaced once
    private SocketWaiter _waiter;
#pragma warning restore CA2213
    private int _attached;
    private int _isDisposed;

    /// <summary>Makes a poller; the thread that first waits owns it.</summary>
    /// <param name="busyRead">True never sleeps: every wait only looks, at the cost of a whole processor.</param>
    public ChannelPoller(bool busyRead = false)
        : this(busyRead, SocketWaiter.Create())
    {
    }

    internal ChannelPoller(bool busyRead, SocketWaiter waiter) => (_busyRead, _waiter) = (busyRead, waiter);

    /// <summary>All channels, closed ones included until <see cref="Remove"/>. Go by index.</summary>
    public IReadOnlyList<RsslChannel> Channels => _channels;

    /// <summary>Channels that have something to read, became active, got room to write, or closed, as of the last wait.</summary>
    public IReadOnlyList<RsslChannel> Ready => _ready;

    /// <summary>Begins to connect and returns at once: name, addresses, versions and handshake are worked off by <see cref="Wait"/>.</summary>
    public RsslChannel Connect(ConnectOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        RsslChannel channel = new(this, _pool, options);
        _channels.Add(channel);
        channel.Connect(Clock.NowNanos);
        return channel;
    }

    /// <summary>Hands over an accepted connection and the tag of its channel; any thread.</summary>
    /// <remarks>It appears in <see cref="Channels"/> at the next wait, still connecting.</remarks>
    public void Post(AcceptedConnection connection, object? tag = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        if (Volatile.Read(ref _isDisposed) != 0)
            connection.Dispose();
        else
            Run(now => Accept(connection, tag, now));
    }

    /// <summary>Forgets a channel, closing it if it is open.</summary>
    public void Remove(RsslChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        channel.Close();
        _channels.Remove(channel);
        _inMemory.RemoveAll(entry => entry.Channel == channel);
        _ready.Remove(channel);
    }

    /// <summary>Closes all channels.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        RunPosted(Clock.NowNanos);
        foreach (RsslChannel channel in _channels.Concat(_refused).ToArray())
            channel.Close();
        _waiter.Dispose();
    }

    /// <summary>Has the owning thread do something within its next wait; any thread.</summary>
    internal void Run(Action<long> work)
    {
        _posted.Enqueue(work);
        Wake();
    }

    internal void Attach(RsslChannel channel, Socket socket)
    {
        if (_attached == PollWaiter.MaxSockets && _waiter is PollWaiter few)
            _waiter = few.MoveToLarger();
        _waiter.Add(channel, socket);
        _attached++;
    }

    internal void Detach(RsslChannel channel)
    {
        if (channel.WaitIndex < 0)
            return;
        _waiter.Remove(channel);
        _attached--;
    }

    internal void SetInterest(RsslChannel channel, bool reads, bool writes)
    {
        if (channel.WaitIndex >= 0)
            _waiter.SetInterest(channel, reads, writes);
    }

    private void Accept(AcceptedConnection connection, object? tag, long nowNanos)
    {
        if (Volatile.Read(ref _isDisposed) != 0)
        {
            connection.Dispose();
            return;
        }
        Socket socket = connection.Socket;
        RsslChannel channel = new(this, _pool, connection.Options) { Accepted = connection, Tag = tag };
        (connection.Refusal is null ? _channels : _refused).Add(channel);
        try
        {
            NetworkAddresses.Configure(socket, connection.Options, blocks: false);
        }
        catch (SocketException problem)
        {
            channel.EndWith(new CloseReason(CloseKind.Reset, problem.Message, problem)); // gone before we came to it
            connection.Dispose();
            return;
        }
        Attach(channel, socket);
        channel.Open(PipeLayers.ForServer(new PolledSocketPipe(socket, channel.WakeForOpening), connection.Options, _pool), new ServerHandshake(connection.Options, connection.Refusal), nowNanos);
    }
}
