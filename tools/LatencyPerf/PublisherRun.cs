using System.Security.Cryptography;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

/// <summary>A publisher's run: the test, the guide's table, the files.</summary>
internal sealed class PublisherRun : SideRun
{
    private readonly Baseline? _baseline;
    private readonly List<OneWayTime> _oneWay = [];
    private bool _hasHead;
    private bool _toldOfClock;

    private PublisherRun(LatencyPerfOptions options, RunHost host, Baseline? baseline)
        : base(options, host, GuideText.Publisher) => _baseline = baseline;

    /// <exception cref="SetupException">It could not start.</exception>
    public static RunOutcome Run(LatencyPerfOptions options, RunHost host)
    {
        Baseline? baseline = options.Baseline is { } path ? Baseline.Read(path, TestConditions.Of(options)) : null;
        using PublisherRun run = new(options, host, baseline);
        return run.Execute();
    }

    protected override void Show(SizeResult size)
    {
        if (!_hasHead)
            Print(GuideText.TableHead);
        _hasHead = true;
        OneWayTime? oneWay = _baseline is not null ? OneWayTimes.Beyond(size, _baseline) : Options.OneWay ? OneWayTimes.HalfOf(size) : null;
        if (oneWay is not null)
            _oneWay.Add(oneWay);
        if (size.Counts.NotPositive > 0)
            Print(GuideText.NotPositive);
        Print(GuideText.Row(size));
        Files.Write(size, oneWay);
        _toldOfClock = true;
    }

    private RunOutcome Execute()
    {
        Print(GuideText.Registered(Options.Transport));
        if (FindCrowd() is { } warning)
            Print(warning);
        PublisherTest test = new(CreatePlan(), CreateTerms(), Link, Events, Stop);
        RunOutcome outcome = RunThread("publisher", test.Run);
        EndLine();
        return Finish(outcome, test.Result);
    }

    internal static AssertedFigure FindFigure(SizeResult size, string metric)
    {
        LatencyFigures trips = size.Trips;
        return metric switch
        {
            SizedThresholds.Resent => new(size.Counts.Resent),
            Threshold.Lost => new(size.Counts.Lost),
            "avg" => new(trips.Average, trips.Count),
            "max" => new(trips.Max, trips.Count),
            "p50" => new(trips.P50, trips.Count),
            "p90" => new(trips.P90, trips.Count),
            "p99" => new(trips.P99, trips.Count),
            "p99.9" => new(trips.P999, trips.Count),
            _ => new(trips.P9999, trips.Count),
        };
    }

    private RunOutcome Finish(RunOutcome outcome, PublisherResult result)
    {
        if (outcome.Code == ExitCode.Success && result.Trouble is { } trouble)
            outcome = new RunOutcome(ExitCode.Incomplete, trouble, trouble);
        IReadOnlyList<ThresholdResult> assertions = outcome.Code == ExitCode.Success
            ? [.. (Options.Thresholds ?? []).Select(asked => SizedThresholds.Compare(asked, result.Sizes, size => size.Bytes, FindFigure))] : [];
        if (_toldOfClock)
            Print(GuideText.Remarks(Options, result));
        if (_oneWay.Count > 0)
            Print(GuideText.OneWay(_oneWay, _baseline is not null));
        foreach (ThresholdResult assertion in assertions)
            Print(assertion.Line + "\n");
        Print(outcome.Code == ExitCode.Success ? GuideText.Successful : GuideText.Failed(outcome.Reason));
        if (assertions.FirstOrDefault(assertion => !assertion.IsKept) is { } missed)
            outcome = outcome with { Code = ExitCode.AssertionMissed, Reason = missed.Reason };
        outcome = Judge(outcome);
        Files.WriteFinal(result, outcome, _oneWay, assertions);
        return outcome.WithUnwritten(Files.Failure);
    }

    private PublisherPlan CreatePlan() => new()
    {
        IsBusy = Options.BusyRead,
        SpinNanos = Options.SpinMicros * Clock.NanosPerMicro,
        IntervalNanos = Options.IntervalMicros * Clock.NanosPerMicro,
        ReplyTimeoutNanos = Options.ReplyTimeoutMillis * Clock.NanosPerMilli,
        WaitNanos = Options.WaitSeconds * Clock.NanosPerSecond,
        Verifies = Options.Verify,
        KeepsIntervals = Options.HistogramFile is not null,
    };

    private RendezvousTerms CreateTerms() => new()
    {
        Identity = new TestIdentity(Options.DomainId, IDatagramOutput.Publisher, DrawSession()),
        Subscribers = Options.Subscribers,
        Reliable = Options.UsesStrictDelivery,
        Admits = Place.Admits,
        FindGroupProblem = Place.FindGroupProblem,
        ReplyGroup = Options.Group is { } group ? new(group, Options.Ports.ReplyGroup) : null,
        NumIter = Options.NumIter,
        MinBytes = Options.MinBytes,
        MaxBytes = Options.MaxBytes,
        Window = Options.Window,
    };

    private static uint DrawSession() => (uint)RandomNumberGenerator.GetInt32(1, int.MaxValue);

    // The options of the other sides are unknown, but those on this host probably have the same.
    private string? FindCrowd() => Options.BusyRead && Place.IsLocal && Options.Subscribers + 1 > Environment.ProcessorCount
        ? FormattableString.Invariant(
            $"Warning: {Options.Subscribers + 1} sides on {Environment.ProcessorCount} processors: those that never sleep will hold up the others.\n") : null;
}
