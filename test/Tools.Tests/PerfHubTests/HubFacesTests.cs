using HubPerf;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Options;
using Tools.Tests.Replay;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Every kind of connection on every face of a hub: consumers, non-interactive providers, interactive sources.</summary>
public sealed class HubFacesTests : IDisposable
{
    private static readonly string[] Names = [.. Enumerable.Range(1, 20).Select(i => $"N{i}")];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("hub-faces-");

    [Theory]
    [InlineData(nameof(ConnectionKind.Encrypted), nameof(ConnectionKind.Socket), CompressionType.None)]
    [InlineData(nameof(ConnectionKind.Encrypted), nameof(ConnectionKind.WebSocket), CompressionType.None)]
    [InlineData(nameof(ConnectionKind.WebSocket), nameof(ConnectionKind.Socket), CompressionType.Zlib)]
    [InlineData(nameof(ConnectionKind.Socket), nameof(ConnectionKind.Socket), CompressionType.Lz4)]
    public void Kind_OnEveryFace_GivesImagesAndUpdatesInOrder(string kind, string inside, CompressionType compression)
    {
        ConnectionOptions how = CreateConnection(Enum.Parse<ConnectionKind>(kind), Enum.Parse<ConnectionKind>(inside), compression);
        using LoopbackProvider provider = new("ASKED", listen: (how with { IsServer = true }).ForServer("test"));
        HubPerfOptions options = new();
        using LoopbackHub hub = new(
            options with
            {
                MaxPackCount = 5,
                Connection = how with
                {
                    IsServer = true,
                    Server = options.Connection.Server with { CompressionType = compression, CompressionLevel = 5 }
                },
            },
            Address(how, provider.Port));
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        NumberConsumer[] consumers = [new(), new(), new()];
        worker.Connect(MemoryHub.CreatePublisher(new NumberPublisher(), "PUBLISHED", Names), Address(how, hub.ProviderPort));
        for (int i = 0; i < consumers.Length; i++)
            worker.Connect(MemoryHub.CreateConsumer(consumers[i], i == 0 ? "PUBLISHED" : "ASKED", Names), Address(how, hub.Port));
        using (TurnThread turns = new(worker))
        {
            LoopbackHub.Until(
                () => Array.TrueForAll(consumers, consumer => consumer.Images >= Names.Length && consumer.Updates > 1_000),
                $"{string.Join(", ", consumers.Select(consumer => $"{consumer.Images} images, {consumer.Updates} updates"))}");
            Assert.True(turns.End());
            Assert.Null(turns.Defect);
        }

        Assert.Empty(consumers.SelectMany(consumer => consumer.Faults));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped) + hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void BadClients_OnBothPorts_DisturbNobody()
    {
        using LoopbackProvider provider = new(NumberProvider.ServiceName);
        HubPerfOptions options = new();
        using LoopbackHub hub = new(
            options with
            {
                Connection =
                options.Connection with { Server = options.Connection.Server with { HandshakeTimeoutSeconds = 1 } }
            }, provider.Address);
        using Worker worker = new(new WorkerOptions(), new WorkerRecording(HubCounter.Schema));
        NumberConsumer consumer = new();
        worker.Connect(MemoryHub.CreateConsumer(consumer, NumberProvider.ServiceName, Names), Address(new ConnectionOptions(), hub.Port));
        using TurnThread turns = new(worker);
        LoopbackHub.Until(() => consumer.Updates > 100, "no updates come");
        Parallel.Invoke(() => BadClients.Try(hub.Port), () => BadClients.Try(hub.ProviderPort));

        int updates = consumer.Updates;
        LoopbackHub.Until(() => consumer.Updates > updates + 100, "no further updates come");
        Assert.True(turns.End());
        Assert.Empty(consumer.Faults);
        Assert.Equal(1, hub.Read(HubGauge.Sources));
        LoopbackHub.Until(
            () => hub.Count(Counter.HandshakesFailed) > 0 && hub.Count(Counter.HandshakesTimedOut) > 0,
            $"{hub.Count(Counter.HandshakesFailed)} handshakes failed, {hub.Count(Counter.HandshakesTimedOut)} timed out");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static ConnectOptions Address(ConnectionOptions how, int port) =>
        how.ForClient("test") with { Host = "localhost", Port = port, OutputBuffers = 100_000 };

    private ConnectionOptions CreateConnection(ConnectionKind kind, ConnectionKind inside, CompressionType compression)
    {
        ConnectionOptions how = new() { Kind = kind, InsideTls = inside };
        how = how with
        {
            Client = how.Client with { CompressionType = compression },
            Server = how.Server with { CompressionType = compression },
        };
        if (kind != ConnectionKind.Encrypted)
            return how;
        using TrialCertificates certificates = new(DateTimeOffset.UtcNow.AddHours(-1), TimeSpan.FromDays(1), TrialKeyKind.Ecdsa);
        (string authority, string certificate, string key) = certificates.WriteFiles(_folder.FullName, ["localhost"]);
        return how with { Tls = new TlsOptions { AuthorityFile = authority, CertificateFile = certificate, KeyFile = key } };
    }
}
