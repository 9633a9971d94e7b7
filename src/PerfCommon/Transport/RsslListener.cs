using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Takes the TCP connections of a server, on the main thread.</summary>
[DebuggerDisplay("port {Port}, {OpenConnections} open")]
public sealed partial class RsslListener : IDisposable
{
    private const string LimitText = "Too many connections.";

    /// <summary>Connections over the limit that are answered at once; more are closed without a word.</summary>
    private const int MostRefusedAtOnce = 64;

    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(100);

    private readonly Socket _socket;
    private int _open;

    private RsslListener(Socket socket, ListenOptions options)
    {
        _socket = socket;
        _ended = _ending.Token;
        Options = options;
    }

    /// <summary>What the listener grants.</summary>
    public ListenOptions Options { get; }

    /// <summary>The port it listens on, also when 0 was asked for.</summary>
    public int Port => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    /// <summary>Connections taken and not closed yet.</summary>
    public int OpenConnections => Volatile.Read(ref _open);

    /// <summary>Listens on [::] for both families (0.0.0.0 without IPv6), or on the interface asked for.</summary>
    /// <exception cref="IOException">With a sentence fit to print: port in use, unknown interface.</exception>
    public static RsslListener Bind(ListenOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Socket socket = NetworkAddresses.CreateListeningSocket(options);
        return new RsslListener(socket, options);
    }

    /// <summary>Waits for a connection.</summary>
    /// <param name="limit">How long at most; zero only looks.</param>
    /// <param name="connection">The connection; it may be one to refuse (over the limit), post it alike.</param>
    /// <returns>False when none came, or the listener was disposed.</returns>
    public bool TryAccept(TimeSpan limit, [NotNullWhen(true)] out AcceptedConnection? connection)
    {
        connection = null;
        try
        {
            if (!_socket.Poll(limit, SelectMode.SelectRead))
                return false;
            connection = Admit(_socket.Accept());
            return connection is not null;
        }
        catch (SocketException problem) when (problem.SocketErrorCode == SocketError.TooManyOpenSockets)
        {
            Thread.Sleep(limit < LongestPause ? limit : LongestPause); // it stays readable: do not ask without end
            return false;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException)
        {
            return false; // the peer was gone before we took it, or the listener ended
        }
    }

    /// <summary>Stops listening; connections taken stay.</summary>
    public void Dispose()
    {
        _socket.Dispose();
        EndAccepting();
    }

    /// <summary>Counts a connection; null when it is one too many even to be refused.</summary>
    private AcceptedConnection? Admit(Socket socket)
    {
        int open = Interlocked.Increment(ref _open);
        string? refusal = open > Options.MaxConnections ? LimitText : null;
        AcceptedConnection connection = new(socket, Options, refusal, () => Interlocked.Decrement(ref _open));
        if (open <= Options.MaxConnections + MostRefusedAtOnce)
            return connection;
        connection.Dispose();
        return null;
    }
}
