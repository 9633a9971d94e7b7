using System.Reflection;
using PerfTools.Results.Documents;
using PerfTools.Sizing;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Sizing;

/// <summary>Which runs of a folder count for a size and why the others do not, and how the amounts of the command line are read.</summary>
[Trait("Category", "Fast")]
public sealed class SizedRunsTests : IDisposable
{
    private const string NotReached = "the rate was not reached";
    private const string Busy = "machine busy with other programs";

    private static readonly RunDocument Good = SampleFigures.Run with { Machine = SampleFigures.Run.Machine with { ForeignPercent = 3 } };

    // Each verdict, and why a run of it does not count.
    private static readonly Dictionary<string, string?> Verdicts = new()
    {
        [RunVerdict.Ok] = null,
        [RunVerdict.Slow] = null,
        [RunVerdict.Missed] = null,
        [RunVerdict.Interrupted] = "INTERRUPTED",
        [RunVerdict.Failed] = "FAILED",
    };

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Read_RunOfEachVerdict_CountsWhereItIsComplete()
    {
        Assert.Equal(typeof(RunVerdict).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (string)field.GetRawConstantValue()!).Order(),
            Verdicts.Keys.Order()); // a new verdict wants a row
        foreach ((string verdict, string? problem) in Verdicts)
            Assert.Equal((verdict, problem), (verdict, Read(Good with { Verdict = verdict })));
    }

    [Theory]
    [InlineData(20.0, null)]
    [InlineData(20.1, Busy)]
    [InlineData(null, null)]
    public void Read_RunOnABusyMachine_CountsUpToTwentyPercent(double? foreign, string? problem) =>
        Assert.Equal(problem, Read(Good with { Machine = Good.Machine with { ForeignPercent = foreign } }));

    [Theory]
    [InlineData(99_000, null)]
    [InlineData(98_999, NotReached)]
    [InlineData(101_000, null)]
    [InlineData(101_001, NotReached)]
    public void Read_RunWithinOnePercentOfItsRate_Counts(double reached, string? problem) =>
        Assert.Equal(problem, Read(Good with { Figures = Good.Figures! with { RateReached = reached } }));

    [Fact]
    public void Read_RunThatShowsNoCost_SaysWhy()
    {
        RunChange change = new() { Utc = Good.StartUtc, Role = "provider", Name = "rate", Value = "1" };
        Assert.Equal("the load was changed by hand", Read(Good with { Changes = [change] }));
        Assert.Null(Read(Good with { Changes = [change with { Name = "mark" }] }));
        Assert.Equal("no figures", Read(Good with { Figures = null }));
        Assert.Equal("no figures", Read(Good with { Links = [] }));
        Assert.Equal("round trips, no rate", Read(Good with { Figures = Good.Figures! with { RoundTrips = [] } }));
        Assert.Equal("the rate changes, or is not ours", Read(Good with { Figures = Good.Figures! with { RateAsked = null } }));
        StepRow well = new()
        {
            Scenario = "users-low",
            Variant = "base",
            Step = 1,
            Utc = Good.StartUtc,
            UsersAsked = 1,
            UsersIn = 1,
            Seconds = 4,
            Expected = 4,
            Received = 4,
            Samples = 1,
            SumMicros = 1,
            MinMicros = 1,
            MaxMicros = 1,
        };
        Assert.Equal("no step is well", Read(Good with { Steps = [] }));
        Assert.Equal("no step is well", Read(Good with { Steps = [well with { Lost = 1 }] }));
        Assert.Null(Read(Good with { Steps = [well with { Lost = 1 }, well] }));
    }

    [Theory]
    [InlineData("1", 1.0)]
    [InlineData("0.999", null)]
    [InlineData("0", null)]
    [InlineData("3000", 3_000.0)]
    [InlineData("500k", 500_000.0)]
    [InlineData("500K", 500_000.0)]
    [InlineData("2.5M", 2_500_000.0)]
    [InlineData("0.001k", 1.0)]
    [InlineData("10M", 10_000_000.0)] // the greatest
    [InlineData("10000001", null)]
    [InlineData("10.1M", null)]
    [InlineData("-5", null)]
    [InlineData("1e3", null)]
    [InlineData(" 5", null)]
    [InlineData("k", null)]
    [InlineData("", null)]
    [InlineData("NaN", null)]
    public void TryParse_OfAnAmount_IsFromOneToTheGreatest(string text, double? value) => Assert.Equal(value, SizeAmount.TryParse(text, 10_000_000)?.Value);

    [Theory]
    [InlineData(1, "1")]
    [InlineData(999, "999")]
    [InlineData(1_000, "1k")]
    [InlineData(1_500, "1.5k")]
    [InlineData(999_999, "999.999k")]
    [InlineData(1_000_000, "1M")]
    [InlineData(2_500_000, "2.5M")]
    public void ToString_OfAnAmount_IsAsItIsTyped(double value, string text) => Assert.Equal(text, new SizeAmount(value).ToString());

    [Theory]
    [InlineData("0", 0.0)]
    [InlineData("0.2ms", 0.0002)]
    [InlineData("150us", 0.00015)]
    [InlineData("1s", 1.0)]
    [InlineData("10s", 10.0)] // the greatest
    [InlineData("10.001s", null)]
    [InlineData("10001ms", null)]
    [InlineData("0s", 0.0)]
    [InlineData("-1ms", null)]
    [InlineData("3", null)]
    [InlineData("ms", null)]
    [InlineData("1m", null)]
    public void TryParse_OfARoundTrip_IsUpToTenSeconds(string text, double? seconds)
    {
        RoundTripTime? time = RoundTripTime.TryParse(text);
        Assert.Equal(seconds is null, time is null);
        if (seconds is { } expected)
            Assert.Equal(expected, time!.Value.Seconds, 1e-12);
    }

    [Theory]
    [InlineData(0, "0")]
    [InlineData(0.0002, "200us")]
    [InlineData(0.001, "1ms")]
    [InlineData(0.9995, "999.5ms")]
    [InlineData(1, "1s")]
    public void ToString_OfARoundTrip_IsAsItIsTyped(double seconds, string text) => Assert.Equal(text, new RoundTripTime(seconds).ToString());

    // Why a run does not count; null where it does.
    private string? Read(RunDocument run)
    {
        Directory.CreateDirectory(_folder.PathOf("runs/one"));
        File.WriteAllText(_folder.PathOf("runs/one/" + RunFile.Name), RunFile.CreateText(run));
        List<string> leftOut = [];
        IReadOnlyList<SizedGroup> groups = SizedRuns.Read(_folder.PathOf("runs"), leftOut);
        Assert.Equal(leftOut.Count == 0 ? 1 : 0, groups.Count);
        return leftOut is [] ? null : Assert.Single(leftOut)["one: ".Length..];
    }
}
