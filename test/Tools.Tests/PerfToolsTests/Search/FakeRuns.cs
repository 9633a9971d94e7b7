using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verbs;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>Runs of a system that keeps p99 below a millisecond up to 4,360,000 updates a second, without a process.</summary>
internal sealed class FakeRuns
{
    public const int Limit = 4_360_000;

    private const double FullRate = 5_000_000;
    private int _count;

    /// <summary>Changes a run, by its number from 1.</summary>
    public Func<int, FinishedRun, FinishedRun> Change { get; init; } = static (_, run) => run;

    /// <summary>The options of all runs.</summary>
    public List<ScenarioOptions> Asked { get; } = [];

    public FinishedRun Make(ScenarioOptions options, RunFolder folder)
    {
        Asked.Add(options);
        double load = options.Rate / FullRate;
        double p99 = options.Rate > Limit ? 25_000 : 100 / (1 - load);
        bool isKept = options.Rate <= Limit;
        string? reason = isKept ? null : $"{options.Thresholds[0]}: p99 is 25ms";
        RunDocument sample = SampleFigures.Run;
        RunDocument run = sample with
        {
            Verdict = isKept ? RunVerdict.Ok : RunVerdict.Missed,
            Reason = reason,
            ExitCode = isKept ? 0 : 6,
            Figures = SampleFigures.Good with
            {
                RateAsked = options.Rate,
                RateReached = options.Rate,
                LatencyMicros = SampleFigures.Good.LatencyMicros! with { P50 = p99 / 2, P99 = p99, P999 = 2 * p99 },
            },
            Assertions = [],
            Roles = [.. sample.Roles.Select(role => role with { CpuCorePercent = 90 * load })],
            Machine = new() { Processors = 2, OperatingSystem = "an OS", Architecture = "X64", Runtime = "a runtime", ForeignPercent = 3.5 },
        };
        return Change(++_count, new(folder, run, isKept ? RunOutcome.Success : new(ExitCode.AssertionMissed, reason!)));
    }
}

/// <summary>A clock that is read six and a half seconds later each time.</summary>
internal sealed class SteppingClock : TimeProvider
{
    private long _now;

    public override long TimestampFrequency => 10;

    public override long GetTimestamp() => _now += 65;

    public override DateTimeOffset GetUtcNow() => new(2026, 11, 26, 9, 0, 0, TimeSpan.Zero);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();

    // Nothing happens between two reads of the clock.
    private sealed class NoTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }
}
