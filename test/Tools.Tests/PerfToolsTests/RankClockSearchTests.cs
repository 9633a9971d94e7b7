using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Tests;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Scenarios;
using Tools.Tests.Runs;
using Xunit;
using RunFolder = PerfTools.Results.Documents.RunFolder;

namespace Tools.Tests.PerfToolsTests;

/// <summary>
/// Three ranks of <c>direct</c> in this process: the provider's on another clock, the consumer's, and rank 0 with neither, which passes probes on. The
/// address that the provider's rank publishes for its clock is one that answers, or not.
/// </summary>
public sealed class RankClockSearchTests : IDisposable
{
    private const string Place = "clock-of-provider", Via = Place + "-via-0";
    private const long Ahead = 5_000 * Clock.NanosPerSecond;
    private static readonly IPEndPoint Free = new(IPAddress.Loopback, 0);

    private readonly TestFolder _folder = new();
    private readonly List<string> _shown = [];
    private readonly List<IDisposable> _open = [];

    [Fact]
    public void TryFindPeers_ClockThatAnswers_IsProbedDirectly()
    {
        (Rendezvous provider, ScenarioRanks consumer) = Meet();
        IPEndPoint clock = Answer(consumer);
        Publish(provider, clock);
        using RoleGroup group = new(RunLimits.For(1), StopRequest.None);
        Assert.True(consumer.TryFindPeers(Consumer, group, []));
        Assert.Equal((new FoundClock(new("127.0.0.1", clock.Port)), 0), (consumer.PeerClock, _shown.Count));
        Assert.DoesNotContain("-clockVia", CreateArguments(consumer));
    }

    /// <summary>The relay has learned the address of the clock; then the published one is replaced by one that refuses.</summary>
    [Fact]
    public void TryFindPeers_ClockThatRefuses_IsProbedViaRankZero()
    {
        (Rendezvous provider, ScenarioRanks consumer) = Meet();
        Publish(provider, Answer(consumer));
        RolePlace relay = provider.FindPlace(Via)!;
        byte[] key = ClockKey.Load(consumer.KeyFile);
        IPEndPoint through = new(IPAddress.Parse(relay.Host), relay.Port);
        using (ClockProber first = ClockProber.Open(through, key, Now))
            Assert.False(first.IsOneClock);
        using Socket refusing = FreePorts.Refuse(out int port);
        Publish(provider, new(IPAddress.Loopback, port));

        using RoleGroup group = new(RunLimits.For(1), StopRequest.None);
        Assert.True(consumer.TryFindPeers(Consumer, group, []));
        Assert.Equal(new FoundClock(new("127.0.0.1", relay.Port), "rank 0"), consumer.PeerClock);
        string[] shown = [$"The clock of the provider on rank 1 does not answer at 127.0.0.1:{port}: it is probed via rank 0 at 127.0.0.1:{relay.Port}."];
        Assert.Equal(shown, _shown);
        string[] arguments = CreateArguments(consumer);
        string[] expected = ["-clock", $"127.0.0.1:{relay.Port}", "-clockKey", consumer.KeyFile, "-clockVia", "rank 0"];
        Assert.Equal(expected, arguments.SkipWhile(word => word != "-clock").Take(expected.Length));
        using ClockProber prober = ClockProber.Open(through, key, Now);
        Assert.True(SpinWait.SpinUntil(() => prober.TryExchange(out ClockExchange one) && one.LowerNanos <= Ahead && one.UpperNanos >= Ahead,
            TimeSpan.FromSeconds(60)));

        Assert.True(consumer.TryFindPeers(Consumer, group, [])); // of a second consumer here: what was found counts
        Assert.Equal(("rank 0", 1), (consumer.PeerClock!.Via, _shown.Count));
    }

    [Fact]
    public void TryFindPeers_NeitherAnswers_EndsWithBothNamed()
    {
        (Rendezvous provider, ScenarioRanks consumer) = Meet();
        using Socket refusing = FreePorts.Refuse(out int port);
        Publish(provider, new(IPAddress.Loopback, port));
        using RoleGroup group = new(RunLimits.For(1), StopRequest.None);
        Assert.False(consumer.TryFindPeers(Consumer, group, []));
        string problem = $"the clock of the provider on rank 1 answers neither at 127.0.0.1:{port} nor via rank 0 at 127.0.0.1:{provider.FindPlace(Via)!.Port}";
        Assert.Equal((ExitCode.NotStarted, problem), (group.Failure!.Code, group.Failure.Reason));
        Assert.Null(consumer.PeerClock);
        Assert.Empty(_shown);
    }

