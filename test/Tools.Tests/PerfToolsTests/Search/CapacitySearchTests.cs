using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

[Trait("Category", "Fast")]
public class CapacitySearchTests
{
    private const int Seeds = 200;

    private static readonly SearchRange Range = new() { First = 100_000 };
    private static SearchBudget Ample => new(seconds: 300);

    internal static readonly Dictionary<string, (Func<SimulatedSystem, SearchStep, SearchSample> Run, Func<int, double> Capacity)> Systems = new()
    {
        ["exact"] = ((system, step) => system.RunExact(step), SimulatedSystem.Exact),
        ["M/D/1"] = ((system, step) => system.RunQueue(step), SimulatedSystem.Queue),
        ["jitter"] = ((system, step) => system.RunJitter(step), SimulatedSystem.Jitter),
        ["bistable"] = ((system, step) => system.RunBistable(step), SimulatedSystem.Bistable),
        ["leak"] = ((system, step) => system.RunLeak(step), SimulatedSystem.Leak),
        ["noisy"] = ((system, step) => system.RunNoisy(step), SimulatedSystem.Noisy),
    };

    public static TheoryData<string> Names => new(Systems.Keys);

    [Theory]
    [MemberData(nameof(Names))]
    public void Find_TwoHundredSeeds_HoldsTheKnownCapacityInNineOfTen(string name)
    {
        int inside = 0;
        for (int seed = 1; seed <= Seeds; seed++)
        {
            SimulatedSystem system = new(seed);
            SearchAnswer answer = new CapacitySearch(Range, new(seconds: 300), step => Systems[name].Run(system, step)).Find();
            double capacity = Systems[name].Capacity(system.Count);
            inside += answer.Interval.Low <= capacity && capacity <= answer.Interval.High ? 1 : 0;
        }

        Assert.InRange(inside, Seeds * 9 / 10, Seeds);
    }

    [Fact]
    public void Find_ExactLimit_ConfirmsAValueCloseBelowIt()
    {
        SimulatedSystem system = new(1);
        SearchAnswer answer = new CapacitySearch(Range, Ample, system.RunExact).Find();
        Assert.True(answer is { IsConfirmed: true, End: SearchEnd.Found });
        Assert.InRange(answer.Value!.Value, SimulatedSystem.Limit / 1.03, SimulatedSystem.Limit);
        Assert.Equal([answer.Value, answer.Value, answer.Value], answer.Samples.TakeLast(3).Select(sample => (int?)sample.Value));
        Assert.InRange(answer.Interval.High!.Value / answer.Interval.Low!.Value, 1, 1.1);
        Assert.Equal(answer.Missed, answer.FirstMiss!.Value);
    }

    [Fact]
    public void Find_OneOfThreeMisses_IsNotTheCapacity()
    {
        int confirming = 0;
        SearchAnswer answer = Find(step => step.Value <= 1_000 && !(step.Stage == SearchStage.Confirm && ++confirming == 3), 100);
        Assert.True(answer.IsConfirmed);
        SearchSample missed = answer.Samples.Single(sample => sample is { Stage: SearchStage.Confirm, IsKept: false });
        Assert.InRange(answer.Value!.Value, 1, missed.Value - 1);
        Assert.Equal(3, answer.Samples.Count(sample => sample.Value == answer.Value && sample.Stage == SearchStage.Confirm));
    }

    [Fact]
    public void Find_OneMissThatARepeatKeeps_DoesNotCount()
    {
        SearchAnswer answer = Find(step => step.Value <= 1_000 && step.Number != 2, 100);
        Assert.Equal([100, 200, 200, 400], answer.Samples.Take(4).Select(sample => sample.Value));
        Assert.InRange(answer.Value!.Value, 950, 1_000);
    }

    [Fact]
    public void Find_FirstValueMissed_GoesDown()
    {
        SearchAnswer answer = Find(step => step.Value <= 30, 1_000);
        Assert.Equal([1_000, 1_000, 500, 500], answer.Samples.Take(4).Select(sample => sample.Value));
        Assert.Equal((30, true), (answer.Value, answer.IsConfirmed));
    }

    [Fact]
    public void Find_NothingKept_EndsAtTheLeastValueWithoutAnAnswer()
    {
        SearchAnswer answer = Find(_ => false, 4);
        Assert.Equal((null, false, 1, null), (answer.Value, answer.IsConfirmed, answer.Missed, answer.Interval.Low));
        Assert.Equal([4, 4, 2, 2, 1, 1], answer.Samples.Select(sample => sample.Value));
    }

