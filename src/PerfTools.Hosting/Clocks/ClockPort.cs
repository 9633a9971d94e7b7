using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Clocks;

/// <summary>A port for clock messages, over datagrams and connections, each on a separate thread.</summary>
/// <remarks>At most 5,000 messages a second are allowed; a seventeenth connection, and one that is silent for 30 s, is closed.</remarks>
internal sealed class ClockPort : IDisposable
{
    private const int MaxMessagesPerSecond = 5_000;
    private const int MaxConnections = 16;
    private const int IdleMillis = 30_000;
    private const int PortTries = 20;
    private static readonly TimeSpan RestAfterFailure = TimeSpan.FromMilliseconds(100);

    private readonly Socket _listener;
    private readonly List<Socket> _connections = [];
    private readonly Lock _gate = new();
    private long _second;
    private int _messagesOfSecond;
    private long _dropped;
    private volatile bool _isOver;

    private ClockPort(Socket datagrams, Socket listener) => (Datagrams, _listener) = (datagrams, listener);

    /// <summary>The socket of the datagrams.</summary>
    public Socket Datagrams { get; }

    /// <summary>The address on which it listens.</summary>
    public IPEndPoint Local => (IPEndPoint)_listener.LocalEndPoint!;

    /// <summary>True from the disposal on. Any thread.</summary>
    public bool IsOver => _isOver;

    /// <summary>Number of dropped messages. Any thread.</summary>
    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>Listens on an address.</summary>
    /// <param name="at">Address and port; port 0 for one that is free for datagrams and connections.</param>
    /// <exception cref="SetupException">The port is in use.</exception>
    public static ClockPort Listen(IPEndPoint at)
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
                return new ClockPort(datagrams, listener);
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

    /// <summary>Starts a thread that does not keep the program running.</summary>
    public static void StartThread(string name, Action body) => new Thread(() => body()) { Name = name, IsBackground = true }.Start();

    /// <summary>True for a failure of a socket that is no defect: the peer is gone, or it is the end.</summary>
    public static bool IsEnd(Exception failure) => failure is SocketException or ObjectDisposedException;

    /// <summary>Executes what uses sockets, until it returns, or the peer is gone, or it is the end.</summary>
    public static void RunToEnd(Action body)
    {
        try
        {
            body();
        }
        catch (Exception failure) when (IsEnd(failure))
        {
            // nothing is left to do
        }
    }

    /// <summary>Receives whole messages from a connection until it ends, is silent for too long, or a message is refused.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="accept">Receives a message, right after its last byte has come; false refuses it.</param>
    public static void ReceiveMessages(Socket connection, Func<byte[], bool> accept)
    {
        byte[] message = new byte[ClockMessage.Bytes];
        (connection.NoDelay, connection.ReceiveTimeout, connection.SendTimeout) = (true, IdleMillis, IdleMillis);
        for (int bytes = 0; connection.Receive(message.AsSpan(bytes)) is var more and > 0;)
        {
            bytes += more;
            if (bytes < message.Length)
                continue;
            bytes = 0;
            if (!accept(message))
                break;
        }
    }

    /// <summary>Begins to receive.</summary>
    /// <param name="receive">Receives datagrams until the end, on a separate thread.</param>
    /// <param name="serve">Serves a connection to its end, on a separate thread.</param>
    public void Start(Action receive, Action<Socket> serve)
    {
        StartThread("clock datagrams", receive);
        StartThread("clock connections", () => Accept(serve));
    }

    /// <summary>Counts a message against the limit of this second; false when it exceeds it. Any thread.</summary>
    /// <param name="now">The time of a clock.</param>
    public bool IsDue(long now)
    {
        lock (_gate)
        {
            long second = now / Clock.NanosPerSecond;
            if (second != _second)
                (_second, _messagesOfSecond) = (second, 0);
            return _messagesOfSecond++ < MaxMessagesPerSecond;
        }
    }

    /// <summary>Counts a dropped message. Any thread.</summary>
    public void CountDropped() => Interlocked.Increment(ref _dropped);

    public void Dispose()
    {
        lock (_gate)
        {
            _isOver = true;
            foreach (Socket connection in _connections)
                connection.Dispose();
        }

        _listener.Dispose();
        Datagrams.Dispose();
    }

    private void Accept(Action<Socket> serve)
    {
        while (!_isOver)
        {
            try
            {
                AcceptOne(serve);
            }
            catch (Exception failure) when (IsEnd(failure))
            {
                Thread.Sleep(RestAfterFailure); // a connection may end before it is accepted; or no file is free, also in the next moment
            }
        }
    }

    private void AcceptOne(Action<Socket> serve)
    {
        Socket connection = _listener.Accept();
        if (TryKeep(connection))
            StartThread("clock connection", () => Serve(connection, serve));
        else
            connection.Dispose();
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

    private void Serve(Socket connection, Action<Socket> serve)
    {
        RunToEnd(() => serve(connection));
        lock (_gate)
            _connections.Remove(connection);
        connection.Dispose();
    }
}
