using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Accepts the TCP connections of a server, on the main thread.</summary>
[DebuggerDisplay("port {Port}, {OpenConnections} open")]
public sealed partial class RsslListener : IDisposable
{
    private const string LimitText = "Too many connections.";

    /// <summary>Maximum simultaneous connections above the limit that are answered; further ones are closed without an answer.</summary>
    internal const int MostRefusedAtOnce = 64;

    private readonly ListeningPort _port;
    private readonly UnfinishedHandshakes _unfinished;
    private readonly SharedBuffers? _shared;
    private NetworkLink? _next; // accepted, but too many handshakes are incomplete
    private int _open;
    private int _unanswered;

    private RsslListener(ListeningPort port, ListenOptions options, TimeSource time)
    {
        _port = port;
        _unfinished = new UnfinishedHandshakes(options.EffectiveMaxHandshakes, time);
        _shared = options.SharedOutputBuffers > 0 ? new SharedBuffers(options.SharedOutputBuffers) : null;
        _ended = _ending.Token;
        Options = options;
    }

    /// <summary>Options that the listener grants.</summary>
    internal ListenOptions Options { get; }

    /// <summary>The port it listens on, also when 0 was requested.</summary>
    public int Port => _port.Number;

    /// <summary>Connections accepted and not closed yet.</summary>
    public int OpenConnections => Volatile.Read(ref _open);

    /// <summary>Listens on [::] for both families (0.0.0.0 without IPv6), or on the requested interface.</summary>
    /// <exception cref="IOException">With a printable sentence: port in use, unknown interface.</exception>
    public static RsslListener Bind(ListenOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Bind(options, SystemNetwork.Instance);
    }

    /// <summary>Listens on a given network.</summary>
    internal static RsslListener Bind(ListenOptions options, Network network) => new(network.Listen(options), options, network.Time);

    /// <summary>Waits for a connection.</summary>
    /// <param name="limit">Maximum wait; zero does not wait.</param>
    /// <param name="connection">The connection; if it is to be refused (above the limit), post it as well.</param>
    /// <returns>False when none arrived, or the listener was disposed.</returns>
    public bool TryAccept(TimeSpan limit, [NotNullWhen(true)] out AcceptedConnection? connection)
    {
        connection = null;
        _next ??= _port.TryAccept(limit);
        if (_next is not { } link)
            return false;
        if (!_unfinished.TryMakeRoom())
        {
            _unfinished.WaitForChange(limit); // later ones wait in the system's queue
            if (!_unfinished.TryMakeRoom())
                return false;
        }

        _next = null;
        connection = Admit(link);
        return connection is not null;
    }

    /// <summary>Returns the connections above the limit that were closed without an answer since the last call.</summary>
    internal int CollectUnanswered() => Interlocked.Exchange(ref _unanswered, 0);

    /// <summary>Stops listening; accepted connections stay open.</summary>
    public void Dispose()
    {
        _port.Dispose();
        _next?.Dispose();
        EndAccepting();
    }

    /// <summary>Counts a connection; null when there are too many even to be refused.</summary>
    private AcceptedConnection? Admit(NetworkLink link)
    {
        int open = Interlocked.Increment(ref _open);
        string? refusal = open > Options.MaxConnections ? LimitText : null;
        AcceptedConnection connection = new(link, Options, refusal, _unfinished, () => Interlocked.Decrement(ref _open))
        {
            Shared = _shared,
        };
        if (open - MostRefusedAtOnce <= Options.MaxConnections) // the greatest limit has no sum
            return connection;
        connection.Dispose();
        Interlocked.Increment(ref _unanswered);
        return null;
    }
}
