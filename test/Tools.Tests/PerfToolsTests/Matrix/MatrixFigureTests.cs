using PerfTools.Matrix;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>The figures of the cells of a matrix: what they are, which end is better, and where the run has none.</summary>
[Trait("Category", "Fast")]
public class MatrixFigureTests
{
    private static readonly RunFigures Figures = SampleFigures.Run.Figures!;

    private static readonly RunDocument Run = SampleFigures.Run with
    {
        Figures = Figures with
        {
            RateAsked = 200_000,
            RateReached = 150_000,
            Images = new(10, 0.25),
            LatencyMicros = Figures.LatencyMicros! with { P50 = 41, P99 = 97 },
        },
        Roles = [SampleFigures.Run.Roles[0] with { Name = "consumer", CpuCorePercent = 30, MemoryMegabytes = 64, Outside = null }],
    };

    public static TheoryData<string, bool, double> Cells => new()
    {
        { "rateKeptPercent", false, 75 },
        { "imagesSeconds", true, 0.25 },
        { "p50", true, 41 },
        { "p99", true, 97 },
        { "consumer.nanosPerMessage", true, 2_000 }, // 30 % of a second for 150,000
        { "consumer.megabytes", true, 64 },
    };

    [Theory]
    [MemberData(nameof(Cells))]
    public void Read_Run_IsItsFigure(string name, bool isLowerBetter, double expected)
    {
        MatrixFigure figure = Find(name);
        Assert.Equal((isLowerBetter, expected), (figure.IsLowerBetter, figure.Read(Run)!.Value));
        Assert.Null(figure.Read(Run with { Figures = null, Roles = [] }));
    }

    [Fact]
    public void Of_Scenario_HasEveryFigureOnce() =>
        Assert.Equal(Cells.Select(cell => cell.Data.Item1), MatrixFigure.Of(["consumer"], "update").Select(figure => figure.Name));

    /// <summary>A run without a rate asked has no share of it; one that reached none has no cost of a message.</summary>
    [Fact]
    public void Read_RatesOfZero_AreNoFigures()
    {
        Assert.Null(Find("rateKeptPercent").Read(Run with { Figures = Run.Figures! with { RateAsked = 0 } }));
        Assert.Null(Find("consumer.nanosPerMessage").Read(Run with { Figures = Run.Figures! with { RateReached = 0 } }));
    }

    /// <summary>What the system counted is there for every edition, and is taken first.</summary>
    [Fact]
    public void Read_UseFromOutside_ComesBeforeTheRolesOwn()
    {
        RunDocument outside = Run with
        {
            Roles = [Run.Roles[0] with { Outside = new(12, 60, 99) }],
        };
        Assert.Equal((4_000.0, 99.0), (Find("consumer.nanosPerMessage").Read(outside)!.Value, Find("consumer.megabytes").Read(outside)!.Value));
    }

    private static MatrixFigure Find(string name) => MatrixFigure.Of(["consumer"], "update").Single(figure => figure.Name == name);
}
