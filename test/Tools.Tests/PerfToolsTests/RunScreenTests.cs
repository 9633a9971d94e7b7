using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class RunScreenTests
{
    private const string Unit = "upd/s";

    private static readonly ProgressSample Measuring = new()
    {
        Images = new(10_000, 0.0214),
        IsMeasuring = true,
        Rate = 100_002,
        P50Micros = 31,
        P99Micros = 74.25,
        Roles = [new("provider", 6.2, 2_048), new("consumer", 4.8, null)],
    };

    [Fact]
    public void Show_RedirectedOutput_HasNoEscapesAndNoRepeatedLines()
    {
        using StringWriter output = new();
        RunScreen screen = new(new RunConsole(output), columns: null, Unit);
        screen.ShowHeadline("Provider to consumer");
        screen.ShowProgress(new ProgressSample(), TimeSpan.FromSeconds(10));
        for (int i = 0; i < 5; i++)
            screen.ShowProgress(Measuring, TimeSpan.FromSeconds(10));
        screen.ShowEnd(SampleFigures.Run, "runs/2026-11-21T101233-direct/", "report.html");
        Assert.Equal(
            """
            Provider to consumer
              images     10,000 in 0.021 s

            OK  updates 1,000,000 sent, 1,000,000 received
                rate         100,000/s asked, 100,000/s reached
                requests     10,000 sent, 10,000 received
                refreshes    10,000 sent, 10,000 received
                latency us   p50 31   p90 49   p99 74   p99.9 410   max 1,702
                             (10,000 samples)
                send lag us  p50 13.5   p99 61   max 590
                images       10,000 in 0.021 s
                CPU          provider 6.1 %, consumer 5.0 % of one core
                memory       provider 61 MB, consumer 58 MB
                assertion    p99<100us: 74us, kept
                files        runs/2026-11-21T101233-direct/
                report       runs/2026-11-21T101233-direct/report.html

            """,
            output.ToString());
    }

    [Theory]
    [InlineData(null, null, true)]
    [InlineData("xterm-256color", "", true)]
    [InlineData("xterm", "false", true)]
    [InlineData("dumb", null, false)]
    [InlineData("xterm", "true", false)]
    [InlineData(null, "1", false)]
    public void MayChangeLines_ConsoleOfACISystem_IsNotWatched(string? term, string? ci, bool expected) =>
        Assert.Equal(expected, Terminal.MayChangeLines(name => name switch { "TERM" => term, "CI" => ci, _ => null }));

    [Fact]
    public void Show_Screen_ReplacesItsLinesAndTakesThemAwayAtTheEnd()
    {
        using StringWriter output = new();
        RunScreen screen = new(new RunConsole(output), columns: 40, Unit, new StoppedClock());
        screen.ShowProgress(Measuring, TimeSpan.FromHours(1));
        screen.ShowProgress(Measuring with { Roles = [] }, TimeSpan.FromHours(1));
        screen.ShowEnd(SampleFigures.Run with { Verdict = "FAILED", Reason = "no final figures", Figures = null }, "r/");
        Assert.Equal(
            "  images     10,000 in 0.021 s\n"
            + "  measuring  ............  3,600 s left\u001b[K\n  provider  CPU 6 %  2 KB queued\u001b[K\n"
            + "  consumer  CPU 5 %\u001b[K\u001b[J"
            + "\r\u001b[2A  measuring  ............  3,600 s left\u001b[K\u001b[J"
            + $"\r\u001b[J\n{Coloured("31", "FAILED")}\n    files        r/\n",
            output.ToString());
    }

    [Fact]
    public void Create_Progress_ShowsBarTimeAndFigures() => Assert.Equal(
        "  measuring  ########............  6 s left   100,002 upd/s   p50 31 us  p99 74.3 us",
        ProgressText.Create(Unit, Measuring, TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(10)));

    [Theory]
    [InlineData(100, "  measuring  ########............  6 s left   100,002 upd/s   p50 31 us  p99 74.3 us")]
    [InlineData(80, "  measuring  ######.........  6 s left   100,002 upd/s   p50 31 us  p99 74.3 us")]
    [InlineData(60, "  measuring  ###.....  6 s left   100,002 upd/s   p50 31 us")]
    [InlineData(40, "  measuring  ######..........  6 s left")]
    [InlineData(20, "  measuring")]
    public void Create_NarrowScreen_ShortensTheBarAndLeavesWholePartsOut(int columns, string line) =>
        Assert.Equal(line, ProgressText.Create(Unit, Measuring, TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(10), columns));

    [Fact]
    public void Create_ProgressBeyondItsTime_StaysFull() => Assert.Equal(
        "  measuring  ####################  0 s left",
        ProgressText.Create(Unit, new ProgressSample(), TimeSpan.FromSeconds(14), TimeSpan.FromSeconds(10)));

    [Fact]
    public void Create_SlowRunWithLosses_SaysWhyAndHowMany()
    {
        RunDocument result = SampleFigures.Run with
        {
            Verdict = "SLOW",
            Reason = "too slow",
            Figures = SampleFigures.Good with { Images = null, LatencyMicros = null, SendLagMicros = null },
            Links = [SampleFigures.Link("updates", 1_000, 990, 10) with { NotSent = 5_000 }],
        };
        string[] expected =
        [
            "SLOW  updates 1,000 sent, 990 received, 10 counted as lost",
            "    rate         100,000/s asked, 100,000/s reached",
            "    not sent     5,000 updates were due and never sent",
            "    latency us   no samples",
            "    CPU          provider 6.1 %, consumer 5.0 % of one core",
            "    memory       provider 61 MB, consumer 58 MB",
            "    assertion    p99<100us: 74us, kept",
            "    files        r/",
        ];
        Assert.Equal(expected, ClosingText.Create(result, "r/"));
    }

    /// <summary>What is shown needs no more samples, whatever their number; the first percentile that is missing names what it needs.</summary>
    [Theory]
    [InlineData(10, 5.0, 5.0, 5.0, 5.0, null)]
    [InlineData(10, 5.0, null, null, null, "p90 needs 100 samples: raise --seconds or --latency-rate")]
    [InlineData(5_000, 5.0, 5.0, 5.0, null, "p99.9 needs 10,000 samples: raise --seconds or --latency-rate")]
    [InlineData(50_000, 5.0, 5.0, 5.0, null, null)] // not for want of samples
    public void Create_PercentileThatIsMissing_SaysHowManySamplesItNeeds(long count, double? p50, double? p90, double? p99, double? p999, string? expected)
    {
        RunLatency latency = SampleFigures.Good.LatencyMicros! with { Count = count, P50 = p50, P90 = p90, P99 = p99, P999 = p999 };
        RunDocument result = SampleFigures.Run with { Figures = SampleFigures.Good with { LatencyMicros = latency } };
        Assert.Equal(expected is null ? [] : [expected],
            ClosingText.Create(result, "r/").Where(line => line.Contains(" needs ", StringComparison.Ordinal)).Select(line => line.Trim()));
    }

    [Theory]
    [InlineData("bounded", 9.04, "+- 9.1 (clock)")]
    [InlineData("coarse", 9.04, "~ +- 9.1 (clock)")]
    [InlineData("same", 0.0, "+- 0 (same clock)")]
    [InlineData("unbounded", null, "clock unbounded")]
    [InlineData("clock-wrong", 9.04, "clock-wrong")]
    public void Create_LatencyCorrectedByAClock_HasItsBound(string state, double? bound, string text)
    {
        RunDocument result = SampleFigures.Run with
        {
            Figures = SampleFigures.Good with { Clock = SampleFigures.Clock with { State = state, BoundMicros = bound } },
        };
        Assert.Contains(ClosingText.Create(result, "r/"), line => line.EndsWith(text, StringComparison.Ordinal));
    }

    [Fact]
    public void Create_RoleThatIsNotOurs_SaysNotComparableAndNoRateAsked()
    {
        RunDocument result = SampleFigures.Run with
        {
            Figures = SampleFigures.Good with { RateAsked = null, SendLagMicros = null },
            Links = [SampleFigures.Link("updates", null, 1_000, comparable: false),
                SampleFigures.Link("requests", 10, null, null, comparable: false)],
            Roles = [RoleOutcome.OfExternal("provider", new("10.1.2.3", 14002)), SampleFigures.Run.Roles[1]],
        };
        string[] expected =
        [
            "OK  updates 1,000 received, not comparable",
            "    rate         100,000/s reached",
            "    requests     10 sent, not comparable",
            "    latency us   p50 31   p90 49   p99 74   p99.9 410   max 1,702",
            "                 (10,000 samples)",
            "    images       10,000 in 0.021 s",
            "    CPU          consumer 5.0 % of one core",
            "    memory       consumer 58 MB",
            "    assertion    p99<100us: 74us, kept",
            "    files        r/",
        ];
        Assert.Equal(expected, ClosingText.Create(result, "r/"));
    }

    // the environment of the tests may disable colours
    private static string Coloured(string colour, string text) => Terminal.AllowsColours ? $"\u001b[{colour}m{text}\u001b[0m" : text;

    private sealed class StoppedClock : TimeProvider
    {
        public override long GetTimestamp() => 0;
    }
}
