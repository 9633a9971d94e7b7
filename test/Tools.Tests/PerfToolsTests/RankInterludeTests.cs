using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.ScenarioFiles;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Several runs of the same ranks: what they agree on between two of them.</summary>
public sealed class RankInterludeTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly Rendezvous _first, _second;
    private readonly RankWatch _watch, _others;

    public RankInterludeTests()
    {
        (_first, _second) = (Join(0), Join(1));
        (_watch, _others) = (new(_first, new()), new(_second, new()));
    }

    [Fact]
    public void Wait_RankZeroGoesOn_GoesOnToo()
    {
        new RankInterlude(_first, _watch).Announce(null, []);
        Assert.False(_first.HaveHeard([1]));
        Assert.Null(new RankInterlude(_second, _others).Wait(TimeSpan.Zero));
        Assert.True(_first.HaveHeard([1]));
    }

    [Fact]
    public void Wait_RankZeroFailed_EndsWithItsCode()
    {
        new RankInterlude(_first, _watch).Announce(new(ExitCode.Incomplete, "rank 2 of 3 left no results"), []);
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "ended by rank 0: rank 2 of 3 left no results"),
            new RankInterlude(_second, _others).Wait(TimeSpan.Zero));
    }

    [Fact]
    public void Wait_RankThatStops_EndsWithIt()
    {
        _first.PublishStop(new(ExitCode.OutputFile, "no space"));
        _others.Join(StopRequest.None);
        Assert.Equal(new RunFailure(ExitCode.OutputFile, "ended by rank 0: no space"), new RankInterlude(_second, _others).Wait(TimeSpan.Zero));
    }

    [Fact]
    public async Task Announce_Readers_WaitsUntilTheyHaveReadIt()
    {
        Task announced = Task.Run(() => new RankInterlude(_first, _watch).Announce(null, [1]), TestContext.Current.CancellationToken);
        Assert.Null(new RankInterlude(_second, _others).Wait(TimeSpan.Zero));
        await announced;
        Assert.True(_first.HaveHeard([1]));
    }

    [Theory]
    [InlineData(1, null, false)]
    [InlineData(2, null, false, 2)]
    [InlineData(2, "run 1 has not ended", true)]
    [InlineData(1, "run 1 has ended", false, 2)]
    public void FindProblem_AnotherRun_IsRefusedForNowOrForGood(int run, string? problem, bool isEarly, int own = 1)
    {
        PortRefusal? refusal = new PortAccess("token", new(0, 3, "a", ""), own).FindProblem(new("token", "a", 1, 3, run));
        Assert.Equal((problem, isEarly), (refusal?.Problem, refusal?.IsEarly == true));
    }

    [Fact]
    public async Task Connect_BeforeTheRunBefore_HasEnded_WaitsForIt()
    {
        int port = FreePort.Find();
        RankIdentity identity = new(0, 2, "a", "");
        RendezvousPort earlier = Listen(port, new("token-of-test", identity));
        Task<PortStore> connecting = Task.Run(() => PortStore.Connect(new("127.0.0.1", port), new("token-of-test", "a", 1, 2, 2), _folder.PathOf("own"),
            TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken), TestContext.Current.CancellationToken);
        using (PortStore others = PortStore.Connect(new("127.0.0.1", port), new("token-of-test", "a", 1, 2), _folder.PathOf("own"),
            TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken))
        {
            Assert.False(connecting.IsCompleted);
            Assert.Null(earlier.DescribeRefused());
        }

        earlier.Dispose();
        using RendezvousPort later = Listen(port, new("token-of-test", identity, run: 2));
        using PortStore store = await connecting;
        Assert.True(store.TryAdd("rank-1.json", "x"));
        Assert.Null(later.DescribeRefused());
    }

    [Fact]
    public void Of_RunsOfAFile_TakeTheSameRanks()
    {
        PlannedScenario one = Plan("provider=0,consumer=1"), other = one with { Given = one.Given with { Ranks = one.Given.Ranks with { Rank = "1/2" } } };
        Assert.NotNull(RankedSeries.Of([one, one]));
        Assert.Null(RankedSeries.Of([one with { Given = new() }]));
        Assert.Equal("--rank, --run-id, --meet: all runs take the same", Refuse(one, other));
        Assert.Equal("--place: no rank has the consumer", Refuse(one, Plan("provider=0")));
        PlannedRamps users = new("b", UsersSuite.All[0], new() { Out = "out", Ranks = one.Ranks });
        Assert.Equal("--rank: users-low takes several machines where it is the only run of a file", Refuse(one, users));
    }

    public void Dispose()
    {
        _watch.Dispose();
        _others.Dispose();
        _folder.Dispose();
    }

    private static string Refuse(params PlannedRun[] runs) => Assert.Throws<PerfCommon.SetupException>(() => RankedSeries.Of(runs)).Message;

    private static PlannedScenario Plan(string place) => new("a", DirectScenario.Direct,
        new() { Out = "out", Ranks = new() { Rank = "0/2", RunId = "a", Place = RankPlacement.TryParse(place, ["provider", "consumer"]) } });

    private RendezvousPort Listen(int port, PortAccess access)
    {
        FolderStore files = new(_folder.PathOf("meet"));
        return RendezvousPort.Listen(new("127.0.0.1", port), access, rank => new(files, Rendezvous.NamesOf(rank, [], []), _folder.FullPath, rank, _ => false));
    }

    private Rendezvous Join(int rank) => Rendezvous.Join(_folder.FullPath, "a", new RankDescription
    {
        Rank = rank,
        Ranks = 2,
        Host = "host",
        Address = "127.0.0.1",
        Roles = [],
        Utc = DateTime.UtcNow,
    });
}