    [Fact]
    public void Find_EverythingKept_ConfirmsTheGreatestValueWithoutAnUpperBound()
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 3, Max = 8 }, Ample, step => Sample(step, true)).Find();
        Assert.Equal((8, true, 8, null), (answer.Value, answer.IsConfirmed, (int?)answer.Interval.Low, answer.Interval.High));
        Assert.Equal([3, 6, 8, 8, 8, 8], answer.Samples.Select(sample => sample.Value));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(9)]
    [InlineData(13)]
    public void Find_BudgetEnds_TellsWhatIsKnown(int measurements)
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 100 }, new(1_000, measurements), step => Sample(step, step.Value <= 1_000)).Find();
        Assert.InRange(answer.Samples.Count, 1, measurements);
        Assert.Equal(answer is { IsConfirmed: true, Missed: not null }, answer.End == SearchEnd.Found);
        Assert.InRange(answer.Value!.Value, 100, 1_000);
        Assert.Equal(answer.IsConfirmed, 3 == answer.Samples.Count(sample => sample.Value == answer.Value && sample.Stage == SearchStage.Confirm));
    }

    [Fact]
    public void Find_BudgetEndsBetweenTheTwo_LeavesTheTimeToConfirm()
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 100 }, new(1_000, 13), step => Sample(step, step.Value <= 1_000)).Find();
        Assert.True(answer is { IsConfirmed: true, End: SearchEnd.Found });
        Assert.InRange(answer.Missed!.Value / (double)answer.Value!.Value, 1.03, 2);
    }

    [Fact]
    public void Find_SecondsOfTheBudget_AreThoseOfTheMeasurements()
    {
        SearchAnswer answer = new CapacitySearch(Range, new(seconds: 71), step => Sample(step, true) with { Seconds = 10 }).Find();
        Assert.Equal((5, 50, SearchEnd.Budget), (answer.Samples.Count, answer.Seconds, answer.End));
        Assert.Equal((200_000, true, null), (answer.Value, answer.IsConfirmed, answer.Interval.High));
    }

    [Fact]
    public void HasRoomFor_FirstThatStartsTheRoles_CountsOnlyWhileItIsAlone()
    {
        SearchBudget budget = new(seconds: 60);
        budget.Add(20);
        Assert.Equal((true, false), (budget.HasRoomFor(2), budget.HasRoomFor(3)));
        budget.Add(4);
        Assert.Equal((true, false), (budget.HasRoomFor(9), budget.HasRoomFor(10)));
    }

    [Fact]
    public void Find_Interrupted_TellsWhatIsKnown()
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 100 }, Ample, step => step.Number == 5 ? null : Sample(step, step.Value <= 400)).Find();
        Assert.Equal((400, false, SearchEnd.Interrupted), (answer.Value, answer.IsConfirmed, answer.End));
    }

    [Fact]
    public void Find_DisturbedRuns_AreDroppedAndRepeated()
    {
        SearchAnswer answer = Find(step => step.Value <= 1_000, 100, step => step.Number % 3 == 0 ? "machine busy" : null);
        Assert.True(answer.IsConfirmed);
        Assert.All(answer.Dropped, sample => Assert.Equal("machine busy", sample.Disturbance));
        Assert.All(answer.Samples, sample => Assert.Null(sample.Disturbance));
        Assert.InRange(answer.Dropped.Count, 4, 20);
    }

    [Fact]
    public void Find_AlwaysDisturbed_Ends()
    {
        SearchAnswer answer = Find(_ => true, 100, _ => "machine busy");
        Assert.Equal((null, SearchEnd.Disturbed, 0, 5), (answer.Value, answer.End, answer.Samples.Count, answer.Dropped.Count));
    }

    [Fact]
    public void Find_AnotherPlacementThanInTheBracket_IsDropped()
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 100 }, Ample, step =>
        {
            bool isApart = step.Stage != SearchStage.Bracket && step.Number % 4 == 0;
            return Sample(step, step.Value <= (isApart ? 300 : 1_000)) with { Placement = isApart ? "apart" : "shared" };
        }).Find();
        Assert.InRange(answer.Value!.Value, 950, 1_000);
        Assert.NotEmpty(answer.Dropped);
        Assert.All(answer.Dropped, sample => Assert.Equal("placement apart instead of shared", sample.Disturbance));
    }

    [Fact]
    public void Find_PlacementThatChangedForGood_IsTakenAfterThreeRuns()
    {
        SearchAnswer answer = new CapacitySearch(new() { First = 100 }, Ample, step =>
            Sample(step, step.Value <= 1_000) with { Placement = step.Stage == SearchStage.Bracket ? "shared" : "apart" }).Find();
        Assert.Equal((3, true), (answer.Dropped.Count, answer.IsConfirmed));
    }

    [Fact]
    public void Of_KeptAndMissedAtTheSameValues_IsWide()
    {
        SearchSample[] clear = [.. Samples(500, true), .. Samples(800, true), .. Samples(900, true), .. Samples(960, true),
            .. Samples(1_000, true, true, true), .. Samples(1_030, false, false), .. Samples(1_060, false, false)];
        SearchSample[] mixed = [.. Samples(700, true, false), .. Samples(850, true, false), .. Samples(1_000, true, false), .. Samples(1_030, false, false)];
        CapacityInterval narrow = CapacityEstimate.Of(clear, 1_000), wide = CapacityEstimate.Of(mixed, 700);
        Assert.InRange(narrow.Low!.Value, 900, 1_000);
        Assert.InRange(narrow.High!.Value, 1_000, 1_100);
        Assert.InRange(wide.Low!.Value, 1, 699);
        Assert.True(wide.High - wide.Low > 2 * (narrow.High - narrow.Low));
    }

    private static SearchAnswer Find(Func<SearchStep, bool> isKept, int first, Func<SearchStep, string?>? disturb = null) =>
        new CapacitySearch(new() { First = first }, new(10_000), step => Sample(step, isKept(step)) with { Disturbance = disturb?.Invoke(step) }).Find();

    private static SearchSample Sample(SearchStep step, bool isKept) => new() { Value = step.Value, IsKept = isKept, Seconds = 1 };

    private static IEnumerable<SearchSample> Samples(int value, params bool[] kept) =>
        kept.Select(isKept => new SearchSample { Value = value, IsKept = isKept });
}
