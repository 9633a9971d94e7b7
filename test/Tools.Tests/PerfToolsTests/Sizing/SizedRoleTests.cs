using PerfTools.Results.Documents;
using PerfTools.Sizing;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Sizing;

/// <summary>What the measurements of a role show and what they do not, and the notes of an estimate at their limits.</summary>
[Trait("Category", "Fast")]
public class SizedRoleTests
{
    private const double BytesPerMegabyte = 1_048_576;

    [Theory]
    [InlineData(90_000, false)] // a tenth apart: one rate
    [InlineData(89_999, true)]
    [InlineData(100_000, false)]
    [InlineData(112_000, true)]
    public void IdlePercent_OfTwoRates_IsKnownWhereTheyAreMoreThanATenthApart(double other, bool isKnown)
    {
        SizedRole role = new("hub", [Point(100_000, cpu: 6), Point(other, cpu: 5 + (other * 1e-5))]);
        Assert.Equal(isKnown, role.IdlePercent is not null);
        if (isKnown)
            Assert.Equal(5, role.IdlePercent!.Value, 1e-6);
    }

    [Fact]
    public void NanosPerMessage_OfOneRate_IsAllOfItsTime()
    {
        SizedRole role = new("hub", [Point(100_000, cpu: 10)]);
        Assert.Equal(1_000, role.NanosPerMessage!.Value, 1e-6); // a tenth of a second for 100,000
        Assert.Equal(20, role.PredictCpu(200_000)!.Value.Value, 1e-6);
        Assert.Null(role.IdlePercent);
    }

    [Theory]
    [InlineData(0, 10)]
    [InlineData(100_000, 0)]
    public void Cpu_OfNoMessagesOrNoTime_IsNotKnown(double rate, double cpu)
    {
        SizedRole role = new("hub", [Point(rate, cpu)]);
        Assert.Equal((null, null, null, 0.0), (role.IdlePercent, role.NanosPerMessage, role.PredictCpu(1), role.WorstError));
        Assert.Equal(20, new SizedRole("hub", [Point(rate, cpu), Point(100_000, 10)]).PredictCpu(200_000)!.Value.Value, 1e-6); // the others count
    }

    /// <summary>With one number of items memory is known for about that number.</summary>
    [Theory]
    [InlineData(10_000, true)]
    [InlineData(11_000, true)]
    [InlineData(11_200, false)]
    [InlineData(9_000, true)]
    [InlineData(8_999, false)]
    public void PredictMemory_OfOneNumberOfItems_IsKnownWithinATenthOfIt(double items, bool isKnown)
    {
        SizedRole role = new("hub", [Point(1, 1) with { Megabytes = 100 }]);
        SizeValue? memory = role.PredictMemory(items, 0, 0);
        Assert.Equal(isKnown, memory is not null);
        if (isKnown)
            Assert.Equal(100, memory!.Value.Value, 1e-6);
        Assert.Null(role.BytesPerItem);
    }

    /// <summary>A role that counts the memory of an item itself needs no second number of items.</summary>
    [Fact]
    public void PredictMemory_OfARoleThatCountsAnItem_AddsThoseBeyond()
    {
        SizedPoint point = Point(1, 1) with { Megabytes = 100 };
        SizedRole role = new("hub", [point with { KilobytesPerItem = 9 }, point with { KilobytesPerItem = 1 }, point]);
        Assert.Equal(1_024, role.BytesPerItem!.Value, 1e-6); // of the last that has it
        Assert.Equal(100 + (20_000 * 1_024 / BytesPerMegabyte), role.PredictMemory(30_000, 0, 0)!.Value.Value, 1e-6);
        Assert.Equal(100, role.PredictMemory(10_000, 0, 0)!.Value.Value, 1e-6);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(0.0)]
    public void Memory_ThatNoRunShows_IsNotKnown(double? megabytes)
    {
        SizedRole role = new("hub", [Point(1, 1) with { Megabytes = megabytes }]);
        Assert.Equal((null, null, null, null), (role.PredictMemory(10_000, 0, 0), role.BytesPerItem, role.BytesPerUser, role.BytesPerWatcher));
    }

