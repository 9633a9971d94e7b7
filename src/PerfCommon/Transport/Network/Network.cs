using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Where connections come from, how to wait for them and what time it is there: the system's, or one in memory with a clock of its own.
/// </summary>
internal abstract class Network
{
    /// <summary>The time by which everything waits and is stamped.</summary>
    public abstract TimeSource Time { get; }

    /// <summary>The waiter of one poller, for links of this network alone.</summary>
    public abstract Waiter CreateWaiter();

    /// <summary>The addresses of a host, in the order to try them.</summary>
    /// <returns>A task that fails by <see cref="SocketException"/> or <see cref="ArgumentException"/>; it may be done already.</returns>
    public abstract Task<IPAddress[]> ResolveAsync(string host);

    /// <summary>Begins to connect; <see cref="NetworkLink.Look"/> says how far it is.</summary>
    /// <exception cref="IOException">There is no such interface.</exception>
    /// <exception cref="SocketException">It failed at once.</exception>
    public abstract NetworkLink Connect(IPAddress address, ConnectOptions options);

    /// <exception cref="IOException">With a sentence fit to print: port in use, unknown interface.</exception>
    public abstract ListeningPort Listen(ListenOptions options);
}
