using System.Security.Cryptography;
using LatencyPerf.Links;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace LatencyPerf;

/// <summary>The publisher: the test, the guide's table, the figures of each size.</summary>
internal sealed class PublisherRole : LatencyRole
{
    private readonly Baseline? _baseline;
    private readonly SizeHistograms _histograms;
    private readonly PublisherTest _test;
    private readonly List<OneWayTime> _oneWay = [];
    private readonly List<Figures> _completed = []; // since the last call
    private bool _hasHead;
    private string? _failure;

    public PublisherRole(LatencyPerfOptions options, RunHost host, TestPlace place, ILink link, Baseline? baseline)
        : base(options, host, PublisherReport.Create(options), place, link)
    {
        _baseline = baseline;
        _histograms = new SizeHistograms(options);
        _test = new PublisherTest(CreatePlan(), CreateTerms(), link, Events, Stop);
    }

    public override IReadOnlyList<ReportFile> Files => _histograms.Files;

    protected override string? Trouble => _test.Result.Trouble;

    public override string NameOfThread(int worker) => "publisher";

    public override void Begin(RunConsole console, long nowNanos)
    {
        base.Begin(console, nowNanos);
        Print(GuideText.Registered(Options.Transport.Name));
        if (FindCrowd() is { } warning)
            Print(warning);
    }

    public override IReadOnlyList<Figures> DequeueSizes()
    {
        Figures[] completed = [.. _completed];
        _completed.Clear();
        return completed;
    }

    public override Figures Describe(Figures figures, int? worker, bool isWhole) => figures with { Results = _test.Result };

    public override RunSummary Describe(RunSummary summary) => summary with { SteadyCpu = _test.Result.Cpu };

    public override bool IsComparable(RunSummary summary) => _failure is null;

    public override RunOutcome Complete(RunOutcome outcome)
    {
        bool hasFailed = outcome.Code != ExitCode.Success && !outcome.Code.IsOfSignal();
        _failure = Trouble ?? (hasFailed ? outcome.Reason : null);
        return outcome with { NotComparableReason = Trouble };
    }

    public override void WriteSummary(TextWriter writer, RunSummary summary)
    {
        if (IsInLine)
            writer.Write('\n');
        foreach (string note in summary.Notes)
            writer.Write(note + "\n");
        if (_hasHead)
            writer.Write(GuideText.Remarks(Options, _test.Result));
        writer.Write(GuideText.End(_oneWay, _baseline is not null, summary.Assertions, _failure));
    }

    public override void Dispose()
    {
        _histograms.Dispose();
        base.Dispose();
    }

    protected override void RunTest() => _test.Run();

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
        _histograms.Write(size);
        _completed.Add(SizeRows.Of(size, oneWay));
    }

    private PublisherPlan CreatePlan() => new()
    {
        IsBusy = Options.BusyRead,
        SpinNanos = Options.SpinMicros * Clock.NanosPerMicro,
        IntervalNanos = Options.IntervalMicros * Clock.NanosPerMicro,
        ReplyTimeoutNanos = Options.ReplyTimeoutMillis * Clock.NanosPerMilli,
        WaitNanos = Options.WaitSeconds * Clock.NanosPerSecond,
        Verifies = Options.Verify,
        KeepsIntervals = Options.Run.HistogramFile is not null,
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
