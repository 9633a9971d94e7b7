using System.Globalization;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Screen;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Rates that change in the course of a run: <c>--steps</c> and <c>--ramp</c>.</summary>
[Trait("Category", "Fast")]
public sealed class RateScheduleTests : IDisposable
{
    private static readonly DateTime Begin = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);

    private static readonly string[] Sent = ["overall.counts.updatesSent"];

    private static readonly int[] Rates = [990, 1000, 1001, 1002, 2500, 2000, 2010, 1900];

    private static readonly Dictionary<string, HostAddress> Addresses =
        new[] { "server", "hub", "publisher" }.ToDictionary(role => role, _ => new HostAddress("localhost", 5));

    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData("--steps 100000,200000,400000:10", "100000:10,200000:10,400000:10", 30, 400_000, "100,000, 200,000, 400,000")]
    [InlineData("--ramp 1000:1000000:60", "1000-1000000:60", 60, 1_000_000, "1,000 to 1,000,000")]
    public void Course_ReplacesRateAndSeconds(string line, string profile, int seconds, int maxRate, string shown)
    {
        ScenarioOptions options = OptionLines.Accept(DirectScenario.Direct.Options, line);
        Assert.Equal((profile, seconds, maxRate), (options.Schedule!.Profile, options.Seconds, options.Rate));
        Assert.Contains($"{shown} updates/s", DirectScenario.Direct.CreateHeadline(
            options, new Dictionary<string, HostAddress> { ["provider"] = new("localhost", 1) }), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--steps 100000:2", "--steps: '100000:2' is not rates and their seconds, 3 or more")]
    [InlineData("--steps 0,5:10", "--steps: '0,5:10' is not")]
    [InlineData("--ramp 100:200", "--ramp: '100:200' is not two rates and seconds")]
    [InlineData("--steps 1000:5 --ramp 1000:2000:5", "--steps cannot be combined with --ramp")]
    [InlineData("--ramp 1000:2000:5 --external provider=h:1", "--ramp: the provider is external and accepts no options from here")]
    public void Course_ThatIsNone_IsRefused(string line, string problem) =>
        Assert.StartsWith(problem, OptionLines.Refuse(DirectScenario.Direct.Options, line), StringComparison.Ordinal);

    [Theory]
    [InlineData("transport", "server", "-rateProfile 5000:4,9000:4")]
    [InlineData("reflect", "client", "-rateProfile 5000:4,9000:4")]
    [InlineData("posting", "publisher", "-rateProfile 5000:4,9000:4")]
    public void Course_OfAScenario_IsTheProfileOfItsSender(string name, string sender, string expected)
    {
        Scenario scenario = ScenarioList.All.Single(one => one.Name == name);
        ScenarioOptions options = OptionLines.Accept(scenario.Options, "--steps 5000,9000:4");
        string[] others = [.. scenario.RolesOf(options).Select(role => role.Name).Where(role => role != sender)];
        Assert.Contains(expected, ArgumentsOf(scenario, sender, options), StringComparison.Ordinal);
        Assert.All(others, role => Assert.DoesNotContain("-rateProfile", ArgumentsOf(scenario, role, options), StringComparison.Ordinal));
        Assert.DoesNotContain("-rateProfile", ArgumentsOf(scenario, sender, OptionLines.Accept(scenario.Options, "--rate 5000")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--steps 5000,9000:4 --no-updates", "--steps cannot be combined with --no-updates")]
    [InlineData("--ramp 5000:9000:4 --no-provider", "--ramp cannot be combined with --no-provider")]
    public void Course_WithoutUpdates_IsRefused(string line, string problem) =>
        Assert.Equal(problem, OptionLines.Refuse(HubScenarios.Posting.Options, line));

    [Fact]
    public void SecondsUntil_Messages_IsWhenTheyWereDue()
    {
        RateSchedule course = RateSchedule.TryParseSteps("1000,3000:4")!;
        Assert.Equal([0, 1.5, 4, 5], new long[] { 0, 1_500, 4_000, 7_000 }.Select(course.SecondsUntil));
        Assert.Equal(2_000, course.MeanRate(3, 5));
        Assert.Equal([(0, 4), (4, 8)], course.Steps);
    }

    [Fact]
    public void Ramp_IsToldInPieces()
    {
        RateSchedule course = RateSchedule.TryParseRamp("1000:4000:30")!;
        Assert.Equal(10, course.Steps.Count);
        Assert.Equal(1_150, course.MeanRate(course.Steps[0].From, course.Steps[0].To));
    }

    // Two steps of 4 s from 10:00:00 on; the consumer collects at half seconds, and falls short in the second.
    [Theory]
    [InlineData(0)]
    [InlineData(1_000)] // the clock of the sender's machine is ahead
    public void Read_Collections_StandInTheStepInWhichTheyLieWholly(int ahead)
    {
        RecordedRole sender = Write("provider", [(ahead + 1, "\"counts\":{\"updatesSent\":1000}")], ahead);
        RecordedRole consumer = Write("consumer",
            [.. Rates.Select((rate, i) => (i + 1.5, Line(rate, micros: 10 * (i + 1))))]);
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Direct, connections: 1);
        IReadOnlyList<RateStep> steps = reader.Read([new(consumer, [reader.FindBegin(sender, Sent, 1)!.Value])]);

        // of 0.5 to 3.5: 1.5, 2.5, 3.5 end in it; then 4.5 to 7.5
        Assert.Equal([(1_000, 997, 3), (3_000, 2_170, 3)], steps.Select(step => (step.RateAsked, Math.Round(step.RateReached), step.Seconds)));
        Assert.Equal([true, false], steps.Select(step => step.IsKept));
        Assert.Equal((30, 10.0, 35.0), (steps[0].LatencyMicros!.Count, steps[0].LatencyMicros!.Average, steps[0].LatencyMicros!.Max));
    }

    // The second of two consumers comes a second and a half later, and has no whole collection in the first step.
    [Fact]
    public void Read_TwoConsumers_AddsWhatEachHasInTheStep()
    {
        RecordedRole first = Write("consumer-1", [.. Rates.Select((rate, i) => (i + 1.5, Line(rate, micros: 10 * (i + 1))))]);
        RecordedRole second = Write("consumer-2", [(5.5, Line(2_000, micros: 10)), (6.5, Line(3_000, micros: 90))]);
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Direct, connections: 2);
        IReadOnlyList<RateStep> steps = reader.Read([new(first, [Begin]), new(second, [Begin])]);

        Assert.Equal([(1_000, 997, 3), (6_000, 4_670, 3)], steps.Select(step => (step.RateAsked, Math.Round(step.RateReached), step.Seconds)));
        Assert.Equal([30, 50], steps.Select(step => step.LatencyMicros!.Count));
        Assert.Equal(95, steps[1].LatencyMicros!.Max);
    }

    // 3,000 messages on connections of 1,000 a second each.
    [Theory]
    [InlineData(1, 3)]
    [InlineData(2, 1.5)]
    [InlineData(3, 1)]
    public void FindBegin_SeveralConnections_HaveTheMessagesTogether(int own, double seconds)
    {
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Direct, connections: own);
        RecordedRole sender = Write("provider", [(2, "\"counts\":{\"updatesSent\":0}"), (5, "\"counts\":{\"updatesSent\":3000}")]);
        Assert.Equal(Begin.AddSeconds(5 - seconds), reader.FindBegin(sender, Sent, own));
    }

    [Fact]
    public void Read_NothingSent_HasNoSteps()
    {
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000:4")!, MeasuredPaths.Direct, 1);
        Assert.Null(reader.FindBegin(Write("provider", []), Sent, 1));
        Assert.Empty(reader.Read([new(Write("consumer", []), [])]));
    }

    // Two steps of 4 s; the second sender begins a second later. Both are in the first step from 1 to 4 s, in the second from 5 to 8 s.
    [Fact]
    public void Read_TwoSenders_CountsTheTimeInWhichBothHaveTheRate()
    {
        RecordedRole first = Write("consumer-1", [.. Rates.Select((rate, i) => (i + 1.5, Line(rate, micros: 10 * (i + 1))))]);
        RecordedRole second = Write("consumer-2", [.. Rates.Select((rate, i) => (i + 2.5, Line(rate, micros: 90)))]);
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Direct, connections: 2);
        IReadOnlyList<RateStep> steps = reader.Read([new(first, [Begin]), new(second, [Begin.AddSeconds(1)])]);
        Assert.Equal([(2_000, 2), (6_000, 2)], steps.Select(step => (step.RateAsked, (int)step.Seconds)));
        double[] reached = [(Rates[1] + Rates[2] + Rates[0] + Rates[1]) / 2.0, (Rates[5] + Rates[6] + Rates[4] + Rates[5]) / 2.0];
        Assert.Equal(reached, steps.Select(step => Math.Round(step.RateReached, 3)));
        Assert.All(steps, step => Assert.Equal(40, step.LatencyMicros!.Count));
        Assert.Equal([Begin.AddSeconds(1.5), Begin.AddSeconds(5.5)], steps.Select(step => step.Utc!.Value));
    }

    // One that receives from both is asked the mean of what each has since its own begin, on the connections of both.
    [Fact]
    public void Read_OneConsumerOfTwoSendersOnARamp_IsAskedTheRatesOfBoth()
    {
        RecordedRole consumer = Write("consumer", [.. Enumerable.Range(1, 9).Select(second => (second + 0.5, Line(1_000, micros: 10)))]);
        RateStepReader reader = new(RateSchedule.TryParseRamp("1000:10000:9")!, MeasuredPaths.Published, connections: 2);
        IReadOnlyList<RateStep> both = reader.Read([new(consumer, [Begin, Begin.AddSeconds(1)])]), one = reader.Read([new(consumer, [Begin])]);
        Assert.Equal(3, both.Count);
        Assert.All(both, step => Assert.Equal(1, step.Seconds)); // from 1.5 to 2.5 s of 1 to 3 s
        Assert.Equal([5_000, 11_000, 17_000], both.Select(step => (int)Math.Round(step.RateAsked / 100) * 100));
        Assert.Equal(2, one[1].Seconds);
    }

    // The share of a role whose collections are in the step.
    [Theory]
    [InlineData(false, 1_500, 3_500)]
    [InlineData(true, 750, 3_500)]
    public void Read_PostsThatReturn_AreAskedToo(bool isLate, double first, double second)
    {
        RecordedRole early = Write("consumer-1", [.. Rates.Select((rate, i) => (i + 1.5, Line(rate, micros: 10)))]);
        RecordedRole other = Write("consumer-2", [.. Rates.Select((rate, i) => (i + (isLate ? 4.5 : 1.5), Line(rate, micros: 10)))]);
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Posting, connections: 1) { Returning = 500 };
        IReadOnlyList<RateStep> steps = reader.Read([new(early, [Begin]), new(other, [Begin])]);
        Assert.Equal([first, second], steps.Select(step => step.RateAsked));
    }

    // Where the second begins when the step of the first is over there is no such time.
    [Fact]
    public void Read_SendersAStepApart_HasNoCollections()
    {
        RecordedRole consumer = Write("consumer", [.. Enumerable.Range(1, 9).Select(second => (second + 0.5, Line(1_000, micros: 10)))]);
        RateStepReader reader = new(RateSchedule.TryParseSteps("1000,3000:4")!, MeasuredPaths.Published, connections: 2);
        Assert.All(reader.Read([new(consumer, [Begin, Begin.AddSeconds(4)])]), step => Assert.Equal((0, null), (step.Seconds, step.Utc)));
    }

    [Fact]
    public void Verdict_StepThatWasMissed_IsSlowAndNamesIt()
    {
        RateStep kept = new() { RateAsked = 1_000, RateReached = 1_000, Seconds = 3, LatencyMicros = null };
        RunFigures figures = SampleFigures.Good with { RateAsked = null, RateSteps = [kept, kept with { RateReached = 900 }] };
        Verdict verdict = Verdict.Of(null, figures, SampleFigures.GoodLinks, new SlowCause());
        Assert.Equal((RunVerdict.Slow, "step 2: 900/s reached, 1,000/s asked"), (verdict.Result, verdict.Reason));
        Assert.Equal(RunVerdict.Ok, Verdict.Of(null, figures with { RateSteps = [kept] }, SampleFigures.GoodLinks, new SlowCause()).Result);
    }

    [Fact]
    public void ClosingText_Steps_StandBelowTheRate()
    {
        RateStep step = new() { RateAsked = 20_000, RateReached = 20_001, Seconds = 3, LatencyMicros = SampleFigures.Good.LatencyMicros };
        RunDocument run = SampleFigures.Run with
        {
            Figures = SampleFigures.Good with { RateAsked = null, RateSteps = [step, step with { Seconds = 0 }] },
        };
        Assert.Equal(
            ["    rate         100,000/s reached", "    step 1       20,000/s asked, 20,001/s reached, p50 31 us, p99 74 us",
                "    step 2       no whole collection in it"],
            ClosingText.Create(run, "r/").Skip(1).Take(3));
    }

    public void Dispose() => _folder.Dispose();

    private static string ArgumentsOf(Scenario scenario, string role, ScenarioOptions options) => string.Join(' ',
        scenario.Roles.Single(one => one.Name == role).AddArguments(new RoleArguments([]), new(options, null!, Addresses, 10)).All);

    private static string Line(int rate, int micros) => string.Create(CultureInfo.InvariantCulture,
        $"\"updateRate\":{rate},\"updateLatency\":{{\"count\":10,\"avgMicros\":{micros - 10},\"maxMicros\":{micros + 5},\"minMicros\":1}}");

    // Collections of a second each, whose ends are given in seconds after the beginning.
    private RecordedRole Write(string name, IEnumerable<(double Ends, string Figures)> collections, int ahead = 0)
    {
        File.WriteAllLines(_folder.PathOf(name + ".jsonl"), collections.Select(one => string.Create(CultureInfo.InvariantCulture,
            $"{{\"final\":false,\"utc\":\"{Begin.AddSeconds(one.Ends):yyyy-MM-dd'T'HH:mm:ss.fff'Z'}\",\"intervalSeconds\":1,\"overall\":{{{one.Figures}}}}}")));
        return new RecordedRole(_folder.FullPath, new RoleResult
        {
            Name = name,
            Tool = "Tool",
            Command = "",
            ExitCode = 0,
            CpuCorePercent = null,
            MemoryMegabytes = null,
            Files = new($"{name}.log", $"{name}.jsonl", name),
            Final = null,
        })
        { ClockShift = TimeSpan.FromSeconds(ahead) };
    }
}
