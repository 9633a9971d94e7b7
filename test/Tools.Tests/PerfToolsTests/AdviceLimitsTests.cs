using System.Reflection;
using System.Text.Json;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The advice for each verdict and each exit code, and at the limits from which it is given.</summary>
[Trait("Category", "Fast")]
public class AdviceLimitsTests
{
    private const string Search = "; perftools search direct finds the greatest rate that keeps its thresholds.";
    private const string Lower = "Lower --rate" + Search;
    private const string Cores = "The consumer used whole cores: raise --threads or lower --rate" + Search;
    private const string Buffers = "Raise -outputBufs of the sender where its bursts are larger, else lower --rate" + Search;

    private static readonly RunDocument Calm =
        SampleFigures.Run with { Machine = SampleFigures.Run.Machine with { ForeignPercent = 3, LoadBeforePercent = 2 } };

    private static readonly RunDocument Slow = Calm with { Verdict = RunVerdict.Slow, ExitCode = 6 };

    private static readonly Dictionary<string, string?> Verdicts = new()
    {
        [RunVerdict.Ok] = null,
        [RunVerdict.Slow] = Lower,
        [RunVerdict.Missed] = "See in the charts when it was missed" + Search,
        [RunVerdict.Interrupted] = "Run it again to its end: an interrupted run has part of its figures.",
        [RunVerdict.Failed] = "Read provider.log and the logs of the other roles.",
    };

    private static readonly Dictionary<ExitCode, string> Failures = new()
    {
        [ExitCode.Success] = "Read provider.log and the logs of the other roles.",
        [ExitCode.InternalError] = "Read provider.log and the logs of the other roles.",
        [ExitCode.CommandLine] = "Correct the option that the reason names; -help lists all.",
        [ExitCode.InputFile] = "Correct the input file that the reason names.",
        [ExitCode.NotStarted] = "Read provider.log and the logs of the other roles.",
        [ExitCode.Incomplete] = "Read provider.log and the logs of the other roles.",
        [ExitCode.AssertionMissed] = "Read provider.log and the logs of the other roles.",
        [ExitCode.OutputFile] = "Free space, or choose another folder by --out.",
        [ExitCode.HungUp] = "Read provider.log and the logs of the other roles.",
        [ExitCode.Interrupted] = "Read provider.log and the logs of the other roles.",
        [ExitCode.Terminated] = "Read provider.log and the logs of the other roles.",
    };

