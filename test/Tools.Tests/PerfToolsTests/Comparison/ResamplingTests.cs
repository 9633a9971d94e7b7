using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary>Runs of one configuration against each other: every change that is reported there is noise.</summary>
public class ResamplingTests
{
    private const int Resamplings = 1_000;
    private const double MinSame = 0.95;

    [Theory]
    [InlineData(5)]
    public void Compare_RepeatedRunsOfOneConfiguration_SaysSameOfEveryFigure(int repeats) => AssertSame(random =>
    {
        MeasuredSegment[] drawn = [.. Draw(random, 2 * repeats).Select(run => run.Whole)];
        return RunComparison.Of(RecordedRuns.Set("A", drawn[..repeats]), RecordedRuns.Set("B", drawn[repeats..]));
    });

    [Fact]
    public void Compare_SingleRunsOfOneConfiguration_SaysSameOfEveryFigureThatHasParts() => AssertSame(random =>
    {
        RunSet[] sides = [.. Draw(random, 2).Select((run, i) => RecordedRuns.Set(i == 0 ? "A" : "B", run.Parts, run.Whole))];
        return RunComparison.Of(sides[0], sides[1]);
    });

    private static void AssertSame(Func<Random, RunComparison> compare)
    {
        Random random = new(1);
        Dictionary<string, int> changes = [];
        int changed = 0;
        for (int i = 0; i < Resamplings; i++)
        {
            FigureChange[] found = [.. compare(random).Figures.Where(figure => figure.Word is ChangeWord.Better or ChangeWord.Worse)];
            changed += Math.Min(1, found.Length);
            foreach (FigureChange change in found)
                changes[change.Figure.Name] = changes.GetValueOrDefault(change.Figure.Name) + 1;
        }

        string text = $"{changed} of {Resamplings} with a change: {string.Join(", ", changes.Select(pair => $"{pair.Key} {pair.Value}"))}";
        TestContext.Current.TestOutputHelper?.WriteLine(text);
        Assert.True(changed <= (1 - MinSame) * Resamplings, text);
    }

    private static IEnumerable<(MeasuredSegment Whole, IReadOnlyList<MeasuredSegment> Parts)> Draw(Random random, int count)
    {
        int[] order = [.. Enumerable.Range(0, RecordedRuns.All.Count)];
        random.Shuffle(order);
        return order.Take(count).Select(i => RecordedRuns.All[i]);
    }
}