    [Fact]
    public void Memory_OfItemsUsersAndWatchers_IsToldApart()
    {
        (double Items, double Users, double Watchers)[] loads = [(0, 0, 0), (10_000, 0, 0), (10_000, 500, 0), (10_000, 500, 2_000), (20_000, 1_000, 9_000)];
        SizedRole role = new("hub", [.. loads.Select(load => new SizedPoint(1, load.Items, load.Users, load.Watchers)
        {
            CpuPercent = 1,
            Megabytes = 50 + (((load.Items * 1_000) + (load.Users * 20_000) + (load.Watchers * 300)) / BytesPerMegabyte),
        })]);
        Assert.Equal(1_000, role.BytesPerItem!.Value, 1e-3);
        Assert.Equal(20_000, role.BytesPerUser!.Value, 1e-3);
        Assert.Equal(300, role.BytesPerWatcher!.Value, 1e-3);
        Assert.Equal((20_000.0, 1.0), (role.MaxItems, role.MaxRate));
    }

    [Fact]
    public void BytesPerMessage_OfMessagesAndImages_IsThatOfTheMessages()
    {
        SizedRole role = new("hub", [
            Point(1, 1) with { Traffic = new(100, 10, (100 * 150) + (10 * 400)) }, Point(1, 1) with { Traffic = new(200, 10, (200 * 150) + (10 * 400)) },
            Point(1, 1) with { Traffic = new(0, 10, 4_000) }, Point(1, 1) with { Traffic = new(5, 5, 0) }, Point(1, 1)]);
        Assert.Equal(150, role.BytesPerMessage!.Value, 1e-6);
        Assert.Null(new SizedRole("hub", [Point(1, 1)]).BytesPerMessage);
        Assert.Null(new SizedRole("hub", [Point(1, 1) with { Traffic = new(5, 5, 0) }]).BytesPerMessage);
    }

    /// <summary>Threads are the cores divided by the planned use of one, rounded up.</summary>
    [Theory]
    [InlineData(0.1, 70, 1)]
    [InlineData(69.9, 70, 1)]
    [InlineData(70.1, 70, 2)]
    [InlineData(139.9, 70, 2)]
    [InlineData(140.1, 70, 3)]
    [InlineData(99.9, 100, 1)]
    [InlineData(100.1, 100, 2)]
    public void Threads_OfARole_UseNoMoreOfACoreThanPlanned(double cpu, int maxCpu, int threads)
    {
        RoleSize role = Estimate(new() { Rate = new(100_000), MaxCpuPercent = maxCpu }, Group(new SizedRole("hub", [Point(100_000, cpu)]))).Roles[0];
        Assert.Equal(threads, role.Threads);
        Assert.Equal(cpu / 100, role.Cores!.Value.Value, 1e-9);
    }

    [Fact]
    public void Threads_OfARoleWithoutProcessorTime_AreNotKnown()
    {
        RoleSize role = Estimate(new(), Group(new SizedRole("hub", [Point(0, 0)]))).Roles[0];
        Assert.Equal((null, null, null, null), (role.Cores, role.Threads, role.Megabytes, role.MegabitsOut));
    }

    /// <summary>An estimate is an extrapolation beyond one and a half times what was measured.</summary>
    [Theory]
    [InlineData(150_000, 15_000, "")]
    [InlineData(150_001, 15_000, "rate extrapolated: 100,000/s measured at most")]
    [InlineData(150_000, 15_001, "items extrapolated: 10,000 measured at most")]
    [InlineData(150_001, 15_001, "rate extrapolated: 100,000/s measured at most|items extrapolated: 10,000 measured at most")]
    public void Notes_OfMoreThanMeasured_BeginAtOneAndAHalfTimes(double rate, double items, string notes)
    {
        SizedRole role = new("hub", [Point(50_000, 10) with { Megabytes = 60 }, Point(100_000, 15, items: 5_000) with { Megabytes = 50 }]);
        Assert.Equal(notes, string.Join('|', Estimate(new() { Rate = new(rate), Items = new(items) }, Group(role)).Notes.SkipLast(1)));
    }

