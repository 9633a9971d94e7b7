using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Creates connections, waits for them and provides the clock: of the system, or a network in memory with a separate clock.
/// </summary>
internal abstract class Network
{
    /// <summary>The clock of all waits and stamps.</summary>
    public abstract TimeSource Time { get; }

    /// <summary>Creates the waiter of one poller, for links of this network only.</summary>
    public abstract Waiter CreateWaiter();

    /// <summary>Resolves the addresses of a host, in the order to try them.</summary>
    /// <returns>A task that fails with <see cref="SocketException"/> or <see cref="ArgumentException"/>; it may be completed already.</returns>
    public abstract Task<IPAddress[]> ResolveAsync(string host);

    /// <summary>Starts to connect; <see cref="NetworkLink.Look"/> returns the progress.</summary>
    /// <exception cref="IOException">There is no such interface.</exception>
    /// <exception cref="SocketException">It failed immediately.</exception>
    public abstract NetworkLink Connect(IPAddress address, ConnectOptions options);

    /// <exception cref="IOException">With a printable sentence: port in use, unknown interface.</exception>
    public abstract ListeningPort Listen(ListenOptions options);
}