    [Fact]
    public void Find_OfEachVerdict_SaysWhatToDo()
    {
        Assert.Equal(typeof(RunVerdict).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (string)field.GetRawConstantValue()!).Order(),
            Verdicts.Keys.Order()); // a new verdict wants a row
        RunDocument run = Calm with { Roles = [Calm.Roles[0] with { ExitCode = 0 }, Calm.Roles[1]] };
        foreach ((string verdict, string? advice) in Verdicts)
            Assert.Equal((verdict, advice), (verdict, RunAdvice.Find(run with { Verdict = verdict }, isSearchable: true)));
    }

    [Fact]
    public void Find_OfAFailureWithEachExitCode_SaysWhatToDo()
    {
        Assert.Equal(Enum.GetValues<ExitCode>().Order(), Failures.Keys.Order()); // a new exit code wants a row
        foreach ((ExitCode code, string advice) in Failures)
            Assert.Equal((code, advice), (code, RunAdvice.Find(Failed((int)code, 0, 0), isSearchable: true)));
    }

    /// <summary>The role that failed by itself is named; one that was terminated, or whose end was not seen, is not.</summary>
    [Theory]
    [InlineData(0, 0, "Read provider.log and the logs of the other roles.")]
    [InlineData(143, 1, "Read consumer.log: the consumer ended with exit code 1.")]
    [InlineData(143, 143, "Read provider.log and the logs of the other roles.")]
    [InlineData(null, 4, "Read consumer.log: the consumer ended with exit code 4.")]
    [InlineData(5, 4, "Read provider.log: the provider ended with exit code 5.")]
    [InlineData(130, 0, "Read provider.log: the provider ended with exit code 130.")]
    public void Find_OfAFailure_NamesTheFirstRoleThatFailed(int? provider, int? consumer, string advice) =>
        Assert.Equal(advice, RunAdvice.Find(Failed((int)ExitCode.Incomplete, provider, consumer), isSearchable: true));

    [Fact]
    public void Find_OfAFailureOfAnExternalRole_NamesTheLogsThatThereAre()
    {
        RunDocument run = Failed((int)ExitCode.Incomplete, 4, 0);
        Assert.Equal("Read consumer.log and the logs of the other roles.",
            RunAdvice.Find(run with { Roles = [run.Roles[0] with { Files = null }, run.Roles[1]] }, isSearchable: true));
    }

    [Theory]
    [InlineData(19.9, 2.0, null)]
    [InlineData(20.0, 2.0, "Stop the other programs, or use another machine, and run it again.")]
    [InlineData(null, 2.0, null)]
    [InlineData(3.0, 19.9, null)]
    [InlineData(3.0, 20.0, "The machine was busy before the start: run it again to be sure of the latencies.")]
    [InlineData(3.0, null, null)]
    [InlineData(20.0, 20.0, "Stop the other programs, or use another machine, and run it again.")]
    public void Find_OfABusyMachine_IsGivenFromTwentyPercentOn(double? foreign, double? before, string? advice) => Assert.Equal(advice,
        RunAdvice.Find(Calm with { Machine = Calm.Machine with { ForeignPercent = foreign, LoadBeforePercent = before } }, isSearchable: true));

    [Theory]
    [InlineData("{}", 94.9, Lower)]
    [InlineData("{}", 95.0, Cores)]
    [InlineData("{}", null, Lower)]
    [InlineData("""{"threads":1}""", 95.0, Cores)]
    [InlineData("""{"threads":2}""", 189.9, Lower)]
    [InlineData("""{"threads":2}""", 190.0, Cores)]
    [InlineData("""{"threads":"2"}""", 95.0, Cores)] // no number: one thread
    public void Find_OfASlowRun_NamesARoleThatUsedWholeCores(string inputs, double? core, string advice)
    {
        using JsonDocument json = JsonDocument.Parse(inputs);
        Assert.Equal(advice, RunAdvice.Find(Slow with
        {
            Inputs = json.RootElement.EnumerateObject().ToDictionary(input => input.Name, input => input.Value),
            Roles = [Slow.Roles[0], Slow.Roles[1] with { CpuCorePercent = core }],
        }, isSearchable: true));
    }

    /// <summary>A busy role goes before messages that were not sent, and these before the rate alone.</summary>
    [Theory]
    [InlineData(95, 1, Cores)]
    [InlineData(94, 1, Buffers)]
    [InlineData(94, 0, Lower)]
    [InlineData(94, null, Lower)]
    public void Find_OfASlowRun_GoesFromTheRoleToItsBuffers(double core, int? notSent, string advice) => Assert.Equal(advice, RunAdvice.Find(Slow with
    {
        Roles = [Slow.Roles[0], Slow.Roles[1] with { CpuCorePercent = core }],
        Links = [SampleFigures.Link("updates", 10, 10), SampleFigures.Link("refreshes", 10, 10) with { NotSent = notSent }],
    }, isSearchable: true));

    [Fact]
    public void Find_OfCountsThatDiffer_GoesBeforeTheMachine()
    {
        RunDocument run = Slow with { Links = [SampleFigures.Link("updates", 10, 9)], Machine = Slow.Machine with { ForeignPercent = 90 } };
        Assert.StartsWith("Compare the counts", RunAdvice.Find(run, isSearchable: true), StringComparison.Ordinal);
    }

    private static RunDocument Failed(int exitCode, int? provider, int? consumer) => Calm with
    {
        Verdict = RunVerdict.Failed,
        ExitCode = exitCode,
        Roles = [Calm.Roles[0] with { ExitCode = provider }, Calm.Roles[1] with { ExitCode = consumer }],
    };
}
