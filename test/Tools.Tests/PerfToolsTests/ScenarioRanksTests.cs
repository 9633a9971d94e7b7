using PerfTools.Editions;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>What ranks of a scenario are refused, and the clocks by which their latencies are corrected.</summary>
public sealed class ScenarioRanksTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly List<string> _shown = [];

    [Theory]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --place provider=0", "--place: no rank has the consumer")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --place provider=0-1,consumer=1",
        "--place: 2 processes of provider need 2 of consumer or more, not 1")]
    [InlineData("run hub-direct --rank 0/2 --run-id a --out OUT --place provider=0,hub=0x2,consumer=1x3",
        "--place: rank 0 has several processes of hub; only the provider and the consumer of this scenario may have several")]
    [InlineData("run users-low --rank 0/2 --run-id a --out OUT --place hub=0,source=1,users=1x3",
        "--place: rank 1 has several processes of users; --users-processes sets how many a rank has")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --place provider=0,hub=1",
        "--place: 'provider=0,hub=1' is not a list such as provider=0,consumer=1")]
    [InlineData("run direct --rank 2/2 --run-id a --out OUT", "--rank: '2/2' is not auto, or a rank from 0 and their number such as 2/6")]
    [InlineData("run direct --rank 0/2 --out OUT", "--rank: --run-id must say what all ranks call the run")]
    [InlineData("run direct --rank 0/2 --run-id a", "--rank needs --out, a folder that all ranks share")]
    [InlineData("run direct --place provider=0,consumer=0", "--place, --run-id and --address need --rank")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --repeat 2 --place provider=0", "--place: no rank has the consumer")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --tool hub=x", "--tool: hub: unknown role; -help lists them")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --external consumer", "--external consumer cannot be combined with --rank: give consumer a rank")]
    [InlineData("run direct --meet 127.0.0.1:1", "--meet needs --rank")]
    [InlineData("run direct --clock-stamps kernel", "--clock-stamps kernel needs --rank, or --clock of direct")]
    [InlineData("run direct --clock-rate 100", "--clock-rate needs --rank, or --clock of direct")]
    [InlineData("run direct --clock host:1 --clock-key key --clock-rate 19", "--clock-rate must be 20 to 1000")]
    [InlineData("run direct --meet-token x", "--meet-token needs --meet")]
    [InlineData("run direct --rank 0/2 --run-id a --meet 127.0.0.1:1 --meet-token long-enough", "--rank needs --out, a folder for the results of this rank")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --meet 127.0.0.1 --meet-token long-enough", "--meet: '127.0.0.1' is not host:port")]
    [InlineData("run direct --rank 0/2 --run-id a --out OUT --meet 127.0.0.1:1 --meet-token short",
        "--meet: --meet-token or PERFTOOLS_MEET_TOKEN must have 8 to 200 characters")]
    [InlineData("run direct --rank 0/257 --run-id a --out OUT --meet 127.0.0.1:1 --meet-token long-enough", "--meet: 257 ranks, at most 256")]
    [InlineData("run roundtrip --rank 0/2 --run-id a --out OUT --transport udp,shm", "--rank: shared memory is of one machine; give another --transport")]
    [InlineData("run roundtrip --rank 0/2 --run-id a --out OUT --place publisher=0,subscriber1=1x2",
        "--place: rank 1 has several processes of subscriber1; each role of this scenario has one")]
    [InlineData("run roundtrip --rank 0/2 --run-id a --out OUT --place publisher=0,subscriber2=1", "--place: no rank has the subscriber1")]
    [InlineData("run users-low --rank 0/2 --run-id a --out OUT --meet 127.0.0.1:1 --meet-token short",
        "--meet: --meet-token or PERFTOOLS_MEET_TOKEN must have 8 to 200 characters")]
    [InlineData("run users-low --rank 0/2 --run-id a --meet 127.0.0.1:1 --meet-token long-enough",
        "--rank needs --out, a folder for the results of this rank")]
    [InlineData("run summary --rank auto --run-id a --out OUT",
        "--rank auto: no launcher has said which rank this is (PERFTOOLS_RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID, JOB_COMPLETION_INDEX); "
            + "give --rank i/n")]
    [InlineData("search direct --until p99<1ms --rank 0/2 --run-id a --out OUT", "--rank: a search takes one machine; run, duel and matrix take several")]
    public async Task Run_WrongRanks_AreRefused(string line, string problem)
    {
        (int code, _, string error) = await PerfToolsRuns.Run(line.Replace("OUT", _folder.PathOf("run"), StringComparison.Ordinal).Split(' '));
        Assert.Equal((2, $"perftools: {problem}\n"), (code, error));
    }

    [Theory]
    [InlineData("ours", true)]
    [InlineData("c", false)]
    public void Meet_TransportOverTwoClocks_IsCorrectedByAProgramOfOurs(string edition, bool corrects)
    {
        Rendezvous other = Join("run", 1);
        Announce(other, "another", ("client", edition));
        using ScenarioRanks ranks = CreateRanks("transport", 0);
        ScenarioOptions options = ranks.Meet(StopRequest.None, () => { }, _shown.Add);
        Assert.Null(ranks.Failure);
        Assert.Equal(corrects ? 1_000 : 0, options.EffectiveLatencyRate.PerSecond);
        const string Without = "No latency is measured: the server on rank 0 and the client on rank 1 have different clocks, and its program corrects none.";
        Assert.Equal(corrects ? [] : [Without], _shown);
        Assert.Equal((corrects, corrects), (File.Exists(ranks.KeyFile), other.FindPlace("clock-of-server") is not null));
        Assert.False(ranks.IsOnThisMachine("client"));
    }

    /// <summary>What a server sends back has the stamps of its client.</summary>
    [Fact]
    public void Meet_ReflectOverTwoClocks_CorrectsNothing()
    {
        Rendezvous other = Join("run", 1);
        Announce(other, "another");
        using ScenarioRanks ranks = CreateRanks("reflect", 0);
        Assert.Equal(1_000, ranks.Meet(StopRequest.None, () => { }, _shown.Add).EffectiveLatencyRate.PerSecond);
        Assert.Empty(_shown);
        Assert.False(File.Exists(ranks.KeyFile));
    }

    /// <summary>A consumer of a hub receives the messages of all publishers, and corrects by one clock.</summary>
    [Theory]
    [InlineData("here", "another", "No latency is measured: publisher-1 on rank 0 and publisher-2 on rank 1 have different clocks, "
        + "and the consumer receives the messages of both.")]
    [InlineData("another", "another", "")]
    public void Meet_PublishersOnSeveralRanks_AreCorrectedByOneClock(string first, string second, string shown)
    {
        Rendezvous zero = Join("run", 0, 3);
        Announce(zero, first == "here" ? PerfTools.Hosting.Clocks.ClockIncarnation.Identify("a") : first);
        Announce(Join("run", 1, 3), second);
        using ScenarioRanks ranks = CreateRanks("ni-hub", 2, place: "hub=2,publisher=0-1,consumer=2", count: 3);
        zero.PublishStart(new(DateTime.UtcNow));
        ScenarioOptions options = ranks.Meet(StopRequest.None, () => { }, _shown.Add);
        Assert.Null(ranks.Failure);
        Assert.Equal(shown, string.Join(' ', _shown));
        Assert.Equal(shown.Length == 0, options.EffectiveLatencyRate.PerSecond > 0);
    }

    [Fact]
    public void Meet_OneClock_LeavesTheOptions()
    {
        Rendezvous other = Join("run", 1);
        Announce(other, PerfTools.Hosting.Clocks.ClockIncarnation.Identify("a"));
        using ScenarioRanks ranks = CreateRanks("transport", 0);
        Assert.Equal(1_000, ranks.Meet(StopRequest.None, () => { }, _shown.Add).EffectiveLatencyRate.PerSecond);
        Assert.Empty(_shown);
        Assert.True(ranks.IsOnThisMachine("client"));
        Assert.False(File.Exists(ranks.KeyFile));
    }

    [Fact]
    public void Meet_ProviderOnAnotherClock_AnswersWithAKeyOfItsUser()
    {
        Rendezvous other = Join("run", 1);
        Announce(other, "another");
        using (ScenarioRanks ranks = CreateRanks("direct", 0))
        {
            ranks.Meet(StopRequest.None, () => { }, _shown.Add);
            Assert.Equal(("127.0.0.1", true), (other.FindPlace("clock-of-provider")!.Host, other.FindPlace("clock-of-provider")!.Port > 0));
            Assert.Null(other.FindPlace("clock-of-provider-via-0")); // it is that of rank 0
            if (!OperatingSystem.IsWindows())
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(ranks.KeyFile));
        }

        Assert.False(File.Exists(Path.Combine(other.Folder, "clock.key")));
    }

    [Theory]
    [InlineData(false, 50, "")]
    [InlineData(true, 51, "-clockStamps kernel -clockRate 51 ")]
    public void CreateArguments_ConsumerOnAnotherClock_CorrectsAndStampsNoGenericMessages(bool byKernel, int rate, string stamps)
    {
        Rendezvous other = Join("run", 0);
        Announce(other, "another");
        other.PublishStart(new(DateTime.UtcNow));
        other.PublishPlace("provider", new RolePlace("127.0.0.1", 4_711));
        other.PublishPlace("clock-of-provider", new RolePlace("127.0.0.1", 4_712));
        ScenarioOptions options = new() { Generic = 1_000, Ranks = new() { ClockStamps = byKernel ? ClockStamps.Kernel : ClockStamps.User, ClockRate = rate } };
        using ScenarioRanks ranks = CreateRanks("direct", 1, options);
        ranks.Meet(StopRequest.None, () => { }, _shown.Add);
        Role consumer = Find("direct").Roles[1];
        Dictionary<string, HostAddress> addresses = [];
        using RoleGroup group = new(RunLimits.For(1), StopRequest.None);
        Assert.True(ranks.TryFindPeers(consumer, group, addresses));
        string arguments = string.Join(' ', consumer.CreateArguments(new RoleContext(options, Open("run"), addresses, 10) { Ranks = ranks }));
        Assert.Contains("-h 127.0.0.1 -p 4711 ", arguments, StringComparison.Ordinal);
        Assert.Contains($"-clock 127.0.0.1:4712 -clockKey {ranks.KeyFile} {stamps}-genericMsgRate", arguments, StringComparison.Ordinal);
        Assert.Contains("-genericMsgLatencyRate 0", arguments, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("transport", "-clock 127.0.0.1:4712 -clockKey ")]
    [InlineData("reflect", null)]
    public void CreateArguments_ClientOnAnotherClock_CorrectsWhatTheServerStamps(string scenario, string? clock)
    {
        Rendezvous other = Join("run", 0);
        Announce(other, "another");
        other.PublishStart(new(DateTime.UtcNow));
        other.PublishPlace("server", new RolePlace("127.0.0.1", 4_711));
        other.PublishPlace("clock-of-server", new RolePlace("127.0.0.1", 4_712));
        using ScenarioRanks ranks = CreateRanks(scenario, 1);
        ScenarioOptions options = ranks.Meet(StopRequest.None, () => { }, _shown.Add);
        Dictionary<string, HostAddress> addresses = [];
        using RoleGroup group = new(RunLimits.For(1), StopRequest.None);
        Assert.True(ranks.TryFindPeers(Find(scenario).Roles[1], group, addresses));
        string arguments = string.Join(' ', Find(scenario).Roles[1].CreateArguments(new RoleContext(options, Open("run"), addresses, 10) { Ranks = ranks }));
        Assert.Contains("-h 127.0.0.1 -p 4711 ", arguments, StringComparison.Ordinal);
        Assert.Equal(clock is not null, arguments.Contains("-clock", StringComparison.Ordinal));
        Assert.Contains(clock ?? "", arguments, StringComparison.Ordinal);
    }

    [Fact]
    public void CreateArguments_ClockWithoutRanks_HasTheRequestedProbes()
    {
        ScenarioOptions options = OptionLines.Accept(Find("direct").Options, "--clock host:14050 --clock-key key --clock-stamps kernel --clock-rate 200");
        RoleContext context = new(options, Open("run"), new Dictionary<string, HostAddress> { ["provider"] = new("127.0.0.1", 1) }, 10);
        string arguments = string.Join(' ', Find("direct").Roles[1].CreateArguments(context));
        Assert.Contains(" -clockStamps kernel -clockRate 200 ", arguments, StringComparison.Ordinal);
        Assert.Contains("-clock host:14050 -clockKey ", arguments, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(1_000)]
    public void Options_RateOfProbes_MayBeTheLeastAndTheGreatest(int rate) => Assert.Equal(rate,
        OptionLines.Accept(Find("direct").Options, $"--clock host:14050 --clock-key key --clock-rate {rate}").Ranks.ClockRate);

    /// <summary>Only our programs correct stamps of another clock.</summary>
    [Theory]
    [InlineData("ours", true)]
    [InlineData("c", false)]
    [InlineData("unknown", false)]
    public void Meet_ProgramOfToolMeasuresOnAnotherClock_CorrectsWhereItIsOurs(string edition, bool corrects)
    {
        Rendezvous other = Join("run", 1);
        Announce(other, "another", ("consumer", edition), ("provider", "java"), ("stray", "c"));
        using ScenarioRanks ranks = CreateRanks("direct", 0, new ScenarioOptions
        { Editions = new EditionOptions().WithTool("consumer=/nowhere/ConsPerf")!.WithTool("provider=/nowhere/ProvPerf")! });
        ScenarioOptions options = ranks.Meet(StopRequest.None, () => { }, _shown.Add);
        const string Without =
            "No latency is measured: the provider on rank 0 and the consumer on rank 1 have different clocks, and its program corrects none.";
        Assert.Equal(corrects ? [] : [Without], _shown);
        Assert.Equal(corrects, options.EffectiveLatencyRate.PerSecond > 0);
        Assert.Equal(corrects, File.Exists(ranks.KeyFile));
        Assert.Equal(corrects, other.FindPlace("clock-of-provider") is not null);
        Assert.Equal(["provider"], options.Editions.Tools.Keys); // each rank has its own
        Assert.Equal(edition == "unknown" ? [] : ["consumer"], options.Editions.Elsewhere.Keys);
        Assert.Equal(edition == "unknown" ? null : edition, options.Editions.Described.GetValueOrDefault("consumer"));
        Assert.Equal((edition != "unknown", false), (options.Editions.HasAnywhere("consumer"), options.Editions.Has("consumer")));
    }

    public void Dispose() => _folder.Dispose();

    private static Scenario Find(string name) => ScenarioList.All.Single(scenario => scenario.Name == name);

    private static void Announce(Rendezvous rank, string clock, params (string Role, string Edition)[] tools)
    {
        rank.PublishTools(tools.ToDictionary(tool => tool.Role, tool => tool.Edition));
        rank.PublishClock(clock);
    }

    private RunFolder Open(string name) => RunFolder.Open(_folder.PathOf(name), "", DateTime.UtcNow, []);

    private Rendezvous Join(string name, int rank, int count = 2) =>
        Rendezvous.Join(Open(name).FullPath, "a", ThisRank.Describe(rank, count, [$"role-{rank}"], "127.0.0.1"));

    private ScenarioRanks CreateRanks(string scenario, int rank, ScenarioOptions? options = null, string? place = null, int count = 2)
    {
        Scenario asked = Find(scenario);
        string[] roles = [.. asked.Roles.Select(role => role.Name)];
        RankPlacement placed = place is null ? RankPlacement.InTurn(roles, count) : RankPlacement.TryParse(place, roles)!;
        RankOptions of = (options ?? new()).Ranks with { Place = placed, Address = "127.0.0.1", MeetSeconds = 60 };
        return new(RepeatedRoles.Of(asked, placed), (options ?? new()) with { Ranks = of }, Join("run", rank, count));
    }
}
