using System.Collections.Concurrent;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Serves the channels of one worker thread: waits, connects, runs handshakes, sends pings and applies timeouts.</summary>
/// <remarks>
/// Everything except <see cref="Post"/> and <see cref="Wake"/> belongs to the owning thread. One turn of a worker: do the work that is due, then
/// <see cref="Wait"/> until the next due time, then read every channel of <see cref="Ready"/> (or of <see cref="Channels"/>).
/// Call Wait in every turn, with a past time when it must not sleep: only Wait detects new bytes.
/// </remarks>
public sealed partial class ChannelPoller : IDisposable
{
    private readonly SlotList _channels = new();
    private readonly List<Slot> _refused = [];
    private readonly SlotList _ready = new();
    private readonly ConcurrentQueue<Action<long>> _posted = new();
    private readonly BufferPool _pool = new();
    private readonly bool _busyRead;
    private readonly Network _network;
#pragma warning disable CA2213 // it is disposed below; the analyzer misses this because it is replaced once
    private Waiter _waiter;
#pragma warning restore CA2213
    private int _attached;
    private int _isDisposed;

    /// <summary>Creates a poller; the first thread that waits owns it.</summary>
    /// <param name="busyRead">True never sleeps: every wait only checks, and a whole processor is busy.</param>
    public ChannelPoller(bool busyRead = false)
        : this(busyRead, SystemNetwork.Instance)
    {
    }

    /// <param name="busyRead">True never sleeps.</param>
    /// <param name="network">Network and clock that it uses.</param>
    internal ChannelPoller(bool busyRead, Network network) =>
        (_busyRead, _network, _waiter, Time) = (busyRead, network, network.CreateWaiter(), network.Time);

    /// <summary>All channels, closed ones included until <see cref="Remove"/>. Iterate by index.</summary>
    public IReadOnlyList<RsslChannel> Channels => _channels;

    /// <summary>Channels that can be read, became active, can send again, or closed, as of the last wait.</summary>
    public IReadOnlyList<RsslChannel> Ready => _ready;

    /// <summary>The clock of the poller.</summary>
    internal TimeSource Time { get; }

    /// <summary>
    /// Starts to connect and returns at once: <see cref="Wait"/> processes name, addresses, versions and handshake.
    /// </summary>
    public RsslChannel Connect(ConnectOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Slot slot = new(this, options);
        AddChannel(slot);
        slot.Channel.Connect();
        return slot.Channel;
    }

    /// <summary>Adds an accepted connection with the tag of its channel; any thread.</summary>
    /// <remarks>It appears in <see cref="Channels"/> at the next wait, still connecting.</remarks>
    public void Post(AcceptedConnection connection, object? tag = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        if (Volatile.Read(ref _isDisposed) != 0)
            connection.Dispose();
        else
            Run(now => Accept(connection, tag, now));
    }

    /// <summary>Removes a channel, closing it if it is open.</summary>
    public void Remove(RsslChannel channel)
    {
        ArgumentNullException.ThrowIfNull(channel);
        channel.Close();
        if (channel.Driver is Slot { Place: >= 0 } slot)
            RemoveChannel(slot);
    }

    /// <summary>Bytes of the arrays that channels use or have returned to the pool.</summary>
    internal long PooledBytes => _pool.HeldBytes;

    /// <summary>Releases arrays that no channel has needed since the last call.</summary>
    internal void TrimPool() => _pool.Trim();

    /// <summary>Closes all channels.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        RunPosted(Time.NowNanos);
        foreach (Slot slot in _channels.Slots.Concat(_refused).ToArray())
            slot.Channel.Close();
        _channels.Slots.Clear();
        _refused.Clear();
        _ready.Slots.Clear();
        _waiter.Dispose();
    }

    /// <summary>Runs a function on the owning thread within its next wait; any thread.</summary>
    internal void Run(Action<long> work)
    {
        _posted.Enqueue(work);
        Wake();
    }

    private void Attach(Slot slot, NetworkLink link)
    {
        _waiter = _waiter.MakeRoom();
        _waiter.Add(slot, link);
        _attached++;
    }

    private void Accept(AcceptedConnection connection, object? tag, long nowNanos)
    {
        if (Volatile.Read(ref _isDisposed) != 0)
        {
            connection.Dispose();
            return;
        }

        NetworkLink link = connection.Link;
        Slot slot = new(this, connection.Options, connection);
        RsslChannel channel = slot.Channel;
        channel.Tag = tag;
        if (connection.Refusal is null)
            AddChannel(slot);
        try
        {
            link.Configure(connection.Options);
        }
        catch (SocketException problem)
        {
            channel.EndWith(new CloseReason(CloseKind.Reset, problem.Message, problem)); // closed before we could serve it
            connection.Dispose();
            return;
        }

        Attach(slot, link);
        connection.Attach(channel);
        channel.Open(link.Open(channel.WakeForOpening), nowNanos);
        if (connection.Refusal is not null && channel.State != ChannelState.Closed)
            _refused.Add(slot); // until its request has arrived and is answered, or its time is over
    }
}
