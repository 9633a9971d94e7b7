using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The order in which the roles of ranks end: the provider and the consumer are those of rank 0, the hub between them is that of rank 1.</summary>
public sealed class RankEndingTests : IDisposable
{
    private const int Looks = 3;
    private static readonly RunLimits Limits = new() { Run = TimeSpan.FromSeconds(120), Look = TimeSpan.FromMilliseconds(20) };
    private static readonly Scenario HubDirect = ScenarioList.All.Single(scenario => scenario.Name == "hub-direct");
    private readonly TestFolder _folder = new();
    private readonly Rendezvous _own;
    private readonly Rendezvous _other;
    private readonly RankWatch _watch;
    private readonly RankEnding _ending;
    private readonly RoleGroup _group;

    public RankEndingTests()
    {
        _other = Join(1);
        _own = Join(0);
        _watch = new(_own, new RankOptions { MeetSeconds = 120 });
        _ending = new(HubDirect.Roles, RankPlacement.TryParse("provider=0,hub=1,consumer=0", Names)!, _own, _watch);
        _group = new(Limits, _watch.Join(StopRequest.None));
    }

    private static string[] Names => [.. HubDirect.Roles.Select(role => role.Name)];

    private static IReadOnlyList<Role> Own => [HubDirect.Roles[0], HubDirect.Roles[2]];

    public void Dispose()
    {
        _group.Dispose();
        _watch.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public void EndAll_RolesWithOneOfAnotherRankBetween_EndsTheFirstAfterThatOne()
    {
        Start();
        List<(bool Consumer, bool Provider, bool HasExited)> seen = [];
        _ending.EndAll(_group, Own, Limits, () =>
        {
            seen.Add((_other.HaveEnded(["consumer"]), _other.HaveEnded(["provider"]), _group.Roles[0].HasExited));
            if (seen.Count == Looks)
                _other.PublishEnded("hub");
        });
        Assert.Equal((false, false, false), seen[0]); // before the consumer, for which no role is waited
        Assert.Equal(Looks, seen.Count);
        Assert.All(seen.Skip(1), one => Assert.Equal((true, false, false), one));
        Assert.True(_other.HaveEnded(["consumer", "provider"]));
        Assert.All(_group.Roles, role => Assert.True(role.HasExited));
        Assert.Null(_group.Failure);
        Assert.Null(_other.FindStop());
    }

    /// <summary>A rank that fails says so before its roles have ended: the others see the failure, not the end alone.</summary>
    [Fact]
    public void EndAll_OtherRankFailsAndEndsItsRole_IsTheFailureHere()
    {
        Start();
        _other.PublishStop(new(ExitCode.Incomplete, "HubPerf ended with exit code 5"));
        _other.PublishEnded("hub");
        _ending.EndAll(_group, Own, Limits, () => { });
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "ended by rank 1: HubPerf ended with exit code 5"), _group.Failure);
        Assert.All(_group.Roles, role => Assert.True(role.HasExited));
        Assert.Null(_other.FindStop()); // the failure is that of the other rank
    }

    [Fact]
    public void EndAll_OtherRankFailsAndItsRoleGoesOn_EndsHere()
    {
        Start();
        _other.PublishStop(new(ExitCode.NotStarted, "no port"));
        _ending.EndAll(_group, Own, Limits, () => { });
        Assert.Equal(new RunFailure(ExitCode.NotStarted, "ended by rank 1: no port"), _group.Failure);
        Assert.True(_other.HaveEnded(["consumer", "provider"]));
    }

    /// <summary>A rank without a role ends with the last of the others' roles, however long those run: it still has their results to collect.</summary>
    [Fact]
    public void EndAll_RankWithoutARole_WaitsForTheRolesOfAllOthers()
    {
        RankEnding ending = new(HubDirect.Roles, RankPlacement.TryParse("provider=1,hub=1,consumer=1", Names)!, _own, _watch);
        string[] ended = ["consumer", "hub", "provider"];
        List<int> seen = [];
        ending.EndAll(_group, [], Limits, () =>
        {
            seen.Add(seen.Count);
            if (seen.Count <= ended.Length)
                _other.PublishEnded(ended[seen.Count - 1]);
        });
        Assert.Equal(ended.Length, seen.Count);
        Assert.Null(_group.Failure);
    }

    [Fact]
    public void EndAll_RankWithoutARoleAndOtherFails_IsTheFailureHere()
    {
        RankEnding ending = new(HubDirect.Roles, RankPlacement.TryParse("provider=1,hub=1,consumer=1", Names)!, _own, _watch);
        _other.PublishStop(new(ExitCode.Incomplete, "HubPerf ended with exit code 5"));
        ending.EndAll(_group, [], Limits, () => { });
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "ended by rank 1: HubPerf ended with exit code 5"), _group.Failure);
    }

    [Fact]
    public void EndAll_FailureHere_IsTheOthersToo()
    {
        Start();
        _group.RecordFailure(new(ExitCode.InputFile, "items.xml: no such file"));
        _ending.EndAll(_group, Own, Limits, () => { });
        Assert.Equal(new RunFailure(ExitCode.InputFile, "ended by rank 0: items.xml: no such file"), _other.FindStop());
        Assert.All(_group.Roles, role => Assert.True(role.HasExited));
    }

    /// <summary>A server that ends with its last client has ended: its clients have, too, on whichever rank.</summary>
    [Fact]
    public void EndAll_ServerThatFollowedItsClients_WaitsForNone()
    {
        Start("exit 0", RoleEnding.AfterOthers);
        _ending.EndAll(_group, Own, Limits, () => { });
        Assert.False(_other.HaveEnded(["hub"]));
        Assert.True(_other.HaveEnded(["consumer", "provider"]));
        Assert.Null(_group.Failure);
    }

    private void Start(string provider = "cat; exit 143", RoleEnding ending = RoleEnding.OnRequest)
    {
        Start("provider", $"echo 'Listening on port 4711'; {provider}", ending, "Listening on port ");
        Start("consumer", "exit 0", RoleEnding.ByItself, null);
        _group.WaitForEnd(() => { });
    }

    private void Start(string role, string text, RoleEnding ending, string? readyLine) => Assert.NotNull(
        _group.Start(new RoleCommand(role, "/bin/sh", ["-c", text]) { ReadyLine = readyLine, Ending = ending }, _folder.PathOf(role + ".log")));

    private Rendezvous Join(int rank) => Rendezvous.Join(
        RunFolder.Open(_folder.PathOf("run"), "", DateTime.UtcNow, []).FullPath, "a", ThisRank.Describe(rank, 2, [$"role-{rank}"], "127.0.0.1"));
}
