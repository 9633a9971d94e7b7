using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Documents;
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

    [Fact]
    public void RunJson_Clocks_AreReadAgain()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(Run));
        JsonElement first = written.RootElement.GetProperty("clocks")[0];
        Assert.Equal(["rank", "offsetMicros", "errorMicros", "synchronized", "maxErrorMicros", "estimatedErrorMicros", "hardwareClocks"],
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
    public void Outputs_OneClock_SayNothing()
    {
        RunDocument same = Run with { Figures = SampleFigures.Good with { Clock = SampleFigures.Clock with { State = "same" } } },
            alone = Run with { Clocks = [Run.Clocks![0]] };
        Assert.All((RunDocument[])[same, alone, Run with { Figures = SampleFigures.Good }, SampleFigures.Run],
            run => Assert.DoesNotContain(ClosingText.Create(run, "runs/x/"), text => text.StartsWith("    clocks ", StringComparison.Ordinal)));
        Assert.Empty(ClockTable.Create(alone).Rows);
    }
}
