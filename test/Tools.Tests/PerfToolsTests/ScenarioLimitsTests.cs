using System.Globalization;
using System.Text.Json;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Rules of scenarios at their limits: the collections of a period, the connections that a server accepts, buffers of a tick, memory.</summary>
[Trait("Category", "Fast")]
public class ScenarioLimitsTests
{
    private static readonly DateTime Begin = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);
    private static readonly DateTime End = Begin.AddSeconds(10);

    /// <summary>A collection belongs to the period that its middle is in; on the edge it belongs to none.</summary>
    [Theory]
    [InlineData(0.5, 1, false)]
    [InlineData(0.6, 1, true)]
    [InlineData(1, 1, true)]
    [InlineData(1, 2, false)]
    [InlineData(10.4, 1, true)]
    [InlineData(10.5, 1, false)]
    [InlineData(10.6, 1, false)]
    [InlineData(0, 0, false)]
    [InlineData(10, 0, false)]
    public void IsIn_OfACollection_IsThePeriodOfItsMiddle(double ends, double seconds, bool isIn) =>
        Assert.Equal(isIn, PeriodIntervals.IsIn(new(Begin.AddSeconds(ends), seconds, default), Begin, End));

    [Fact]
    public void Mean_OfCollections_IsWeighedByTheirTime()
    {
        RoleInterval[] intervals = [Collection(1, 10, 5), Collection(3, 50, 7)];
        Assert.Equal(40, PeriodIntervals.Mean(intervals, "process.coreCpuPercent"));
        Assert.Null(PeriodIntervals.Mean([], "process.coreCpuPercent"));
        Assert.Null(PeriodIntervals.Mean([Collection(0, 10, 5)], "process.coreCpuPercent"));
        RoleResult role = PeriodIntervals.Describe("hub", "HubPerf", null, intervals);
        Assert.Equal((40, 7), (role.CpuCorePercent, role.MemoryMegabytes)); // memory is the greatest
    }

    [Fact]
    public void Describe_WithoutACollection_KnowsNothing()
    {
        RoleResult role = PeriodIntervals.Describe("hub", "HubPerf", null, []);
        Assert.Equal((null, null, null), (role.CpuCorePercent, role.MemoryMegabytes, role.ExitCode));
    }

    /// <summary>A server gets the limits that exceed its defaults.</summary>
    [Theory]
    [InlineData(256, "")]
    [InlineData(257, "-maxHandshakes 257")]
    [InlineData(1_024, "-maxHandshakes 1024")]
    [InlineData(1_025, "-maxConnections 1025 -maxHandshakes 1025")]
    public void SetServed_OfConnections_SetsWhatExceedsTheDefaults(int connections, string arguments) =>
        Assert.Equal(arguments, string.Join(' ', new RoleArguments([]).SetServed(connections).All));

    [Theory]
    [InlineData(999, "-tickRate 999")]
    [InlineData(1_000, "")]
    [InlineData(1_001, "-tickRate 1001")]
    public void SetTickRate_OfTheDefault_SetsNothing(int rate, string arguments) =>
        Assert.Equal(arguments, string.Join(' ', new RoleArguments([]).SetTickRate(rate).All));

    /// <summary>Messages of a tick and messages of a pack are rounded up.</summary>
    [Theory]
    [InlineData(100_000, "", 100)]
    [InlineData(100_001, "", 101)]
    [InlineData(999, "", 1)] // a tick for each
    [InlineData(1_000, "", 1)]
    [InlineData(1_001, "", 2)]
    [InlineData(100_000, "-tickRate 100", 1_000)]
    [InlineData(100_000, "-updateRate 5000", 5)]
    public void BuffersPerTick_OfARate_AreItsMessagesInPacks(int rate, string own, long buffers) => Assert.Equal(buffers,
        RoleArgumentRules.BuffersPerTick(own.Split(' ', StringSplitOptions.RemoveEmptyEntries), DirectScenario.Direct.Figures, new() { Rate = rate }));

    [Theory]
    [InlineData(100, 1)]
    [InlineData(99, 2)]
    [InlineData(50, 2)]
    [InlineData(49, 3)]
    [InlineData(1, 100)]
    [InlineData(0, 100)]
    public void BuffersPerTick_OfPacks_IsRoundedUp(int pack, long buffers) =>
        Assert.Equal(buffers, RoleArgumentRules.BuffersPerTick([], DirectScenario.Direct.Figures, new() { Rate = 100_000, Pack = pack }));

    [Theory]
    [InlineData(1_048_576, 1_048_576L, null)]
    [InlineData(1_048_577, 1_048_576L, "Warning: the last step will need about 1 MB of memory here, 1 MB are free.")]
    [InlineData(3_145_728, 1_048_576L, "Warning: the last step will need about 3 MB of memory here, 1 MB are free.")]
    [InlineData(3_145_728, null, null)]
    public void FindShortage_OfMemory_IsToldWhereMoreIsNeededThanFree(long needed, long? free, string? warning) =>
        Assert.Equal(warning, RampMemory.FindShortage(needed, free));

    private static RoleInterval Collection(double seconds, double cpu, double megabytes)
    {
        using JsonDocument json = JsonDocument.Parse(string.Create(CultureInfo.InvariantCulture,
            $"{{\"process\":{{\"coreCpuPercent\":{cpu},\"workingSetBytes\":{megabytes * 1_048_576}}}}}"));
        return new(Begin, seconds, json.RootElement.Clone());
    }
}
