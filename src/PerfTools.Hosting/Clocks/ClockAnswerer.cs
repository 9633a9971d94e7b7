using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfTools.Hosting.Clocks;

/// <summary>Answers probes of this host's clock, over datagrams and connections on one port, on separate threads.</summary>
/// <remarks>
/// Messages that are not sealed with the key are dropped silently. An answer is as long as its probe and is sent to the probe's sender only. There
/// are at most 5,000 answers a second; a seventeenth connection is closed.
/// </remarks>
internal sealed class ClockAnswerer : IDisposable
{
    private const int MaxAnswersPerSecond = 5_000;
    private const int MaxConnections = 16;
    private const int IdleMillis = 30_000;
    private const int PortTries = 20;
    private const long WaitNanos = Clock.NanosPerSecond / 10;

    private readonly byte[] _key;
    private readonly Func<long> _now;
    private readonly Func<long>? _wall;
    private readonly Socket _datagrams;
    private readonly Socket _listener;
    private readonly List<Socket> _connections = [];
    private readonly Lock _gate = new();
    private long _second;
    private int _answersOfSecond;
    private long _answered;
    private long _dropped;
    private bool _isOver;

    private ClockAnswerer(Socket datagrams, Socket listener, byte[] key, Func<long> now, Func<long>? wall)
    {
        (_datagrams, _listener, _key, _now, _wall) = (datagrams, listener, key, now, wall);
        StampedDatagrams? stamped = wall is null ? null : StampedDatagrams.TryOpen(datagrams, stampsSent: false);
        IsStamped = stamped is not null;
        Start("clock datagrams", () => AnswerDatagrams(stamped));
        Start("clock connections", Accept);
    }

    /// <summary>The address on which it listens.</summary>
    public IPEndPoint Local => (IPEndPoint)_listener.LocalEndPoint!;

    /// <summary>True where the kernel stamps the datagrams.</summary>
    public bool IsStamped { get; }

    /// <summary>Number of answered probes. Any thread.</summary>
    public long Answered => Volatile.Read(ref _answered);

    /// <summary>Number of messages that are no probes, have another key, or exceeded the rate. Any thread.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>Listens on an address.</summary>
    /// <param name="at">Address and port; port 0 for a free one.</param>
    /// <param name="key">The key that both sides share.</param>
    /// <param name="now">Reads this host's clock.</param>
    /// <param name="wall">Reads this host's wall clock, for stamps of the kernel where it has them; null for stamps of this program.</param>
    /// <exception cref="SetupException">The port is in use.</exception>
    public static ClockAnswerer Listen(IPEndPoint at, byte[] key, Func<long> now, Func<long>? wall = null)
    {
        for (int tries = at.Port == 0 ? PortTries : 1; ; tries--)
        {
            Socket listener = new(at.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            Socket datagrams = new(at.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                listener.Bind(at);
                datagrams.Bind(listener.LocalEndPoint!);
                listener.Listen();
                return new ClockAnswerer(datagrams, listener, key, now, wall);
            }
            catch (SocketException failure)
            {
                listener.Dispose();
                datagrams.Dispose();
                if (tries <= 1)
                    throw new SetupException(SetupProblem.NotStarted, $"cannot listen on {at}: {failure.Message}", failure);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isOver = true;
            foreach (Socket connection in _connections)
                connection.Dispose();
        }

        _listener.Dispose();
        _datagrams.Dispose();
    }

    private static void Start(string name, Action body) => new Thread(() => body()) { Name = name, IsBackground = true }.Start();

    private void AnswerDatagrams(StampedDatagrams? stamped)
    {
        using ClockSeal seal = new(_key);
        ClockIncarnation incarnation = new(_key);
        byte[] message = new byte[ClockMessage.Bytes + 1]; // one byte more, so that a longer message is detected
        SocketAddress sender = new(_datagrams.AddressFamily);
        WallStamps? stamps = stamped is null ? null : new(() => WallReading.Take(_now, _wall!));
        while (!_isOver)
        {
            try
            {
                int bytes = stamped?.Receive(message, WaitNanos) ?? _datagrams.ReceiveFrom(message, SocketFlags.None, sender);
                if (stamped is not null && bytes <= 0)
                    continue; // the time is over, or an answer did not reach its peer
                stamped?.CopySender(sender);
                (long received, bool isStamped) = FindReceived(stamps, stamped?.ReceivedNanos);
                if (TryAnswer(message, bytes, received, seal, incarnation, isStamped))
                    _datagrams.SendTo(message.AsSpan(0, ClockMessage.Bytes), SocketFlags.None, sender);
            }
            catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
            {
                // the end, or the sender is gone
            }
        }
    }

    // The kernel's stamp, as far as it is not later than this program's; none for a probe that had to wait, or where the wall clock was set.
    private (long Received, bool IsStamped) FindReceived(WallStamps? stamps, long? stamp)
    {
        long received = _now();
        return stamps?.Next() is { } lead && stamp is { } known && lead.Covers(known) ? (Math.Min(received, lead.LatestOf(known)), true) : (received, false);
    }

    private bool TryAnswer(byte[] message, int bytes, long received, ClockSeal seal, ClockIncarnation incarnation, bool isStamped = false)
    {
        if (!ClockMessage.TryRead(message.AsSpan(0, bytes), ClockMessageKind.Probe, seal, out ClockMessage probe) || !IsDue(received))
        {
            Interlocked.Increment(ref _dropped);
            return false;
        }

        ClockMessage answer = probe with { Kind = ClockMessageKind.Answer, PeerReceived = received, IsStamped = isStamped };
        (answer with { PeerSent = _now(), Incarnation = incarnation.Current }).Write(message, seal);
        Interlocked.Increment(ref _answered);
        return true;
    }

    private bool IsDue(long now)
    {
        lock (_gate)
        {
            long second = now / Clock.NanosPerSecond;
            if (second != _second)
                (_second, _answersOfSecond) = (second, 0);
            return _answersOfSecond++ < MaxAnswersPerSecond;
        }
    }

    private void Accept()
    {
        while (!_isOver)
        {
            try
            {
                Socket connection = _listener.Accept();
                if (TryKeep(connection))
                    Start("clock connection", () => AnswerConnection(connection));
                else
                    connection.Dispose();
            }
            catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
            {
                // the end, or a connection that ended before it was accepted
            }
        }
    }

    private bool TryKeep(Socket connection)
    {
        lock (_gate)
        {
            if (_isOver || _connections.Count >= MaxConnections)
                return false;
            _connections.Add(connection);
            return true;
        }
    }

    private void AnswerConnection(Socket connection)
    {
        using ClockSeal seal = new(_key);
        ClockIncarnation incarnation = new(_key);
        byte[] message = new byte[ClockMessage.Bytes];
        try
        {
            (connection.NoDelay, connection.ReceiveTimeout, connection.SendTimeout) = (true, IdleMillis, IdleMillis);
            for (int bytes = 0; connection.Receive(message.AsSpan(bytes)) is var more and > 0;)
            {
                long received = _now();
                bytes += more;
                if (bytes < message.Length)
                    continue;
                bytes = 0;
                if (!TryAnswer(message, message.Length, received, seal, incarnation))
                    break; // a peer with another key gets no answer
                connection.Send(message);
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // the peer is gone, or it is the end
        }

        lock (_gate)
            _connections.Remove(connection);
        connection.Dispose();
    }
}
