using HubPerf;
using NIProvPerf;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfTools.Control;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Verbs;
using ProvPerf;
using TransportPerf;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>The settings of each role that can be changed while it runs.</summary>
[Trait("Category", "Fast")]
public class SettingTests
{
    [Fact]
    public void Hub_BurstsAndThrottle_AreTakenTogetherOrNotAtAll()
    {
        HubTuning tuning = new();
        RoleSettings settings = HubPerfSettings.Create(new HubPerfOptions(), tuning);
        Assert.Equal(["burstMin", "burstMax", "burstIncrement", "burstScope", "throttle"], settings.States.Select(state => state.Name));
        Assert.Null(settings.TryChange([("burstMin", "0.05"), ("burstMax", "0.1"), ("burstScope", "session"), ("throttle", "1")], out _));
        Assert.Equal(new BurstSettings(50_000_000, 100_000_000, 10_000_000, IsPerSession: true), tuning.Burst);
        Assert.Equal(Clock.NanosPerSecond, tuning.ThrottleNanos);
        Assert.Equal("-burstMax must be 0 or at least -burstMin", settings.TryChange([("throttle", "0"), ("burstMax", "0.01")], out _));
        Assert.Equal("burstMax: '61' is not a number of seconds from 0 to 60", settings.TryChange([("burstMax", "61")], out _));
        Assert.Equal(Clock.NanosPerSecond, tuning.ThrottleNanos);
        Assert.Equal("0.1", settings.States[1].Value);
    }

    [Fact]
    public void Source_RateAndSize_AreTakenUp()
    {
        NIProvPerfOptions options = new() { UpdateSize = new UpdateSize(54, 5), UpdateRate = 1_000, Run = new() { TickRate = 1_000 } };
        SizedMessages sized = new(54, 5);
        UpdateSource updates = new(sized.Messages, sized: sized);
        BurstPlan plan = NIProvPerfRole.CreateUpdates(options, worker: 0);
        RoleSettings settings = NIProvPerfSettings.Create(options, [plan], updates);
        Assert.Null(settings.TryChange([("rate", "2000"), ("size", "108")], out IReadOnlyList<SettingChange> changes));
        Assert.Equal([new("rate", "2000", "1000"), new("size", "108,10", "54,5")], changes);
        Assert.Equal(2, plan.CountIn(default));
        Assert.Equal(108, updates.Sized!.MaxRefreshBytes);
        Assert.Equal("-updateRate must be 0 or at least -tickRate", settings.TryChange([("rate", "999")], out _));
        Assert.StartsWith("-updateSize 33,3: ", settings.TryChange([("size", "33")], out _), StringComparison.Ordinal);
        Assert.Null(settings.TryChange([("rate", "0")], out _)); // fewer stamps than -latencyUpdateRate asks for
    }

    [Fact]
    public void Provider_SizeOfUpdatesMadeInCode_IsTakenUp()
    {
        ProvPerfOptions options = new() { UpdateSize = new UpdateSize(54, 5) };
        SizedMessages sized = new(54, 5);
        UpdateSource updates = new(sized.Messages, sized: sized);
        RoleSettings settings = ProvPerfSettings.Create(options, [ProviderPlan.Of(options, worker: 0).Updates], updates);
        Assert.Null(settings.TryChange([("size", "108")], out IReadOnlyList<SettingChange> changes));
        Assert.Equal([new("size", "108,10", "54,5")], changes);
        Assert.Equal(108, updates.Sized!.MaxRefreshBytes);
        Assert.StartsWith("-updateSize 33,3: ", settings.TryChange([("size", "33")], out _), StringComparison.Ordinal);

        RoleSettings ofFile = ProvPerfSettings.Create(new ProvPerfOptions(), [], new UpdateSource(sized.Messages));
        Assert.Equal(["rate"], ofFile.States.Select(state => state.Name));
    }

    [Fact]
    public void Source_WithAProfile_KeepsItUntilItsRateIsSet()
    {
        NIProvPerfOptions options = new()
        {
            UpdateSize = new UpdateSize(54, 5),
            Run = new() { RateProfile = RateProfile.TryParse("3000:10,5000:10") }
        };
        SizedMessages sized = new(54, 5);
        BurstPlan plan = NIProvPerfRole.CreateUpdates(options, worker: 0);
        RoleSettings settings = NIProvPerfSettings.Create(options, [plan], new UpdateSource(sized.Messages, sized: sized));
        Assert.Null(settings.TryChange([("size", "108")], out _));
        Assert.Equal(3, plan.CountIn(new TickInfo(1, 1, 0, 0, 0)));
        Assert.Null(settings.TryChange([("rate", "7000")], out _));
        Assert.Equal(7, plan.CountIn(new TickInfo(2, 2, 0, 0, 0)));
    }

