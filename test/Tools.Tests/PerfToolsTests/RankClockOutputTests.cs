using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The wall clocks of the ranks of a run in every output.</summary>
[Trait("Category", "Fast")]
public class RankClockOutputTests
{
    private static readonly RunDocument Run = SampleFigures.Run with
    {
        Figures = SampleFigures.Good with { Clock = SampleFigures.Clock },
        Clocks =
        [
            new() { Rank = 0, OffsetMicros = 0, ErrorMicros = 0, Synchronized = true, MaxErrorMicros = 1_234, EstimatedErrorMicros = 56,
                HardwareClocks = ["ptp0 card", "ptp1 KVM"] },
            new() { Rank = 1, OffsetMicros = 2_500, ErrorMicros = 410, Synchronized = false, HardwareClocks = [] },
            new() { Rank = 2, OffsetMicros = null, ErrorMicros = null },
            new() { Rank = 3, OffsetMicros = -7, ErrorMicros = 300, Synchronized = false },
        ],
    };

    private static RunDocument Checked => Run with
    {
        ClockChecks =
        [
            new() { Rank = 0, Against = 1, By = "probes", MinMicros = -12.5, MaxMicros = 320, StatedMicros = 1_634 },
            new() { Rank = 0, Against = 2, By = "probes", MinMicros = 2_301, MaxMicros = 2_320, StatedMicros = 90 },
            new() { Rank = 0, Against = 3, By = "probes", MinMicros = 1, MaxMicros = 2, StatedMicros = null },
            new() { Rank = 4, Against = 0, By = "rendezvous", MinMicros = -100, MaxMicros = 700, StatedMicros = 90 },
            new() { Rank = 5, Against = 0, By = "rendezvous", MinMicros = 1_000_000, MaxMicros = 1_000_800, StatedMicros = 90 },
        ],
    };

