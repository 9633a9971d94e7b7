using PerfTools.Hosting.Options;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class UsersVariantTests
{
    private static readonly UsersLoad High = UsersLoad.All.Single(load => load.Name == "users-high");

    [Fact]
    public void Loads_Numbers_AreThoseOfTheTable()
    {
        Assert.Equal([500, 2_000, 5_000, 20_000], UsersLoad.All.Select(load => load.Base.SourceRate));
        Assert.Equal([1, 10, 50, 100], UsersLoad.All.Select(load => load.Base.UserRate));
        Assert.Equal([60, 33, 56, 20], UsersLoad.All.Select(load => StepList.TryParse(load.FullSteps)!.Totals.Count));
        Assert.Equal([2_000, 1_000, 500, 400], UsersLoad.All.Select(load => StepList.TryParse(load.QuickSteps)!.Totals[^1]));
        Assert.Equal((28, 28, 18),
            (StepList.TryParse(High.BatchSteps!)!.Totals.Count, StepList.TryParse(High.SizeSteps!)!.Totals.Count,
                StepList.TryParse(UsersLoad.All[3].BatchSteps!)!.Totals.Count));
    }

    [Fact]
    public void Plan_Quick_IsTheBaseAlone()
    {
        UsersVariant only = Assert.Single(Plan(new()));
        Assert.Equal(("base", "100,250,500"), (only.Name, only.Steps.ToString()));
    }

    [Fact]
    public void Plan_AllVariants_AreSevenWithTheirLastStepAlone()
    {
        IReadOnlyList<UsersVariant> all = Plan(new() { HasAllVariants = true });
        Assert.Equal(["base", "burst25", "burst50", "burst100", "size108", "size162", "size216"], all.Select(variant => variant.Name));
        Assert.All(all.Skip(1), variant => Assert.Equal("500", variant.Steps.ToString()));
    }

    [Fact]
    public void Plan_Full_HasTheStepsOfEachKind()
    {
        IReadOnlyList<UsersVariant> all = Plan(new() { HasAllVariants = true, IsFull = true });
        Assert.Equal([56, 28, 28, 28, 28, 28, 28], all.Select(variant => variant.Steps.Totals.Count));
    }

    [Fact]
    public void Plan_Sweeps_AreEveryCombination()
    {
        IReadOnlyList<UsersVariant> all =
            Plan(new() { Sweeps = ["sessionThreads=1,2", "sourceThreads=1,2"], Settings = ["sources=1"], Steps = StepList.TryParse("10") });
        Assert.Equal(
            ["sourceThreads-1-sessionThreads-1", "sourceThreads-2-sessionThreads-1", "sourceThreads-1-sessionThreads-2",
                "sourceThreads-2-sessionThreads-2"],
            all.Select(variant => variant.Name));
        Assert.All(all, variant => Assert.Equal((1, "10"), (variant.Parameters.Sources, variant.Steps.ToString())));
    }

    [Theory]
    [InlineData("sise=54", "--set: sise: unknown parameter; did you mean size?")]
    [InlineData("size", "--set: 'size' is not name=value")]
    [InlineData("size=33", "--set: '33' is no value of size")]
    [InlineData("pattern=all", "--set: 'all' is no value of pattern")]
    [InlineData("burstMax=61", "--set: '61' is no value of burstMax")]
    public void Plan_WrongSetting_NamesIt(string setting, string problem)
    {
        Assert.Empty(UsersVariant.Plan(High, new() { Settings = [setting] }, out string? found));
        Assert.Equal(problem, found);
    }

    [Fact]
    public void Plan_WrongSweep_NamesIt()
    {
        Assert.Empty(UsersVariant.Plan(High, new() { Sweeps = ["size=108,large"] }, out string? found));
        Assert.Equal("--sweep: 'large' is no value of size", found);
    }

    private static IReadOnlyList<UsersVariant> Plan(UsersOptions options)
    {
        IReadOnlyList<UsersVariant> all = UsersVariant.Plan(High, options, out string? problem);
        Assert.Null(problem);
        return all;
    }
}
