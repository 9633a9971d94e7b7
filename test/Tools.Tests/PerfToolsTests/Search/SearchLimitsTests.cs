using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>The rules of a search at their limits: budget, repeats, steps down, and the interval without measurements.</summary>
[Trait("Category", "Fast")]
public class SearchLimitsTests
{
    [Fact]
    public void HasRoomFor_AtTheSecondsOfTheBudget_IsTrueAndBeyondThemFalse()
    {
        SearchBudget budget = new(seconds: 60);
        budget.Add(10);
        budget.Add(10);
        Assert.Equal((20, 2), (budget.Spent, budget.Count));
        Assert.Equal((true, false), (budget.HasRoomFor(4), budget.HasRoomFor(5)));
    }

    [Fact]
    public void HasRoomFor_AtTheNumberOfMeasurements_IsTrueAndBeyondItFalse()
    {
        SearchBudget budget = new(seconds: 1_000, samples: 3);
        Assert.Equal((true, false), (budget.HasRoomFor(3), budget.HasRoomFor(4)));
        budget.Add(1);
        budget.Add(1);
        Assert.Equal((true, false), (budget.HasRoomFor(1), budget.HasRoomFor(2)));
    }

    /// <summary>The next measurement takes as long as the longest of the last three, those of the roles' start left out.</summary>
    [Fact]
    public void HasRoomFor_AfterALongMeasurement_ExpectsItForThreeMore()
    {
        SearchBudget budget = new(seconds: 100);
        foreach (double seconds in (double[])[1, 30, 5, 5])
            budget.Add(seconds);
        Assert.Equal((true, false), (budget.HasRoomFor(1), budget.HasRoomFor(2))); // 41 and 30
        budget.Add(5);
        Assert.Equal((true, false), (budget.HasRoomFor(10), budget.HasRoomFor(11))); // 46 and 5 each
    }

    [Theory]
    [InlineData(4, true, 4)]
    [InlineData(5, false, 5)]
    public void Find_FiveDisturbedInARow_Ends(int disturbed, bool isConfirmed, int dropped)
    {
        SearchAnswer answer = Find(step => step.Value <= 1_000, step => step.Number <= disturbed);
        Assert.Equal((isConfirmed, isConfirmed ? SearchEnd.Found : SearchEnd.Disturbed, dropped), (answer.IsConfirmed, answer.End, answer.Dropped.Count));
    }

    /// <summary>Disturbed runs are counted anew at each measurement.</summary>
    [Fact]
    public void Find_FourDisturbedAtEachMeasurement_GoesOn()
    {
        int inARow = 0;
        SearchAnswer answer = Find(step => step.Value <= 1_000, _ => ++inARow % 5 != 0);
        Assert.True(answer.IsConfirmed);
        Assert.Equal(4 * answer.Samples.Count, answer.Dropped.Count);
    }

    /// <summary>While it narrows, one miss and one kept are decided by a third run; two misses are enough.</summary>
    [Theory]
    [InlineData("missed kept kept", true)]
    [InlineData("missed kept missed", false)]
    [InlineData("missed missed", false)]
    [InlineData("kept", true)]
    public void Find_OneOfEachWhileItNarrows_IsDecidedByTheThird(string outcomes, bool goesUp)
    {
        const int Middle = 1_130; // of 800, which is kept, and 1,600
        Queue<string> left = new(outcomes.Split(' '));
        int runs = left.Count;
        SearchAnswer answer = Find(step => step.Value == Middle && left.TryDequeue(out string? outcome) ? outcome == "kept" : step.Value <= 1_000);
        SearchSample[] narrow = [.. answer.Samples.Where(sample => sample.Stage == SearchStage.Narrow)];
        Assert.All(narrow[..runs], sample => Assert.Equal(Middle, sample.Value));
        Assert.Equal(goesUp, narrow[runs].Value > Middle);
        Assert.NotEqual(Middle, narrow[runs].Value);
    }

    /// <summary>A value that does not confirm is followed by one that is one width lower, then two, then four.</summary>
    [Fact]
    public void Find_ValuesThatDoNotConfirm_StepsDownFartherEachTime()
    {
        SearchAnswer answer = Find(step => step.Value <= (step.Stage == SearchStage.Confirm ? 500 : 1_000));
        int[] tried = [.. answer.Samples.Where(sample => sample.Stage == SearchStage.Confirm).Select(sample => sample.Value).Distinct().Take(5)];
        Assert.InRange(tried[0], 970, 1_000);
        double[] widths = [.. tried.Zip(tried.Skip(1), (higher, lower) => Math.Log((double)higher / lower) / Math.Log(1.03))];
        Assert.Equal([1, 2, 4, 8], widths.Select(width => (int)Math.Round(width)));
        Assert.True(answer is { IsConfirmed: true, End: SearchEnd.Found });
        Assert.InRange(answer.Value!.Value, 485, 500); // the last step was large: the gap was searched again
    }

    [Fact]
    public void Of_NoMeasurements_IsUnbounded() => Assert.Equal(new CapacityInterval(null, null), CapacityEstimate.Of([], null));

    [Fact]
    public void Of_KeptOnly_IsBoundedBelow()
    {
        SearchSample[] kept = [Sample(100, true), Sample(400, true), Sample(200, true)];
        Assert.Equal(new CapacityInterval(200, null), CapacityEstimate.Of(kept, 200)); // the answer
        CapacityInterval interval = CapacityEstimate.Of(kept, null);
        Assert.Equal(400, interval.Low!.Value, 1e-9);
        Assert.Null(interval.High);
    }

    [Fact]
    public void Of_MissedOnly_IsBoundedAboveByTheLeast()
    {
        CapacityInterval interval = CapacityEstimate.Of([Sample(400, false), Sample(100, false), Sample(200, false)], null);
        Assert.Null(interval.Low);
        Assert.Equal(100, interval.High!.Value, 1e-9);
    }

    /// <summary>The interval contains the answer in any case.</summary>
    [Theory]
    [InlineData(10)]
    [InlineData(10_000)]
    public void Of_AnAnswerBesideTheMeasurements_ContainsIt(int value)
    {
        SearchSample[] samples = [Sample(1_000, true), Sample(1_000, true), Sample(1_030, false), Sample(1_030, false)];
        CapacityInterval without = CapacityEstimate.Of(samples, null), with = CapacityEstimate.Of(samples, value);
        Assert.InRange(without.Low!.Value, 500, 1_030);
        Assert.InRange(without.High!.Value, 1_000, 2_000);
        Assert.Equal((Math.Min(value, without.Low.Value), Math.Max(value, without.High.Value)), (with.Low, with.High));
    }

    private static SearchAnswer Find(Func<SearchStep, bool> isKept, Func<SearchStep, bool>? isDisturbed = null) =>
        new CapacitySearch(new() { First = 100 }, new(seconds: 10_000), step => Sample(step.Value, isKept(step)) with
        {
            Disturbance = isDisturbed?.Invoke(step) == true ? "machine busy" : null,
        }).Find();

    private static SearchSample Sample(int value, bool isKept) => new() { Value = value, IsKept = isKept, Seconds = 1 };
}
