using PerfCommon.Tests;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Editions;

/// <summary>Ranks with their processes, of which one alone has a program by --tool for the role that it has.</summary>
public sealed class RankedToolTests : IDisposable
{
    private const string Load = "--items 500 --rate 10000 --latency-rate 500 --seconds 6";
    private readonly TestFolder _folder = new();
    private readonly List<RunningTool> _started = [];
    private readonly int _port = FreePort.Find();

    [Theory]
    [InlineData(true)]
    public Task Run_OurProgramOnOneRank_IsTakenAsOurs(bool meets) => CheckOurs(meets);

    [LongTheory]
    [InlineData(false)]
    public Task Run_OurProgramOnOneRankWithASharedFolder_IsTakenAsOurs(bool meets) => CheckOurs(meets);

    private async Task CheckOurs(bool meets)
    {
        Skip();
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunDocument run = Run(0, $"--tool=consumer={Path.Combine(AppContext.BaseDirectory, "ConsPerf")} --edition consumer=ours", meets);
        Assert.Equal("ours", run.Inputs["tools"].GetProperty("consumer").GetString());
        Assert.All(run.Roles, role => Assert.Null(role.Edition));
        Assert.Contains(Path.Combine(AppContext.BaseDirectory, "ConsPerf"), run.Roles[1].Command, StringComparison.Ordinal);
        Assert.Null(run.Links[0].UnderWay); // exact
        Assert.NotNull(run.Figures!.SendLagMicros);
        Assert.True(run.Figures.LatencyMicros!.Count > 100);
    }

    [Theory]
    [InlineData("consumer", "java", "ConsPerf", 1, true)]
    [InlineData("provider", "csharp", "ProvPerf", 0, false)]
    public Task Run_AnotherEditionOnOneRank_IsJudgedByTheFirstAsOnOneMachine(string role, string edition, string tool, int rank, bool meets) =>
        CheckEdition(role, edition, tool, rank, meets);

    [LongTheory]
    [InlineData("consumer", "c", "ConsPerf", 1, false)]
    public Task Run_CEditionOnOneRank_IsJudgedByTheFirstAsOnOneMachine(string role, string edition, string tool, int rank, bool meets) =>
        CheckEdition(role, edition, tool, rank, meets);

    private async Task CheckEdition(string role, string edition, string tool, int rank, bool meets)
    {
        Skip();
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunDocument run = Run(rank == 0 ? 1 : 0, $"--tool={role}={WriteProgram(edition, tool)} --edition {role}={edition}", meets);
        Assert.Equal(edition, run.Roles.Single(result => result.Name == role).Edition);
        Assert.Null(run.Roles.Single(result => result.Name != role).Edition);
        if (rank == 1)
            Assert.Equal(edition, run.Inputs["tools"].GetProperty(role).GetString());
        Assert.All(run.Links, link => Assert.True(link.Balanced, link.ToString()));
        Assert.True(run.Links[0].UnderWay > 0);
        Assert.Equal(500, run.Links[1].Received);
        Assert.True(run.Figures!.LatencyMicros!.Count > 100);
        Assert.Null(run.Figures.Clock);
    }

    [Fact]
    public async Task Run_ProgramThatIsNotThere_EndsBothRanks()
    {
        Skip();
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        RunningTool second = Start(1, "--tool=consumer=/no/such/consperf", meets: false), first = Start(0, "", meets: false);
        second.ExpectExit(4, "rank 1: ConsPerf cannot be started: /no/such/consperf: no such file");
        first.ExpectExit(4, "ended by rank 1: ConsPerf cannot be started: /no/such/consperf: no such file");
    }

    public void Dispose()
    {
        _started.ForEach(process => process.Dispose());
        _folder.Dispose();
    }

    private static string DotNet => Environment.ProcessPath is { } path && Path.GetFileNameWithoutExtension(path) == "dotnet" ? path : "dotnet";

    private static void Skip() => Assert.SkipWhen(OperatingSystem.IsWindows(), "programs of other editions are ended by signals");

    // The rank without the program runs the same command without it.
    private RunDocument Run(int without, string tool, bool meets)
    {
        RunningTool second = Start(1, without == 1 ? "" : tool, meets), first = Start(0, without == 0 ? "" : tool, meets);
        int code = first.WaitForExit();
        Assert.True(code is 0 or 6, $"{code}: {first.Error}{first.Output}");
        second.ExpectExit(0);
        return RunFile.Read(_folder.PathOf("run-0/run.json"));
    }

    private RunningTool Start(int rank, string tool, bool meets)
    {
        string meeting = meets ? $"--meet 127.0.0.1:{_port} --meet-token the-right-token --out run-{rank}" : "--out run-0";
        RunningTool started = PerfToolsRuns.Start($"run direct {Load} --rank {rank}/2 --run-id a --address 127.0.0.1 {meeting} {tool}", _folder.FullPath);
        _started.Add(started);
        return started;
    }

    // The substitute for an edition, as a command without blanks.
    private string WriteProgram(string edition, string tool)
    {
        string path = _folder.PathOf($"{edition}-{tool}"), program = Path.Combine(AppContext.BaseDirectory, "StandIn.dll");
        File.WriteAllText(path, $"#!/bin/sh\nexec '{DotNet}' '{program}' {edition} {tool} \"$@\"\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return path;
    }
}
