using PerfTools.Sizing;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Sizing;

public sealed class RelativeFitTests
{
    private const double IdleCost = 5, MessageCost = 1e-5, ItemCost = 2e-4;

    [Fact]
    public void Of_ExactCosts_FindsEachPart()
    {
        double[][] rows = [[1, 100_000, 10_000], [1, 1_000_000, 10_000], [1, 3_000_000, 10_000], [1, 1_000_000, 200_000], [1, 500_000, 50_000]];
        RelativeFit fit = RelativeFit.Of(rows, [.. rows.Select(Cost)]);
        Assert.Equal(IdleCost, fit.Costs[0], 1e-6);
        Assert.Equal(MessageCost, fit.Costs[1], 1e-12);
        Assert.Equal(ItemCost, fit.Costs[2], 1e-10);
        Assert.InRange(fit.WorstError, 0, 1e-9);
        SizeValue far = fit.Predict([1, 10_000_000, 1_000_000]);
        Assert.Equal(Cost([1, 10_000_000, 1_000_000]), far.Value, 1e-6);
        Assert.Equal(far.Value, far.Low!.Value, 1e-3);
    }

    [Fact]
    public void Of_ColumnThatIsAlwaysTheSame_IsNotKnown()
    {
        double[][] rows = [[1, 100_000, 10_000], [1, 1_000_000, 10_000], [1, 3_000_000, 10_000]];
        RelativeFit fit = RelativeFit.Of(rows, [.. rows.Select(Cost)]);
        Assert.True(fit.Knows(0) && fit.Knows(1));
        Assert.False(fit.Knows(2));
        Assert.Equal(IdleCost + (10_000 * ItemCost), fit.Costs[0], 1e-6);
    }

    [Fact]
    public void Of_ColumnThatGoesWithAnother_IsNotKnown()
    {
        double[][] rows = [[1, 100, 200], [1, 200, 400], [1, 400, 800]];
        RelativeFit fit = RelativeFit.Of(rows, [10, 20, 40]);
        Assert.True(fit.Knows(1));
        Assert.False(fit.Knows(2));
    }

    [Fact]
    public void Of_FallingCosts_HaveNoNegativePart()
    {
        double[][] rows = [[1, 100], [1, 200], [1, 400]];
        RelativeFit fit = RelativeFit.Of(rows, [40, 39, 38]);
        Assert.Equal(0, fit.Costs[1]);
        Assert.True(fit.Knows(1));
        Assert.InRange(fit.Predict([1, 10_000]).Value, 38, 40);
    }

    [Fact]
    public void Predict_AsManyMeasurementsAsParts_HasNoRange()
    {
        RelativeFit fit = RelativeFit.Of([[1, 100], [1, 200]], [2, 3]);
        Assert.Equal(new(5, null, null), fit.Predict([1, 400]) with { Value = Math.Round(fit.Predict([1, 400]).Value, 9) });
    }

    [Fact]
    public void Predict_NoisyCosts_RangeHoldsANewRunInNineteenOfTwenty()
    {
        Random random = new(3);
        int held = 0;
        const int Tries = 2_000;
        for (int i = 0; i < Tries; i++)
        {
            double[][] rows = [.. Enumerable.Range(1, 6).Select(step => (double[])[1, step * 200_000])];
            RelativeFit fit = RelativeFit.Of(rows, [.. rows.Select(row => Noisy(row, random))]);
            double[] asked = [1, 900_000];
            SizeValue range = fit.Predict(asked);
            double actual = Noisy(asked, random);
            held += range.Low <= actual && actual <= range.High ? 1 : 0;
        }

        Assert.InRange(held, Tries * 92 / 100, Tries * 98 / 100);
    }

    private static double Cost(double[] row) => IdleCost + (row[1] * MessageCost) + (row.Length > 2 ? row[2] * ItemCost : 0);

    private static double Noisy(double[] row, Random random) =>
        Cost(row) * (1 + (0.05 * Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble())));
}
