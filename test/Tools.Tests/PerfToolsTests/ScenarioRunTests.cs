using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Whole runs whose roles are shell scripts that write figures.</summary>
public sealed class ScenarioRunTests : IDisposable
{
    private const string ProviderFinal =
        """{"final":true,"overall":{"counts":{"requestsReceived":10,"imagesSent":10,"updatesSent":5000}},"resources":{"coreCpuPercent":{"avg":6},"memoryMegabytes":{"max":60}}}""";

    private const string ConsumerFinal =
        """{"final":true,"overall":{"steady":{"seconds":1,"updateRate":4000},"imageRetrieval":{"items":10,"seconds":0.01},"counts":{"requestsSent":10,"refreshesReceived":10,"updatesReceived":5000}},"resources":{"coreCpuPercent":{"avg":5},"memoryMegabytes":{"max":50}}}""";

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();

    [Theory]
    [InlineData(4000, "OK", ExitCode.Success)]
    [InlineData(5000, "SLOW", ExitCode.AssertionMissed)]
    internal void Run_BothLeaveFigures_IsJudged(int rate, string expected, ExitCode code)
    {
        RunDocument result = Run(rate, $"echo '{ProviderFinal}' > $OUT; exit 143", $"echo '{ConsumerFinal}' > $OUT");
        Assert.Equal((expected, code), (result.Verdict, (ExitCode)result.ExitCode));
        Assert.Equal((143, 0), (result.Roles[0].ExitCode, result.Roles[1].ExitCode));
        Assert.Equal($"Provider to consumer, direct, loopback port 4711: 10,000 items, {rate:N0} updates/s, 1,000 latency samples/s, 10 s\n  images     "
            + "10 in 0.010 s\n", _output.ToString());
    }

    [Fact]
    public void Run_NoFigures_IsFailed()
    {
        RunDocument result = Run(1000, "exit 143", $"echo '{ConsumerFinal}' > $OUT");
        Assert.Equal(("FAILED", ExitCode.Incomplete, "the roles left no final figures"), (result.Verdict, (ExitCode)result.ExitCode, result.Reason));
    }

    [Fact]
    public void Run_ClientFails_KeepsItsFiguresBesideTheReason()
    {
        RunDocument result = Run(4000, $"echo '{ProviderFinal}' > $OUT; exit 143",
            $"echo '{ConsumerFinal}' > $OUT; echo 'ConsPerf: lost' >&2; exit 5");
        Assert.Equal(
            ("FAILED", ExitCode.Incomplete, "ConsPerf ended with exit code 5: ConsPerf: lost"),
            (result.Verdict, (ExitCode)result.ExitCode, result.Reason));
        Assert.NotNull(result.Figures);
    }

    public void Dispose()
    {
        _output.Dispose();
        _folder.Dispose();
    }

    private RunDocument Run(int rate, string providerEnd, string consumer)
    {
        RunFolder folder = RunFolder.Open(_folder.PathOf("run"), "direct", DateTime.UtcNow, []);
        ScenarioRun run = new(DirectScenario.Direct, new() { Rate = rate }, folder, new RunScreen(new RunConsole(_output), null, "upd/s"))
        {
            CreateCommand = (role, _) =>
                new RoleCommand(role.Title, "/bin/sh", ["-c", $"OUT='{folder.PathOf(role.JsonFile)}'; " + (role.Name == "provider"
                ? $"echo 'Listening on port 4711'; cat; {providerEnd}"
                : consumer)]),
        };
        return run.Run(StopRequest.None);
    }
}