    [Fact]
    public void RunJson_Clocks_AreReadAgain()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(Run));
        JsonElement first = written.RootElement.GetProperty("clocks")[0];
        Assert.Equal(["rank", "offsetMicros", "errorMicros", "synchronized", "maxErrorMicros", "estimatedErrorMicros", "hardwareClocks",
            "zeroUnixMicros", "zeroErrorMicros"],
            first.EnumerateObject().Select(member => member.Name));
        Assert.Equal("ptp1 KVM", first.GetProperty("hardwareClocks")[1].GetString());
        Assert.DoesNotContain("\"clocks\"", RunFile.CreateText(SampleFigures.Run), StringComparison.Ordinal);
    }

    [Fact]
    public void Page_Clocks_AreATable() => Assert.Equal(
        [
            ["rank 0", "synchronized within 1.234 ms", "ptp0 card, ptp1 KVM", "0", "0", "1,234", "56"],
            ["rank 1", "not synchronized", "-", "2,500", "410", "-", "-"],
            ["rank 2", "not known", "-", "-", "-", "-", "-"],
            ["rank 3", "not synchronized", "-", "-7", "300", "-", "-"],
        ],
        ClockTable.Create(Run).Rows.Select(row => row.Select(cell => cell.Text).ToArray()));

    [Fact]
    public void Markdown_Clocks_AreRows()
    {
        using StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", Run)], null);
        Assert.Contains("| clock of rank 1, ahead of rank 0 by us | 2,500 +- 410 | not synchronized |", markdown.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void ClosingText_TwoClocksWereMeasured_HasTheStateOfAll()
    {
        string[] closing = [.. ClosingText.Create(Run, "runs/x/")];
        int line = Array.FindIndex(closing, text => text.StartsWith("    clocks ", StringComparison.Ordinal));
        Assert.Equal(["    clocks       rank 0 synchronized within 1.234 ms, ranks 1 3 not synchronized,", "                 rank 2 not known"],
            closing[line..(line + 2)]);
    }

    [Fact]
    public void RunJson_ClockChecks_AreReadAgain()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(Checked));
        Assert.Equal(["rank", "against", "by", "minMicros", "maxMicros", "statedMicros", "agrees"],
            written.RootElement.GetProperty("clockChecks")[0].EnumerateObject().Select(member => member.Name));
        Assert.Equal([JsonValueKind.True, JsonValueKind.False, JsonValueKind.Null, JsonValueKind.True, JsonValueKind.False],
            written.RootElement.GetProperty("clockChecks").EnumerateArray().Select(check => check.GetProperty("agrees").ValueKind));
        using TestFolder folder = new();
        File.WriteAllText(folder.PathOf("run.json"), RunFile.CreateText(Checked));
        Assert.Equal(Checked.ClockChecks, RunFile.Read(folder.PathOf("run.json")).ClockChecks);
        Assert.DoesNotContain("clockChecks", RunFile.CreateText(Run), StringComparison.Ordinal);
    }

    [Fact]
    public void ClosingText_NtpAndTheProbes_StandBesideEachOther()
    {
        string[] closing = [.. ClosingText.Create(Checked, "runs/x/")];
        int line = Array.FindIndex(closing, text => text.StartsWith("    clocks       rank 0 ahead", StringComparison.Ordinal));
        Assert.Equal(
            [
                "    clocks       rank 0 ahead of rank 1: NTP or PTP says 0 +- 1,634 us,",
                "                 the probes say -12.5 to 320 us, they agree",
                "    clocks       rank 0 ahead of rank 2: NTP or PTP says 0 +- 90 us,",
                "                 the probes say 2,301 to 2,320 us,",
                "                 they contradict each other: the probes count",
                "    clocks       rank 5 ahead of rank 0: NTP or PTP says 0 +- 90 us,",
                "                 the rendezvous says 1,000,000 to 1,000,800 us,",
                "                 they contradict each other: the rendezvous counts",
            ],
            closing[line..(line + 8)]);
        Assert.Equal(4, closing.Count(text => text.StartsWith("    clocks ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Page_ClockChecks_AreATable()
    {
        string[][] rows = [.. ClockTable.CreateChecks(Checked).Rows.Select(row => row.Select(cell => cell.Text).ToArray())];
        Assert.Equal(["rank 0 ahead of rank 1", "the probes", "0 +- 1,634", "-12.5", "320", "they agree"], rows[0]);
        Assert.Equal(["rank 0 ahead of rank 2", "the probes", "0 +- 90", "2,301", "2,320", "they contradict each other: the probes count"], rows[1]);
        Assert.Equal(["rank 0 ahead of rank 3", "the probes", "-", "1", "2", "NTP or PTP states nothing"], rows[2]);
        Assert.Equal(["rank 4 ahead of rank 0", "the rendezvous", "0 +- 90", "-100", "700", "they agree"], rows[3]);
        Assert.Equal(5, rows.Length);
        Assert.Empty(ClockTable.CreateChecks(Run).Rows);
    }

    [Fact]
    public void Markdown_ClockChecks_AreRows()
    {
        using StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", Checked)], null);
        Assert.Contains("| rank 0 ahead of rank 1 by the probes, us | -12.5 to 320 | NTP or PTP says 0 +- 1,634: they agree |", markdown.ToString(),
            StringComparison.Ordinal);
        Assert.Contains("| rank 0 ahead of rank 2 by the probes, us | 2,301 to 2,320 | NTP or PTP says 0 +- 90: they contradict each other: the probes count |",
            markdown.ToString(), StringComparison.Ordinal);
    }

    /// <summary>The bound of a clock that was probed through a relay is the sum of both ways: every output names the relay.</summary>
    [Theory]
    [InlineData("bounded", "+- 9.1 (clock via rank 0)")]
    [InlineData("unbounded", "clock via rank 0 unbounded")]
    public void Outputs_ClockThroughARelay_NameIt(string state, string shown)
    {
        RunClock clock = SampleFigures.Clock with { Transport = "udp via rank 0", State = state };
        RunDocument relayed = Run with { Figures = SampleFigures.Good with { Clock = clock } };
        Assert.Contains(ClosingText.Create(relayed, "runs/x/"), text => text.Contains(shown, StringComparison.Ordinal));
        using StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", relayed)], null);
        Assert.Contains($"| bound of latency by the clock, us | 9 | {state} via rank 0 |", markdown.ToString(), StringComparison.Ordinal);
        using TestFolder folder = new();
        File.WriteAllText(folder.PathOf("run.json"), RunFile.CreateText(relayed));
        using StringWriter page = new();
        ReportPage.Write(page, RunPage.Create(RecordedRun.Read(folder.FullPath)));
        Assert.Contains(">udp via rank 0<", page.ToString(), StringComparison.Ordinal);
        Assert.Equal(clock, RunFile.Read(folder.PathOf("run.json")).Figures!.Clock);
    }

    [Fact]
    public void Outputs_OneClock_SayNothing()
    {
        RunDocument same = Run with { Figures = SampleFigures.Good with { Clock = SampleFigures.Clock with { State = "same" } } },
            alone = Run with { Clocks = [Run.Clocks![0]] };
        Assert.All((RunDocument[])[same, alone, Run with { Figures = SampleFigures.Good }, SampleFigures.Run],
            run => Assert.DoesNotContain(ClosingText.Create(run, "runs/x/"), text => text.StartsWith("    clocks ", StringComparison.Ordinal)));
        Assert.Empty(ClockTable.Create(alone).Rows);
    }
}
