using PerfTools.Hosting.Reporting;
using PerfTools.Processes;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Roles that are shell scripts: the group's reaction to every failure.</summary>
public sealed class RoleGroupTests : IDisposable
{
    private const string Listens = "echo 'Listening on port 4711'; ";
    private const string ServesUntilTold = Listens + "cat; exit 143";

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(0.2);
    private static readonly RunLimits Limits = new()
    {
        Port = TimeSpan.FromSeconds(60),
        Run = TimeSpan.FromSeconds(60),
        Farewell = TimeSpan.FromSeconds(60),
        Ask = TimeSpan.FromSeconds(60),
        Terminate = TimeSpan.FromSeconds(60),
        Look = TimeSpan.FromMilliseconds(20),
    };

    private readonly TestFolder _folder = new();

    [Fact]
    public void Run_BothDoWell_HasNoFailure()
    {
        Assert.Null(Run(ServesUntilTold, "echo done", out string log));
        Assert.Equal("done\n", log);
    }

    [Fact]
    public void Run_RoleWhoseLinesAreAskedFor_PassesEachOn()
    {
        List<string> lines = [];
        using RoleGroup group = new(Limits, StopRequest.None);
        Assert.NotNull(group.Start(Client("client", "echo first; echo second") with { OnLine = lines.Add }, _folder.PathOf("client.log")));
        group.WaitForEnd(() => { });
        group.EndAll();
        Assert.Null(group.Failure);
        Assert.Equal(["first", "second"], lines);
    }

    [Fact]
    public void Run_ServerThatEndsByItself_IsNotTold() =>
        Assert.Null(Run(Listens + "sleep 0.2", "sleep 0.1", out _, endsByItself: true));

    [Fact]
    public void Run_ServerRefusesItsArguments_GivesItsCodeAndLastWord() => Assert.Equal(
        new RunFailure(ExitCode.CommandLine, "server ended before it listened with exit code 2: ProvPerf: -x: unknown option"),
        Run("echo first >&2; echo 'ProvPerf: -x: unknown option' >&2; exit 2", "exit 0", out _));

    [Fact]
    public void Run_ServerKilledBeforeItListens_IsNotStarted() => Assert.Equal(
        new RunFailure(ExitCode.NotStarted, "server ended before it listened with exit code 137"), Run("kill -9 $$", "exit 0", out _));

    [Fact]
    public void Run_ServerThatNamesNoPort_IsGivenUp()
    {
        RunFailure? failure = Run(
            "echo 'Listening'; echo 'still thinking' >&2; exec sleep 60", "exit 0", out _,
            Limits with { Port = TimeSpan.FromSeconds(10), Ask = Soon });
        Assert.Equal(new RunFailure(ExitCode.NotStarted, "server named no port within 10 s: still thinking"), failure);
    }

    [Fact]
    public void Run_ClientFails_GivesItsCodeAndLastWord() => Assert.Equal(
        new RunFailure(ExitCode.Incomplete, "client ended with exit code 5: ConsPerf: images missing"),
        Run(ServesUntilTold, "echo 'ConsPerf: images missing' >&2; exit 5", out _));

    [Fact]
    public void Run_ClientDies_IsIncomplete() => Assert.Equal(
        new RunFailure(ExitCode.Incomplete, "client ended with exit code 137"), Run(ServesUntilTold, "kill -9 $$", out _));