    [Fact]
    public void TransportPerf_Rate_IsTakenUpAlsoInPlaceOfAProfile()
    {
        TransportPerfOptions options = new()
        {
            LatencyMsgRate = LatencyRate.Of(500),
            Run = new() { RateProfile = RateProfile.TryParse("3000:10,5000-6000:10") },
        };
        BurstPlan plan = TransportPerfRole.CreateMessages(options, worker: 0);
        RoleSettings settings = TransportPerfSettings.Create(options, [plan]);
        Assert.Equal(("rate", "6000", "1/s", 0), Assert.Single(settings.States) is var state ? (state.Name, state.Value, state.Unit, state.Min) : default);
        int In(int tick) => plan.CountIn(new TickInfo(tick, tick % 1_000, 0, 0, 0));
        Assert.Equal([3, 3, 5], [In(0), In(9_999), In(10_000)]);
        Assert.Equal("-msgRate must be 0 or at least -tickRate", settings.TryChange([("rate", "999")], out _));
        Assert.Equal(5, In(10_001));
        Assert.Null(settings.TryChange([("rate", "7000")], out IReadOnlyList<SettingChange> changes));
        Assert.Equal([new("rate", "7000", "6000")], changes);
        Assert.Equal(7, In(10_002));
        Assert.Null(settings.TryChange([("rate", "0")], out _)); // fewer stamps than -latencyMsgRate asks for
        Assert.Equal(0, In(10_003));
    }

    // A side that only receives or reflects gets no ticks, and has no rate to set.
    [Theory]
    [InlineData("-appType server", true, false)]
    [InlineData("-appType server -control", true, true)]
    [InlineData("-appType server -control -msgRate 0 -latencyMsgRate 0", false, false)]
    [InlineData("-appType server -control -reflectMsgs", false, false)]
    public void TransportPerf_SideThatSends_MayBeGivenARate(string line, bool sends, bool mayChange)
    {
        TransportPerfOptions options = OptionLines.Accept(TransportPerfOptionTable.Instance, line);
        BurstPlan plan = TransportPerfRole.CreateMessages(options, worker: 0);
        Assert.Equal((sends, mayChange, sends), (options.Sends, plan.MayChange, plan.IsOn));
    }

    [Theory]
    [InlineData("-rateProfile 500:10", "-rateProfile must name rates that are 0 or at least -tickRate")]
    [InlineData("-rateProfile 5000",
        "-rateProfile: '5000' is not a list of rate:seconds and from-to:seconds such as 100000:10,200000-400000:30")]
    public void RateProfile_Wrong_IsRefused(string line, string problem) =>
        Assert.Equal(problem, OptionLines.Refuse(NIProvPerfOptionTable.Instance, line));

    [Fact]
    public void UserTarget_UpAndDown_HasThePaceInBothDirections()
    {
        UserTarget up = new(Users: 30, Before: 10, FromNanos: 1_000, Rate: 10), down = up with { Users = 4 };
        Assert.Equal((1_000L, 1_000 + (19 * Clock.NanosPerSecond / 10)), (up.DueNanosOf(10), up.DueNanosOf(29)));
        Assert.Equal((1_000 + (Clock.NanosPerSecond / 10), 1_000 + (6 * Clock.NanosPerSecond / 10)),
            (down.DueNanosOf(9), down.DueNanosOf(4)));
    }

    [Fact]
    public void Control_OfSeveralProcesses_DividesTheUsersAmongThem()
    {
        string[] values = ["users=8", "loginRate=50"];
        Assert.Equal(["users=3", "users=3", "users=2"], Enumerable.Range(0, 3).Select(i => ControlVerb.Share(values, i, 3)[0]));
        Assert.Equal("loginRate=50", ControlVerb.Share(values, 2, 3)[1]);
    }

    [Theory]
    [InlineData("users-2", "users", true)]
    [InlineData("users-2", "users-2", true)]
    [InlineData("source-1", "sources", true)]
    [InlineData("source-1", "source", true)]
    [InlineData("hub", "HUB", true)]
    [InlineData("users-2", "users-1", false)]
    [InlineData("hub", "user", false)]
    public void Role_ByItsNameOrThatOfAll_IsMeant(string role, string name, bool isMeant) =>
        Assert.Equal(isMeant, new ControlledRole(role, new HostAddress("localhost", 1), null).IsMeantBy(name));

    [Theory]
    [InlineData("/no/such/place", "no folder, and not host:port")]
    [InlineData(".", "no run goes on there")]
    public void Control_OfNoRun_SaysSo(string where, string sentence)
    {
        using StringWriter output = new(), error = new();
        Assert.Contains(PerfTools.Program.Run(["control", where], output, error), (int[])[2, 4]);
        Assert.Contains(sentence, error.ToString(), StringComparison.Ordinal);
    }
}