    [Theory]
    [InlineData(1_500, "")]
    [InlineData(1_501, "deliveries extrapolated: 1,000/s measured at most")]
    public void Notes_OfMoreDeliveriesThanMeasured_BeginAtOneAndAHalfTimes(double users, string notes)
    {
        SizedRole hub = new("hub", [Point(500, 10) with { Megabytes = 60 }, Point(1_000, 15, items: 5_000) with { Megabytes = 50 }]);
        SizedGroup ramps = Group(hub) with { IsOfUsers = true };
        SizeEstimate estimate = new(new() { Rate = new(1_000), Users = new(users), UserRate = new(1) }, ramps, ramps);
        Assert.Equal((users, notes), (estimate.Deliveries, string.Join('|', estimate.Notes.SkipLast(1))));
    }

    [Fact]
    public void Notes_OfAModelThatIsOff_SayByHowMuch()
    {
        SizedRole off = new("hub", [Point(50_000, 10), Point(100_000, 10), Point(50_000, 30), Point(100_000, 30)]);
        Assert.Equal(0.6, off.WorstError, 0.01);
        Assert.Contains("hub: measurements are up to 60 % off the model", Estimate(new() { Rate = new(100_000) }, Group(off)).Notes);
        SizedRole near = new("hub", [Point(50_000, 10), Point(100_000, 10), Point(50_000, 12), Point(100_000, 12)]);
        Assert.InRange(near.WorstError, 0.05, 0.25);
        Assert.DoesNotContain(Estimate(new() { Rate = new(100_000) }, Group(near)).Notes, note => note.Contains("off the model", StringComparison.Ordinal));
    }

    [Fact]
    public void ImageSeconds_OfItems_AreThoseOfTheBestRateAndARoundTrip()
    {
        SizedGroup group = Group(new SizedRole("hub", [Point(100_000, 10)])) with { ImagesPerSecond = 1_000 };
        Assert.Equal(5.5, Estimate(new() { Items = new(5_000), Rtt = new(0.5) }, group).ImageSeconds);
        Assert.Equal(10, Estimate(new(), group).ImageSeconds); // the measured items
        Assert.Null(Estimate(new() { Items = new(5_000) }, group with { ImagesPerSecond = null }).ImageSeconds);
        Assert.Null(Estimate(new(), Group(new SizedRole("hub", [Point(100_000, 10, items: 0)])) with { ImagesPerSecond = 1_000 }).ImageSeconds);
    }

    [Fact]
    public void BytesUnderWay_OfARoundTrip_AreThoseOfItsMessages()
    {
        SizedGroup group = Group(new SizedRole("hub", [Point(100_000, 10) with { Traffic = new(10, 0, 1_500) }]));
        Assert.Equal(150 * 2_000 * 0.5, Estimate(new() { Rate = new(2_000), Rtt = new(0.5) }, group).BytesUnderWay!.Value, 1e-6);
        Assert.Null(Estimate(new() { Rate = new(2_000) }, group).BytesUnderWay);
        Assert.Equal(150 * 2_000 * 8 / 1e6, Estimate(new() { Rate = new(2_000) }, group).Roles[0].MegabitsOut!.Value, 1e-9);
        Assert.Null(Estimate(new() { Rtt = new(0.5) }, Group(new SizedRole("hub", [Point(1, 1)]))).BytesUnderWay);
    }

    private static SizeEstimate Estimate(SizeOptions options, SizedGroup group) => new(options, group, users: null);

    private static SizedGroup Group(SizedRole role) => new()
    {
        Scenario = "hub-direct",
        What = "updates",
        Inputs = new Dictionary<string, string>(),
        Roles = [role],
        Runs = 1,
        ImagesPerSecond = null,
        Machine = new MachineDescription { Processors = 2, OperatingSystem = "an OS", Architecture = "X64", Runtime = "a runtime" },
    };

    private static SizedPoint Point(double rate, double cpu, double items = 10_000) => new(rate, items, 0, 0) { CpuPercent = cpu, Megabytes = null };
}
