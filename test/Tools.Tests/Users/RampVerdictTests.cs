using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>Every verdict of a ramp, and every reason.</summary>
[Trait("Category", "Fast")]
public class RampVerdictTests
{
    private const string SaysNothing = ", so this says nothing of the hub";

    private static readonly LinkResult Balanced = new()
    {
        From = "sources",
        To = "hub",
        What = "updates",
        Sent = 100,
        Received = 100,
        Lost = 0,
        NotSent = 0,
        Comparable = true,
    };

    [Fact]
    public void Of_StepsThatAreWell_IsOk() => AssertVerdict(RunVerdict.Ok, 0, null, RampVerdict.Of(null, [Step(1), Step(2)], [Balanced], null));

    [Fact]
    public void Of_NoStep_IsFailed() => AssertVerdict(RunVerdict.Failed, 5, "no step was measured", RampVerdict.Of(null, [], [Balanced], null));

    [Fact]
    public void Of_AnUnevenLink_IsFailed() => AssertVerdict(RunVerdict.Failed, 5,
        "updates do not add up: 100 sent, 98 received, 1 counted as lost",
        RampVerdict.Of(null, [Step(1)], [Balanced with { Received = 98, Lost = 1 }], null));

    [Theory]
    [InlineData(null, null, "")]
    [InlineData(20.0, 90.0, "")]
    [InlineData(48.2, null, "; machine busy: other processes used 48 % of the CPU" + SaysNothing)]
    [InlineData(null, 91.0, "; simulator at its limit" + SaysNothing)]
    [InlineData(48.2, 91.0, "; machine busy: other processes used 48 % of the CPU" + SaysNothing)]
    public void Of_AStepWithAFault_IsSlowAndBlamesTheHubOnlyForWhatItMayHaveDone(double? foreign, double? usersCpu, string more) =>
        AssertVerdict(RunVerdict.Slow, 6, "step 2 with 200 users: received 95.0 %" + more, RampVerdict.Of(
            null, [Step(1), Step(2) with { Received = 19_000, ForeignPercent = foreign, UsersCpuMax = usersCpu }, Step(3)], [Balanced], null));

    [Theory]
    [InlineData(ExitCode.Interrupted, RunVerdict.Interrupted, "why")]
    [InlineData(ExitCode.Terminated, RunVerdict.Interrupted, "why")]
    [InlineData(ExitCode.HungUp, RunVerdict.Interrupted, "why")]
    [InlineData(ExitCode.Incomplete, RunVerdict.Failed, "why; machine busy: other processes used 77 % of the CPU")]
    internal void Of_AFailure_KeepsItsReason(ExitCode code, string result, string reason) => AssertVerdict(
        result, (int)code, reason,
        RampVerdict.Of(new(code, "why"), [Step(1) with { ForeignPercent = 25 }, Step(2) with { ForeignPercent = 77 }], [Balanced], null));

    [Fact]
    public void Of_AFailureOnAQuietMachine_IsToldAlone() =>
        AssertVerdict(RunVerdict.Failed, 4, "why", RampVerdict.Of(new(ExitCode.NotStarted, "why"), [Step(1) with { ForeignPercent = 5 }], [], null));

    // With --until
    [Theory]
    [InlineData(0, null, null, RunVerdict.Ok, null)] // it came to its last step
    [InlineData(3, null, null, RunVerdict.Ok, null)] // the third was too much: the capacity is that of the second
    [InlineData(3, null, 48.0, RunVerdict.Slow, "step 3 with 300 users: received 95.0 %; machine busy: other processes used 48 % of the CPU" + SaysNothing)]
    [InlineData(1, null, null, RunVerdict.Slow, "step 1 with 100 users: received 95.0 %")]
    [InlineData(1, "avg<1ms", null, RunVerdict.Slow, "step 1 with 100 users: avg<1ms")]
    public void Of_ARampThatAStepEnds_IsOkWhenItsCapacityWasFound(int ending, string? missed, double? foreign, string result, string? reason)
    {
        StepRow[] steps = [.. Enumerable.Range(1, ending == 0 ? 3 : ending).Select(Step)];
        if (ending > 0)
            steps[^1] = steps[^1] with { Received = missed is null ? steps[^1].Received * 95 / 100 : steps[^1].Received, ForeignPercent = foreign };
        Verdict verdict = RampVerdict.Of(null, steps, [Balanced], new(ending == 0 ? null : steps[^1], missed));
        AssertVerdict(result, result == RunVerdict.Ok ? 0 : 6, reason, verdict);
    }

    [Theory]
    [InlineData(0, null, null, 3, "no further step was run", "capacity: at least 300 users (no further step was run), mean 0.300 ms")]
    [InlineData(3, null, null, 2, null, "capacity: 200 users, mean 0.300 ms")]
    [InlineData(3, 50.0, null, 2, "machine busy: other processes used 50 % of the CPU",
        "capacity: at least 200 users (machine busy: other processes used 50 % of the CPU), mean 0.300 ms")]
    [InlineData(3, null, 95.0, 2, "simulator at its limit", "capacity: at least 200 users (simulator at its limit), mean 0.300 ms")]
    public void Capacity_OfARamp_IsItsLastGoodStep(int bad, double? foreign, double? usersCpu, int step, string? limit, string line)
    {
        StepRow[] steps = [.. Enumerable.Range(1, 3).Select(Step)];
        if (bad > 0)
            steps[bad - 1] = steps[bad - 1] with { Lost = 1, ForeignPercent = foreign, UsersCpuMax = usersCpu };
        RampCapacity capacity = RampCapacity.Find(steps, _ => true)!;

        Assert.Equal((step, 100 * step, limit), (capacity.Step, capacity.Users, capacity.Limit));
        Assert.Equal(line, capacity.Describe());
    }

    [Fact]
    public void Capacity_FirstStepIsNotWellOrMisses_IsNone()
    {
        Assert.Null(RampCapacity.Find([Step(1) with { Lost = 1 }, Step(2)], _ => true));
        Assert.Null(RampCapacity.Find([Step(1), Step(2)], step => step.Step > 1));
        Assert.Null(RampCapacity.Find([], _ => true));
    }

    private static void AssertVerdict(string result, int code, string? reason, Verdict verdict) =>
        Assert.Equal((result, code, reason), (verdict.Result, (int)verdict.Code, verdict.Reason));

    private static StepRow Step(int step) => new()
    {
        Scenario = "users-high",
        Variant = "base",
        Step = step,
        Utc = DateTime.UnixEpoch,
        UsersAsked = 100 * step,
        UsersIn = 100 * step,
        Seconds = 2,
        Expected = 10_000 * step,
        Received = 10_000 * step,
        Samples = 10,
        SumMicros = 3_000,
        MinMicros = 100,
        MaxMicros = 500,
    };
}
