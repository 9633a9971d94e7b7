using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>A network within one thread: one host that answers, and a clock of the caller's choice. No call waits.</summary>
/// <param name="time">The system's clock, or a separate one.</param>
internal class MemoryNetwork(TimeSource time) : Network
{
    /// <summary>The name of the host; connection attempts to other addresses are never answered.</summary>
    public const string Host = "memory";

    private readonly Dictionary<int, MemoryPort> _ports = [];

    public override TimeSource Time => time;

    /// <summary>The addresses of the known hosts.</summary>
    public Dictionary<string, IPAddress[]> Names { get; } = new() { [Host] = [IPAddress.Loopback] };

    public override Waiter CreateWaiter() => new MemoryWaiter();

    public override Task<IPAddress[]> ResolveAsync(string host) => Names.TryGetValue(host, out IPAddress[]? addresses)
        ? Task.FromResult(addresses)
        : Task.FromException<IPAddress[]>(new SocketException((int)SocketError.HostNotFound));

    public override NetworkLink Connect(IPAddress address, ConnectOptions options)
    {
        if (!address.Equals(IPAddress.Loopback))
            return new MemoryLink(CreatePipes().Client, answers: false);
        if (!_ports.TryGetValue(options.NextHop.Port, out MemoryPort? port))
            throw new SocketException((int)SocketError.ConnectionRefused);
        (MemoryPipe client, MemoryPipe server) = CreatePipes();
        port.Arrived.Enqueue(new MemoryLink(server));
        return new MemoryLink(client);
    }

    public override ListeningPort Listen(ListenOptions options)
    {
        int number = options.Port == 0 ? _ports.Count + 1 : options.Port;
        return _ports[number] = new MemoryPort(number, () => _ports.Remove(number));
    }

    /// <summary>Creates both ends of a connection.</summary>
    protected virtual (MemoryPipe Client, MemoryPipe Server) CreatePipes() => MemoryPipe.CreatePair();
}