    [Fact]
    public void Run_ClientHangs_IsEnded()
    {
        RunFailure? failure = Run(ServesUntilTold, "exec sleep 60", out _, Limits with { Run = TimeSpan.FromSeconds(0.5), Ask = Soon });
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "client did not end within 0.5 s"), failure);
    }

    [Fact]
    public void Run_ServerDiesInMidRun_IsTheReasonAndTheClientEnds()
    {
        RunFailure? failure = Run(Listens + "sleep 0.2; kill -9 $$", "sleep 5; echo 'ConsPerf: connection lost' >&2; exit 5", out _);
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "server ended with exit code 137"), failure);
    }

    [Fact]
    public void Run_ServerLeavesEarly_IsNotOk() => Assert.Equal(
        new RunFailure(ExitCode.Incomplete, "server ended before it was asked to with exit code 0"),
        Run(Listens + "sleep 0.2", "sleep 5", out _));

    [Fact]
    public void Run_ServerThatIgnoresSigterm_IsKilled()
    {
        RunFailure? failure = Run(
            "trap '' TERM; " + Listens + "while :; do sleep 0.05; done", "exit 0", out _,
            Limits with { Ask = Soon, Terminate = TimeSpan.FromSeconds(0.5) });
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "server did not end within 0.5 s of SIGTERM and was killed"), failure);
    }

    [Fact]
    public void Run_ServerThatDoesNotReadItsInput_IsToldBySigterm() => Assert.Null(Run(
        "trap 'exit 143' TERM; " + Listens + "while :; do sleep 0.05; done", "exit 0", out _, Limits with { Ask = Soon }));

    [Fact]
    public void Run_ProgramThatIsNotThere_IsNotStarted()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        Assert.Null(group.Start(new RoleCommand("server", _folder.PathOf("nowhere"), []), _folder.PathOf("server.log")));
        Assert.Equal(ExitCode.NotStarted, group.Failure!.Code);
        Assert.StartsWith("server cannot be started: ", group.Failure.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Run_RoleWhoseProgramIsNotThere_IsNotStarted()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        RoleCommand missing = RoleCommand.ForProgram("server", "NoPerf", [], _folder.FullPath);
        Assert.Null(group.Start(missing, _folder.PathOf("server.log")));
        Assert.Equal(new RunFailure(ExitCode.NotStarted, $"server cannot be started: {missing.Program}: no such file"), group.Failure);
    }

    [Fact]
    public void Run_LogThatCannotBeCreated_IsAnOutputAndEndsTheOthers()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        Assert.NotNull(group.Start(Server("server", ServesUntilTold), _folder.PathOf("server.log")));
        Assert.Null(group.Start(Client("client", "exec sleep 60"), _folder.PathOf("none/client.log")));
        group.EndAll();
        Assert.Equal(ExitCode.OutputFile, group.Failure!.Code);
        Assert.EndsWith("none/client.log: cannot be created: no such folder", group.Failure.Reason, StringComparison.Ordinal);
        Assert.True(Assert.Single(group.Roles) is { HasExited: true, WasKilled: false });
    }

    [Fact]
    public void Run_LogThatCannotBeWritten_IsToldAndStopsNobody()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "needs /dev/full");
        using RoleGroup group = new(Limits, StopRequest.None);
        Assert.NotNull(group.Start(Server("server", ServesUntilTold), "/dev/full"));
        Assert.NotNull(group.Start(Client("client", "echo done"), _folder.PathOf("client.log")));
        group.WaitForEnd(() => { });
        group.EndAll();
        Assert.Null(group.Failure);
        Assert.Equal("/dev/full: cannot be written: No space left on device", group.Unwritten);
    }

    [Fact]
    public void Run_OutputsOfBothFail_NamesEach()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        group.Start(Server("server", Serves("echo 'ProvPerf: b: cannot be written' >&2; exit 7")), _folder.PathOf("server.log"));
        group.Start(Client("client", "echo 'ConsPerf: a: cannot be written' >&2; exit 7"), _folder.PathOf("client.log"));
        group.WaitForEnd(() => { });
        group.EndAll();
        Assert.Equal(new RunFailure(ExitCode.OutputFile, "client ended with exit code 7: ConsPerf: a: cannot be written"), group.Failure);
        Assert.Equal("ProvPerf: b: cannot be written", group.Unwritten);
    }

    [Fact]
    public void Run_ClientThatIsStopped_IsKilled()
    {
        RunFailure? failure = Run(ServesUntilTold, "kill -STOP $$; exec sleep 60", out _, Limits with
        {
            Run = TimeSpan.FromSeconds(0.5),
            Ask = Soon,
            Terminate = Soon,
        });
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "client did not end within 0.5 s"), failure);
    }

    [Theory]
    [InlineData(ExitCode.Terminated, "ended by SIGTERM")]
    [InlineData(ExitCode.Interrupted, "ended by Ctrl+C")]
    internal void Run_Stopped_TellsBothAndExitsWithTheSignal(ExitCode code, string reason)
    {
        using CancellationTokenSource stop = new();
        using RoleGroup group = new(
            Limits with { Farewell = Soon, Ask = Soon }, new StopRequest(() => code, stop.Token));
        Assert.Equal(4711, group.Start(Server("server", ServesUntilTold), _folder.PathOf("server.log"))?.Port);
        Assert.NotNull(group.Start(Client("client", "exec sleep 60"), _folder.PathOf("client.log")));
        group.WaitForEnd(stop.Cancel);
        group.EndAll();
        Assert.Equal(new RunFailure(code, reason), group.Failure);
        Assert.All(group.Roles, role => Assert.True(role.HasExited));
    }

    [Fact]
    public void Run_ThreeRoles_EndInReverseOrderOfTheirStart()
    {
        string order = _folder.PathOf("order");
        using RoleGroup group = new(Limits, StopRequest.None);
        foreach (string name in (string[])["provider", "hub"])
            Assert.NotNull(group.Start(Server(name, Serves($"echo {name} >> '{order}'; exit 143")), _folder.PathOf(name + ".log")));
        Assert.NotNull(group.Start(Client("consumer", $"echo consumer >> '{order}'"), _folder.PathOf("consumer.log")));
        group.WaitForEnd(() => { });
        group.EndAll();
        Assert.Null(group.Failure);
        Assert.Equal(["consumer", "hub", "provider"], File.ReadAllLines(order));
    }

    [Fact]
    public void EndMeasuring_OfClientsThatWouldGoOn_IsNoFailure()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        group.Start(Server("server", ServesUntilTold), _folder.PathOf("server.log"));
        group.Start(Client("users1", "exit 0"), _folder.PathOf("1.log"));
        group.Start(Client("users2", "cat; exit 143"), _folder.PathOf("2.log"));
        group.WaitForEnd(group.EndMeasuring);
        Assert.False(group.Roles[0].HasExited);
        group.EndAll();
        Assert.Null(group.Failure);
    }

    [Fact]
    public void ServeUntil_WhatNeverComes_IsToldOrForgiven()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        group.Start(Server("server", ServesUntilTold), _folder.PathOf("server.log"));
        Assert.True(group.ServeUntil(() => false, Soon));
        Assert.False(group.ServeUntil(() => false, Soon, () => "rank 1 did not come"));
        group.EndAll();
        Assert.Equal(new RunFailure(ExitCode.NotStarted, "rank 1 did not come"), group.Failure);
    }

    /// <summary>Limits of no more than some microseconds: they pass between any two steps.</summary>
    [Fact]
    public void ServeUntil_LimitThatPassesAtAnyMoment_IsForgiven()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        for (int ticks = 0; ticks < 20_000; ticks++)
            Assert.True(group.ServeUntil(() => false, TimeSpan.FromTicks(ticks % 100)));
        Assert.Null(group.Failure);
    }

    [Fact]
    public void ServeUntil_AServerThatLeaves_IsTheFailure()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        group.Start(Server("server", Listens + "sleep 0.1"), _folder.PathOf("server.log"));
        Assert.False(group.ServeUntil(() => false, Limits.Run, () => "late"));
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "server ended before it was asked to with exit code 0"), group.Failure);
    }

    [Fact]
    public void Run_OneOfTwoClientsFails_EndsTheOtherAndSaysWhich()
    {
        using RoleGroup group = new(Limits, StopRequest.None);
        group.Start(Server("server", ServesUntilTold), _folder.PathOf("server.log"));
        group.Start(Client("consumer1", "cat; exit 143"), _folder.PathOf("1.log"));
        group.Start(Client("consumer2", "echo 'ConsPerf: images missing' >&2; exit 5"), _folder.PathOf("2.log"));
        group.WaitForEnd(() => { });
        group.EndAll();
        Assert.Equal(new RunFailure(ExitCode.Incomplete, "consumer2 ended with exit code 5: ConsPerf: images missing"), group.Failure);
        Assert.True(group.Roles[1].IsEndRequested && !group.Roles[1].WasKilled);
    }

    public void Dispose() => _folder.Dispose();

    private RunFailure? Run(string server, string client, out string clientLog, RunLimits? limits = null, bool endsByItself = false)
    {
        using RoleGroup group = new(limits ?? Limits, StopRequest.None);
        RoleCommand serving = Server("server", server) with { Ending = endsByItself ? RoleEnding.AfterOthers : RoleEnding.OnRequest };
        bool isStarted = group.Start(serving, _folder.PathOf("server.log"))?.Port == 4711
            && group.Start(Client("client", client), _folder.PathOf("client.log")) is not null;
        if (isStarted)
            group.WaitForEnd(() => { });
        group.EndAll();
        clientLog = isStarted ? File.ReadAllText(_folder.PathOf("client.log")) : "";
        return group.Failure;
    }

    private static string Serves(string whenTold) => $"{Listens}cat; {whenTold}";

    private static RoleCommand Server(string role, string text) =>
        new(role, "/bin/sh", ["-c", text]) { ReadyLine = "Listening on port ", Ending = RoleEnding.OnRequest };

    private static RoleCommand Client(string role, string text) => new(role, "/bin/sh", ["-c", text]) { Ending = RoleEnding.ByItself };
}
