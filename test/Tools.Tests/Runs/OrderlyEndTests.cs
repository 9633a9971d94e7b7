using System.Globalization;
using System.Net;
using LatencyPerf.Links;
using PerfCommon.Transport.Tls;
using Tools.Tests.LatencyTests;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>How every tool ends its connections, as a peer logs it: by the end of its stream, never by a reset.</summary>
public class OrderlyEndTests
{
    private const string Items = "-itemCount 1000 -writeStatsInterval 1";
    private const string Tls = "-connType encrypted";
    private const string WebSocket = "-connType websocket";
    private const string Both = "-connType encrypted -encryptedConnectionType websocket";

    private const string ProviderLine = "Listening for providers on port ";

    public enum First
    {
        ConsumerByTime,
        ConsumerBySignal,
        ProviderByTime,
        ProviderBySignal,
    }

    public static TheoryData<string, First> Ends()
    {
        TheoryData<string, First> data = [];
        foreach (string kind in (string[])["", Tls, WebSocket, Both])
        {
            foreach (First first in Enum.GetValues<First>())
                data.Add(kind, first);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Ends))]
    public void ConsumerAndProvider_WhoeverEndsFirst_NobodyIsReset(string kind, First first)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind);
        string runTime = first == First.ProviderByTime ? "12" : "300";
        RunningTool provider = folder.StartProvider($"-updateRate 50000 -runTime {runTime} {kind} {own}");
        using StreamEnds ends = new(provider.Port);
        RunningTool consumer = folder.Start("ConsPerf", $"-p {ends.Port} {SteadyTime(first == First.ConsumerByTime)} {Items} {kind} {trust}");
        if (first is First.ConsumerBySignal or First.ProviderBySignal)
            consumer.WaitForSteadyState();
        (first switch { First.ConsumerBySignal => consumer, First.ProviderBySignal => provider, _ => null })?.Signal(RunningTool.Terminate);
        (first <= First.ConsumerBySignal ? consumer : provider).WaitForExit();
        ExpectOrderly(ends, 1);
    }

    [Theory]
    [InlineData("")]
    [InlineData(Tls)]
    [InlineData(WebSocket)]
    public void Hub_ItsPeersAndItself_NobodyIsReset(string kind)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind);
        RunningTool provider = folder.StartProvider("-updateRate 20000 -runTime 300");
        using StreamEnds source = new(provider.Port);
        RunningTool hub = folder.Start("HubPerf", $"-p 0 -niPort 0 -upstream localhost:{source.Port} {kind} {own}");
        using StreamEnds face = new(hub.Port);
        RunningTool first = folder.Start("ConsPerf", $"-p {face.Port} {SteadyTime(isShort: true)} {Items} {kind} {trust}");
        RunningTool second = folder.Start("ConsPerf",
            $"-p {face.Port} {SteadyTime(isShort: false)} -summaryFile second.out -statsFile second {Items} {kind} {trust}");
        first.ExpectExit(0);
        second.WaitForSteadyState();
        RunFolder.End(hub);
        second.WaitForExit();
        ExpectOrderly(face, 2);
        ExpectOrderly(source, 1);
    }

    [Theory]
    [InlineData("", 3)]
    [InlineData(Tls, 300)]
    [InlineData(WebSocket, 3)]
    public void Publisher_EndsByTimeOrSignal_NobodyIsReset(string kind, int runTime)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind);
        RunningTool hub = folder.Start("HubPerf", $"-p 0 -niPort 0 {kind} {own}");
        using StreamEnds ends = new(int.Parse(hub.WaitForLine(ProviderLine).Split(' ')[^1], CultureInfo.InvariantCulture));
        RunningTool publisher = folder.Start("NIProvPerf", $"-p {ends.Port} -updateRate 20000 -runTime {runTime} {Items} {kind} {trust}");
        if (runTime == 300)
        {
            publisher.WaitForLine(" images (total: 1000)");
            publisher.Signal(RunningTool.Terminate);
        }

        publisher.WaitForExit();
        ExpectOrderly(ends, 1);
    }

    [Theory]
    [InlineData("")]
    [InlineData(Tls)]
    [InlineData("-websocket tr_json2")]
    public void TransportPerf_EitherSideEnds_NobodyIsReset(string kind)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind);
        RunningTool server = folder.Start("TransportPerf", $"-p 0 -runTime 300 -msgRate 20000 -summaryFile s.out -statsFile s {kind} {own}");
        using StreamEnds ends = new(server.Port);
        const string client = "-appType client -msgRate 20000 -writeStatsInterval 1";
        folder.Start("TransportPerf", $"-p {ends.Port} {client} -runTime 2 -summaryFile a.out -statsFile a {kind} {trust}").WaitForExit();
        ExpectOrderly(ends, 1);
    }

    [Theory]
    [InlineData("")]
    [InlineData(Tls)]
    [InlineData(WebSocket)]
    public void UsersPerf_ItsTimeIsOver_NobodyIsReset(string kind)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind);
        RunningTool provider = folder.StartProvider("-updateRate 20000 -runTime 300");
        RunningTool hub = folder.Start("HubPerf", $"-p 0 -niPort 0 -upstream localhost:{provider.Port} {kind} {own}");
        using StreamEnds ends = new(hub.Port);
        RunningTool users = folder.Start("UsersPerf",
            $"-p {ends.Port} -steps 20 -subjects 100 -subscriptions 10 -warmup 0 -settle 0 -period 2 -serviceName DIRECT_FEED {kind} {trust}");
        users.WaitForExit();
        ExpectOrderly(ends, 20);
    }

    [Theory]
    [InlineData("-transport 32", "")]
    [InlineData("-transport 16", "")]
    [InlineData("-transport 16", Tls)]
    public void LatencyPerf_TestIsOver_NobodyIsReset(string transport, string kind)
    {
        using RunFolder folder = new();
        (string trust, string own) = Certificates(folder, kind, "127.0.0.2");
        int domain = RoundtripRuns.NextDomain;
        int port = new TestPorts(TestPorts.UsualBase, domain).Stream;
        using StreamEnds ends = new(port, IPAddress.Parse("127.0.0.2"), port);
        string all = $"-domainId {domain} {transport} {kind}";
        RoundtripRuns runs = RoundtripRuns.Run(
            $"{all} {own} -nic 127.0.0.1 -peer 127.0.0.1 -numIter 60 -maxSize 64", $"{all} {trust} -nic 127.0.0.1 -peer 127.0.0.2");
        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        ExpectOrderly(ends, 1);
    }

    // The short time ends with the last image, while updates go on; there is no limit for reaching it.
    private static string SteadyTime(bool isShort) => $"-steadyStateTime {(isShort ? 0 : 300)}";

    private static void ExpectOrderly(StreamEnds ends, int connections)
    {
        IReadOnlyList<(string Who, string End)> seen = ends.Wait();
        Assert.All(seen, one => Assert.Equal(StreamEnds.Orderly, one.End));
        Assert.Equal(2 * connections, seen.Count);
    }

    private static (string Trust, string Own) Certificates(RunFolder folder, string kind, string host = "localhost")
    {
        if (!kind.Contains("encrypted", StringComparison.Ordinal))
            return ("", "");
        using TrialCertificates certificates = new(DateTimeOffset.UtcNow.AddHours(-1), TimeSpan.FromDays(1), TrialKeyKind.Ecdsa);
        (string authority, string certificate, string key) = certificates.WriteFiles(folder.Path, [host]);
        return ($"-castore {authority}", $"-cert {certificate} -keyfile {key}");
    }
}
