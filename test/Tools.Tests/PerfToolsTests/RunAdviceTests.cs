using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public sealed class RunAdviceTests
{
    private static readonly RunDocument Calm =
        SampleFigures.Run with { Machine = SampleFigures.Run.Machine with { ForeignPercent = 3, LoadBeforePercent = 2 } };

    /// <summary>A run, and how its advice begins; nothing where all is well.</summary>
    public static TheoryData<string, RunDocument, string?> Cases => new()
    {
        { "all well", Calm, null },
        { "busy before the start", Calm with { Machine = Calm.Machine with { LoadBeforePercent = 20 } }, "The machine was busy before the start" },
        { "busy during the run", Calm with { Machine = Calm.Machine with { ForeignPercent = 20 } }, "Stop the other programs" },
        { "busy and slow", Calm with { Verdict = RunVerdict.Slow, Machine = Calm.Machine with { ForeignPercent = 50 } }, "Stop the other programs" },
        { "slow", Calm with { Verdict = RunVerdict.Slow }, "Lower --rate; perftools search direct" },
        { "slow, not sent", Calm with { Verdict = RunVerdict.Slow,
            Links = [SampleFigures.Link("updates", 10, 10) with { NotSent = 5 }] }, "Raise -outputBufs" },
        { "slow, a whole core", Calm with { Verdict = RunVerdict.Slow, Roles = [Calm.Roles[0], Calm.Roles[1] with { CpuCorePercent = 97 }] },
            "The consumer used whole cores: raise --threads or lower --rate; perftools search direct" },
        {
            "slow, a core of two threads",
            Calm with
            {
                Verdict = RunVerdict.Slow,
                Inputs = PerfTools.Scenarios.DirectScenario.Direct.DescribeInputs(new() { Threads = 2 }),
                Roles = [Calm.Roles[0], Calm.Roles[1] with { CpuCorePercent = 97 }],
            },
            "Lower --rate; perftools search direct"
        },
        { "slow ramp", Calm with { Verdict = RunVerdict.Slow, Steps = [] }, "See the first step with a fault" },
        { "missed", Calm with { Verdict = RunVerdict.Missed }, "See in the charts when it was missed; perftools search direct finds" },
        { "unbalanced", Calm with { Verdict = RunVerdict.Failed, ExitCode = 5, Links = [SampleFigures.Link("updates", 10, 9)] }, "Read " },
        { "unbalanced and slow", Calm with { Verdict = RunVerdict.Slow, Links = [SampleFigures.Link("updates", 10, 9)] }, "Compare the counts" },
        { "interrupted", Calm with { Verdict = RunVerdict.Interrupted, ExitCode = 130 }, "Run it again to its end" },
        { "wrong option", Calm with { Verdict = RunVerdict.Failed, ExitCode = 2 }, "Correct the option" },
        { "wrong input", Calm with { Verdict = RunVerdict.Failed, ExitCode = 3 }, "Correct the input file" },
        { "full disk", Calm with { Verdict = RunVerdict.Failed, ExitCode = 7 }, "Free space" },
        {
            "consumer failed",
            Calm with { Verdict = RunVerdict.Failed, ExitCode = 4,
                Roles = [Calm.Roles[0], Calm.Roles[1] with { ExitCode = 4, Files = new("ConsPerf.log", "", "") }] },
            "Read ConsPerf.log: the consumer ended with exit code 4."
        },
        { "external", Calm with { Verdict = RunVerdict.Failed, ExitCode = 4, Roles = [Calm.Roles[0] with { Files = null }] },
            "See the output of the external programs." },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Find_OfARun_SaysWhatToDo(string name, RunDocument run, string? begin)
    {
        string? advice = RunAdvice.Find(run, isSearchable: true);
        Assert.True(begin is null ? advice is null : advice?.StartsWith(begin, StringComparison.Ordinal) == true, $"{name}: {advice}");
    }

    [Theory]
    [InlineData(RunVerdict.Missed, "See in the charts when it was missed.")]
    [InlineData(RunVerdict.Slow, "See the table of losses and the charts.")]
    public void Find_OfAScenarioWithoutSearch_NamesNone(string verdict, string advice) =>
        Assert.Equal(advice, RunAdvice.Find(Calm with { Verdict = verdict, Scenario = "roundtrip" }, isSearchable: false));

    [Fact]
    public void Page_OfASlowRun_HasAdviceAndCircumstancesInTheVerdictBox()
    {
        using TestFolder folder = new();
        File.WriteAllText(folder.PathOf(RunFile.Name), RunFile.CreateText(Calm with { Verdict = RunVerdict.Slow, Reason = "95 % of the rate" }));
        using StringWriter page = new();
        ReportPage.Write(page, RunPage.Create(PerfTools.Results.Recorded.RecordedRun.Read(folder.FullPath)));
        Assert.Matches("<span>95 % of the rate</span><p>Lower --rate; [^<]*</p><p class=soft>other programs: 2 % of the machine before the start; 3 % "
            + "during the run[^<]*</p></div>",
            page.ToString());
    }

    [Theory]
    [InlineData("foreignPercent", "other programs during the run, % of the machine")]
    [InlineData("rate", "rate, messages/s")]
    [InlineData("operatingSystem", "operating system")]
    [InlineData("runtimeSwitches.TieredPGO", "runtime switches tiered pgo")]
    [InlineData("arguments.provider", "arguments provider")]
    public void Words_OfANameOfJson_AreForPeople(string name, string words) => Assert.Equal(words, FactWords.Of(name));
}
