using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Simulation;

/// <summary>Settings of both sides of a simulated run, drawn from its seed.</summary>
internal sealed record ConversationSettings
{
    private const int MinPackBytes = 200;
    private const int MaxPackBytes = 60_000; // a client's maximum over JSON is lower than over anything else
    private const int EncryptedOneOf = 20; // a handshake costs as much as a run

    private static readonly CompressionType[] Compressions = [CompressionType.None, CompressionType.None, CompressionType.None,
        CompressionType.Zlib, CompressionType.Lz4, CompressionType.Lz4];
    private static readonly int[] CompressionLevels = [0, 1, 1, 1, 1, 6];
    private static readonly int[] FragmentSizes = [1_000, 3_000, 6_144, 6_144, ushort.MaxValue];

    public required int Seed { get; init; }

    public required ListenOptions Listen { get; init; }

    public required ConnectOptions Connect { get; init; }

    public required WorkerOptions Worker { get; init; }

    public required int Clients { get; init; }

    public required int Items { get; init; }

    /// <summary>Updates, posts or opaque messages a second.</summary>
    public required int Rate { get; init; }

    /// <summary>Maximum messages of a pack; 1 for none.</summary>
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
        string? webSocket = WebSocketOf(protocol, random);
        bool encrypts = random.Next(EncryptedOneOf) == 0 && SimulatedCertificate.IsPossible;
        ListenOptions listen = new()
        {
            Port = 0,
            ProtocolType = protocol,
            CompressionType = compression,
            CompressionLevel = CompressionLevels[random.Next(CompressionLevels.Length)],
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
            Tls = encrypts ? SimulatedCertificate.Server : null,
            WebSocketProtocols = "tr_json2, rssl.rwf",
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
                WebSocketProtocols = webSocket,
                Tls = encrypts ? SimulatedCertificate.Client : null,
            },
            Worker = new WorkerOptions { TickRate = new[] { 10, 100, 1_000 }[random.Next(3)] },
            Clients = clients,
            Items = random.Next(1, 40),
            Rate = random.Next(20, 1_000),
            PackCount = random.Next(3) == 0 ? random.Next(2, 20) : 1,
            PackBytes = random.Next(MinPackBytes, Math.Min(fragmentBytes, MaxPackBytes)),
            Downloads = random.Next(4) == 0,
            Primes = random.Next(4) == 0,
            MeasuresRoundTrips = random.Next(2) == 0,
        };
    }

    // JSON for messages whose content the transport does not interpret.
    private static string? WebSocketOf(byte protocol, Random random) => random.Next(6) switch
    {
        0 => "rssl.rwf",
        1 or 2 when protocol != RsslProtocol.Rwf => "tr_json2",
        1 => "rssl.rwf",
        _ => null,
    };
}
