using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfTools.Processes;

namespace PerfTools.Ranks;

/// <summary>The port of rank 0: ranks that share no folder with it read and write the files of the rendezvous there, and send their results.</summary>
/// <remarks>
/// One thread for each connection. A connection that has not shown the token within five seconds is closed, and so is the oldest of more than sixteen of
/// those. One that is silent for a minute is closed; a rank that still runs opens another.
/// </remarks>
internal sealed class RendezvousPort : IDisposable
{
    /// <summary>Maximum number of ranks of such a run.</summary>
    public const int MaxRanks = 256;

    private const int MaxUnidentified = 16;
    private const int MaxConnectionsOfRank = 4;
    private static readonly TimeSpan IdentificationLimit = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan CheckInterval = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan RestAfterFailure = TimeSpan.FromMilliseconds(100);

    private readonly PortAccess _access;
    private readonly Func<int, PortService> _open;
    private readonly Socket _listener;
    private readonly List<PortConnection> _connections = [];
    private readonly Lock _gate = new();
    private readonly Timer _cleaning;
    private (int Count, string? First) _refused;
    private (int Count, string? First) _defects;
    private volatile bool _isOver;

    private RendezvousPort(Socket listener, PortAccess access, Func<int, PortService> open)
    {
        (_listener, _access, _open) = (listener, access, open);
        _cleaning = new(_ => Guard(CloseSilent, "the port"), null, CheckInterval, CheckInterval);
        Start("rendezvous", Accept);
    }

    /// <summary>The port on which it listens.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndPoint!).Port;

    /// <summary>Says which connections were refused, or ended by a defect, as a warning; null for none. Any thread.</summary>
    public string? DescribeRefused()
    {
        lock (_gate)
        {
            string[] sentences = [.. Describe("refused", _refused), .. Describe("defects: ended", _defects)];
            return sentences.Length == 0 ? null : $"Warning: --meet: {string.Join("; ", sentences)}.";
        }
    }

    /// <summary>Listens at an address.</summary>
    /// <param name="at">The address by which the other ranks find it: where it is of this machine it listens there, else on every address.</param>
    /// <param name="access">Who may connect.</param>
    /// <param name="open">Creates what serves a rank.</param>
    /// <exception cref="SetupException">The port is in use, or the host has no address (exit code 4).</exception>
    public static RendezvousPort Listen(HostAddress at, PortAccess access, Func<int, PortService> open)
    {
        Socket? listener = null;
        try
        {
            IPAddress address = IPAddress.TryParse(at.Host, out IPAddress? own) ? own : Dns.GetHostAddresses(at.Host)[0];
            IPAddress any = address.AddressFamily == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Any : IPAddress.Any;
            listener = new(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            listener.Bind(new IPEndPoint(ListenPlace.FindInterface(address.ToString()) is null ? any : address, at.Port));
            listener.Listen();
            return new(listener, access, open);
        }
        catch (SocketException failure)
        {
            listener?.Dispose();
            throw new SetupException(SetupProblem.NotStarted, $"--meet: cannot listen on {at}: {failure.Message}", failure);
        }
    }

    public void Dispose()
    {
        PortConnection[] open;
        lock (_gate)
        {
            _isOver = true;
            open = [.. _connections];
        }

        _cleaning.Dispose();
        _listener.Dispose();
        foreach (PortConnection connection in open)
            connection.Dispose();
    }

    private static void Start(string name, Action work) => new Thread(() => work()) { IsBackground = true, Name = name }.Start();

    private static string[] Describe(string what, (int Count, string? First) found) => found.Count == 0 ? []
        : [FormattableString.Invariant($"{what} {(found.Count == 1 ? "a connection" : $"{found.Count:N0} connections")}, the first from {found.First}")];

    // Nothing that comes over a connection may end rank 0.
    private void Guard(Action work, string of)
    {
        try
        {
            work();
        }
#pragma warning disable CA1031 // it ends this connection only, and is named at the end of the run
        catch (Exception defect)
#pragma warning restore CA1031
        {
            lock (_gate)
                _defects = (_defects.Count + 1, _defects.First ?? $"{of}: {defect.GetType().Name}: {PrintableText.From(defect.Message)}");
        }
    }

    private void Accept()
    {
        while (!_isOver)
            Guard(AcceptOne, "the port");
    }

    private void AcceptOne()
    {
        Socket? accepted = null;
        try
        {
            PortConnection connection = new(accepted = _listener.Accept());
            if (TryKeep(connection))
                Start("rendezvous connection", () => Guard(() => Serve(connection), connection.Address));
        }
        catch (Exception cause) when (cause is SocketException or IOException or ObjectDisposedException)
        {
            if (accepted is not null)
                accepted.Dispose(); // it ended at once
            else
                Thread.Sleep(RestAfterFailure); // no file is free, also in the next moment; or it is the end of the run
        }
    }

    private bool TryKeep(PortConnection connection)
    {
        lock (_gate)
        {
            if (_isOver)
            {
                connection.Dispose();
                return false;
            }

            PortConnection[] unidentified = [.. _connections.Where(other => other.Rank is null)];
            if (unidentified.Length >= MaxUnidentified)
                Refuse(unidentified[0], "no token"); // the oldest
            _connections.Add(connection);
            return true;
        }
    }

    private void Serve(PortConnection connection)
    {
        try
        {
            if (connection.TryIdentify(_access, refusal => Count(connection, refusal)) && TryKnow(connection))
                connection.Serve(_open(connection.Rank!.Value));
        }
        catch (Exception cause) when (cause is IOException or InvalidDataException or SocketException or ObjectDisposedException or SetupException)
        {
            if (connection.Rank is null)
                Count(connection, cause is InvalidDataException ? "no rank" : "no token");
        }
        finally
        {
            connection.Dispose();
            lock (_gate)
                _connections.Remove(connection);
        }
    }

    // The oldest connection of a rank is one that it has given up.
    private bool TryKnow(PortConnection connection)
    {
        lock (_gate)
        {
            PortConnection[] own = [.. _connections.Where(other => other.Rank == connection.Rank)];
            if (own.Length > MaxConnectionsOfRank)
                own[0].Dispose();
            return own.Length <= MaxConnectionsOfRank || own[0] != connection;
        }
    }

    private void CloseSilent()
    {
        lock (_gate)
        {
            foreach (PortConnection connection in _connections.ToArray())
            {
                TimeSpan silent = Stopwatch.GetElapsedTime(connection.LastMessageAt);
                if (connection.Rank is null && silent > IdentificationLimit)
                    Refuse(connection, "no token");
                else if (silent > Silence)
                    connection.Dispose();
            }
        }
    }

    private void Refuse(PortConnection connection, string why)
    {
        Count(connection, why);
        connection.Dispose();
        _connections.Remove(connection);
    }

    // A rank that comes early is no stranger.
    private void Count(PortConnection connection, PortRefusal refusal)
    {
        if (!refusal.IsEarly)
            Count(connection, refusal.Problem);
    }

    private void Count(PortConnection connection, string why)
    {
        lock (_gate)
        {
            if (!_isOver && connection.TryCount())
                _refused = (_refused.Count + 1, _refused.First ?? $"{connection.Address}: {why}");
        }
    }
}
