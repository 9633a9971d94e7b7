using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Simulation;

/// <summary>A network in memory with faults: every fault is determined by the given random numbers, and is counted.</summary>
internal sealed class SeededNetwork(NetworkWeather weather, Random random) : MemoryNetwork(TimeSource.StartAt(Clock.NanosPerSecond))
{
    private const long MaxConnectNanos = 3 * Clock.NanosPerSecond;

    private readonly List<(SeededPipe Client, SeededPipe Server)> _connections = [];

    public NetworkWeather Weather => weather;

    public Random Random => random;

    public FaultCounts Faults { get; } = new();

    /// <summary>Bytes accepted at either end.</summary>
    public long BytesTaken { get; set; }

    /// <summary>Number of ends that are not closed.</summary>
    public int OpenEnds => _connections.Sum(connection => (connection.Client.IsDisposed ? 0 : 1) + (connection.Server.IsDisposed ? 0 : 1));

    public override Waiter CreateWaiter() => new SeededWaiter(this);

    public override Task<IPAddress[]> ResolveAsync(string host)
    {
        if (!Happens(weather.ConnectTroubleShare / 4))
            return base.ResolveAsync(host);
        Faults.Add(Fault.NameUnknown);
        return base.ResolveAsync("nowhere");
    }

    public override NetworkLink Connect(IPAddress address, ConnectOptions options)
    {
        if (!Happens(weather.ConnectTroubleShare))
            return base.Connect(address, options);
        switch (random.Next(3))
        {
            case 0:
                Faults.Add(Fault.ConnectRefused);
                throw new SocketException((int)SocketError.ConnectionRefused);
            case 1:
                Faults.Add(Fault.ConnectUnanswered);
                NetworkLink unanswered = base.Connect(IPAddress.None, options);
                _connections[^1].Server.Dispose();
                return unanswered;
            default:
                Faults.Add(Fault.ConnectLate);
                NetworkLink link = base.Connect(address, options);
                _connections[^1].Client.ConnectedNanos = Time.NowNanos + random.NextInt64(MaxConnectNanos);
                return link;
        }
    }

    /// <summary>True with the given probability in percent.</summary>
    public bool Happens(int share) => share > 0 && random.Next(100) < share;

    /// <summary>Resets or silences a connection now and then.</summary>
    public void Disturb()
    {
        int lot = random.Next(10_000) - weather.ResetsInTenThousand;
        if (_connections.Count == 0 || lot >= weather.SilencesInTenThousand)
            return;
        (SeededPipe client, SeededPipe server) = _connections[random.Next(_connections.Count)];
        if (client.IsOver || server.IsOver)
            return;
        if (lot >= 0)
            Silence(client, server);
        else
            Reset(client, server);
    }

    private void Silence(SeededPipe client, SeededPipe server)
    {
        Faults.Add(Fault.Silence);
        client.Lose();
        server.Lose();
    }

    private void Reset(SeededPipe client, SeededPipe server)
    {
        bool isOfOneEnd = Happens(30);
        Faults.Add(isOfOneEnd ? Fault.ResetOfOneEnd : Fault.Reset);
        if (isOfOneEnd)
        {
            client.Lose();
            server.Lose();
        }

        if (!isOfOneEnd || random.Next(2) == 0)
            client.Break();
        if (!isOfOneEnd || !client.IsBroken)
            server.Break();
    }

    protected override (MemoryPipe Client, MemoryPipe Server) CreatePipes()
    {
        (SeededPipe client, SeededPipe server) = SeededPipe.CreatePair(this, _connections.Count + 1);
        _connections.Add((client, server));
        return (client, server);
    }
}