    /// <summary>The ranks of hub and consumer as programs; the clock of the third, with the provider, refuses all.</summary>
    [Fact]
    public async Task Run_NeitherAnswers_EndsEveryRankWithFour()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        Rendezvous provider = Join(1);
        using RankWatch alive = new(provider, new RankOptions());
        provider.PublishTools([]);
        provider.PublishClock("another");
        using Socket refusing = FreePorts.Refuse(out int port);
        Publish(provider, new(IPAddress.Loopback, port));
        provider.PublishDone();
        using RunningTool hub = Start(0), consumer = Start(2);
        string reason = $"the clock of the provider on rank 1 answers neither at 127.0.0.1:{port} nor via rank 0 at 127.0.0.1:";
        consumer.ExpectExit(4, $"run hub-direct: rank 2: {reason}");
        hub.ExpectExit(4, $"run hub-direct: ended by rank 2: {reason}");
    }

    /// <summary>The clock's port accepts and is silent: the check takes seconds, and ends when the run is to end.</summary>
    [Fact]
    public void TryFindPeers_RequestToEndMeanwhile_EndsTheCheck()
    {
        (Rendezvous provider, ScenarioRanks consumer) = Meet();
        using Socket silent = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(Free);
        using TcpListener accepting = new(IPAddress.Loopback, ((IPEndPoint)silent.LocalEndPoint!).Port);
        accepting.Start();
        Publish(provider, (IPEndPoint)accepting.LocalEndpoint);
        using CancellationTokenSource end = new();
        end.Cancel();
        using RoleGroup group = new(RunLimits.For(1), new StopRequest(() => ExitCode.Terminated, end.Token));
        Assert.False(consumer.TryFindPeers(Consumer, group, []));
        Assert.Equal((ExitCode.Terminated, "ended by SIGTERM"), (group.Failure!.Code, group.Failure.Reason));
    }

    /// <summary>Probes of rank 0 itself need no relay.</summary>
    [Theory]
    [InlineData("provider=1,consumer=2", true)]
    [InlineData("provider=1,consumer=0", false)]
    [InlineData("provider=0,consumer=1", false)]
    public void Meet_RankZero_PassesProbesOnForOthersOnly(string place, bool relays)
    {
        (Rendezvous provider, _) = Meet(place);
        Assert.Equal(relays, provider.FindPlace(Via) is not null);
    }

    public void Dispose()
    {
        _open.ForEach(one => one.Dispose());
        _folder.Dispose();
    }

    private static Role Consumer => Direct.Roles[1];

    private static Scenario Direct => ScenarioList.All.Single(scenario => scenario.Name == "direct");

    private static long Now() => Clock.NowNanos;

    private static void Publish(Rendezvous provider, IPEndPoint clock)
    {
        provider.PublishPlace("provider", new RolePlace("127.0.0.1", 4_711));
        provider.PublishPlace(Place, new RolePlace("127.0.0.1", clock.Port));
    }

    private static string[] CreateArguments(ScenarioRanks consumer)
    {
        Dictionary<string, HostAddress> addresses = new() { ["provider"] = new("127.0.0.1", 4_711) };
        RunFolder folder = RunFolder.Open(Path.GetDirectoryName(Path.GetDirectoryName(consumer.KeyFile))!, "", DateTime.UtcNow, []);
        return [.. Consumer.CreateArguments(new RoleContext(new(), folder, addresses, 10) { Ranks = consumer })];
    }

    // The clock of the provider's rank.
    private IPEndPoint Answer(ScenarioRanks consumer)
    {
        ClockAnswerer answerer = ClockAnswerer.Listen(Free, ClockKey.Load(consumer.KeyFile), () => Clock.NowNanos + Ahead);
        _open.Add(answerer);
        return answerer.Local;
    }

    // Begins the run of ranks 0 and 2, and of rank 1, whose clock is another.
    private (Rendezvous Provider, ScenarioRanks Consumer) Meet(string place = "provider=1,consumer=2")
    {
        Rendezvous provider = Join(1);
        provider.PublishTools([]);
        provider.PublishClock("another");
        ScenarioRanks first = Create(0, place), consumer = Create(2, place);
        TestThread beginning = new(() => first.Meet(StopRequest.None, () => { }, _ => { }), "rank 0");
        beginning.Start();
        consumer.Meet(StopRequest.None, () => { }, _shown.Add);
        beginning.Join();
        Assert.Equal((null, null), (first.Failure, consumer.Failure));
        return (provider, consumer);
    }

    private RunningTool Start(int rank) => PerfToolsRuns.Start(
        $"run hub-direct --items 500 --rate 5000 --latency-rate 500 --seconds 6 --place provider=1,hub=0,consumer=2 --rank {rank}/3 --run-id a "
            + "--address 127.0.0.1 --meet-timeout 120 --out run", _folder.FullPath);

    private Rendezvous Join(int rank) => Rendezvous.Join(
        RunFolder.Open(_folder.PathOf("run"), "", DateTime.UtcNow, []).FullPath, "a", ThisRank.Describe(rank, 3, [$"role-{rank}"], "127.0.0.1"));

    private ScenarioRanks Create(int rank, string place)
    {
        RankPlacement placed = RankPlacement.TryParse(place, [.. Direct.Roles.Select(role => role.Name)])!;
        RankOptions options = new() { Place = placed, Address = "127.0.0.1", MeetSeconds = 60 };
        ScenarioRanks ranks = new(RepeatedRoles.Of(Direct, placed), new ScenarioOptions { Ranks = options }, Join(rank));
        _open.Add(ranks);
        return ranks;
    }
}
