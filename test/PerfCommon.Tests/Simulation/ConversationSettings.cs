using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Simulation;

/// <summary>What both sides of a simulated run are told to do, drawn from its seed.</summary>
internal sealed record ConversationSettings
{
    private const int MinPackBytes = 200;

    private static readonly CompressionType[] Compressions = [CompressionType.None, CompressionType.None, CompressionType.Zlib, CompressionType.Lz4];
    private static readonly int[] FragmentSizes = [1_000, 3_000, 6_144, 6_144, ushort.MaxValue];

    public required int Seed { get; init; }

    public required ListenOptions Listen { get; init; }

    public required ConnectOptions Connect { get; init; }

    public required WorkerOptions Worker { get; init; }

    public required int Clients { get; init; }

    public required int Items { get; init; }

    /// <summary>Updates, posts or opaque messages a second.</summary>
    public required int Rate { get; init; }

    /// <summary>Most messages of a pack; 1 for none.</summary>
    public required int PackCount { get; init; }

    public required int PackBytes { get; init; }

    public required bool Downloads { get; init; }

    public required bool Primes { get; init; }

    public required bool MeasuresRoundTrips { get; init; }

    public static ConversationSettings Draw(int seed, byte protocol, Random random)
    {
        CompressionType compression = Compressions[random.Next(Compressions.Length)];
        int fragmentBytes = FragmentSizes[random.Next(FragmentSizes.Length)];
        int pingSeconds = new[] { 1, 3, 10, 60 }[random.Next(4)];
        int handshakeSeconds = new[] { 1, 3, 10 }[random.Next(3)];
        int clients = random.Next(1, 4);
        ListenOptions listen = new()
        {
            Port = 0,
            ProtocolType = protocol,
            CompressionType = compression,
            ForceCompression = random.Next(4) == 0,
            MaxFragmentSize = fragmentBytes,
            PingTimeoutSeconds = pingSeconds,
            MinPingTimeoutSeconds = 1,
            HandshakeTimeoutSeconds = handshakeSeconds,
            MaxConnections = random.Next(8) == 0 ? 1 : 100,
            MaxHandshakes = random.Next(8) == 0 ? 1 : 256,
            OutputBuffers = random.Next(20, 200),
            HighWaterMark = random.Next(3) * 500,
            DirectWrite = random.Next(6) == 0,
        };
        return new ConversationSettings
        {
            Seed = seed,
            Listen = listen,
            Connect = new ConnectOptions
            {
                Host = MemoryNetwork.Host,
                Port = 0,
                ProtocolType = protocol,
                CompressionType = compression,
                PingTimeoutSeconds = pingSeconds,
                HandshakeTimeoutSeconds = handshakeSeconds,
                HighestVersion = random.Next(protocol == RsslProtocol.Rwf ? 11 : 12, 15),
                OutputBuffers = listen.OutputBuffers,
                HighWaterMark = listen.HighWaterMark,
                WebSocketProtocols = protocol == RsslProtocol.Rwf && random.Next(3) == 0 ? "rssl.rwf" : null,
            },
            Worker = new WorkerOptions { TickRate = new[] { 10, 100, 1_000 }[random.Next(3)] },
            Clients = clients,
            Items = random.Next(1, 40),
            Rate = random.Next(20, 1_000),
            PackCount = random.Next(3) == 0 ? random.Next(2, 20) : 1,
            PackBytes = random.Next(MinPackBytes, fragmentBytes),
            Downloads = random.Next(4) == 0,
            Primes = random.Next(4) == 0,
            MeasuresRoundTrips = random.Next(2) == 0,
        };
    }
}
