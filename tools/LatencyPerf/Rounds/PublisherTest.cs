using System.Globalization;
using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace LatencyPerf.Rounds;

/// <summary>A publisher's test from the rendezvous to the end; all of it on the thread that owns the link.</summary>
internal sealed class PublisherTest(PublisherPlan plan, RendezvousTerms terms, ILink link, TestEvents events, CancellationToken stop)
{
    private const int MinPrimeRounds = 500;
    private const long MinPrimeNanos = 50 * Clock.NanosPerMilli;
    private const long MaxPrimeNanos = Clock.NanosPerSecond;
    private const long MaxPrimeWaitNanos = 100 * Clock.NanosPerMilli;
    private const int MaxLostInARow = 10;

    private readonly LinkReader _reader = new(link, plan.IsBusy, plan.SpinNanos);
    private readonly PublisherRendezvous _rendezvous = new(terms);
    private readonly SizeFigures _figures = new(plan.KeepsIntervals);
    private RoundLoop? _loop;
    private CpuReading _begin;

    /// <summary>The result; set whatever ends the test.</summary>
    public PublisherResult Result { get; private set; } = new();

    /// <summary>Carries out the test.</summary>
    /// <exception cref="SetupException">The test could not begin.</exception>
    public void Run()
    {
        WaitForSubscribers();
        if (stop.IsCancellationRequested)
        {
            End(0, "publisher interrupted");
            return;
        }

        link.EndRendezvous();
        events.Report($"\nEchoer restricted to the one in place #{_rendezvous.EchoerPlace}, identified to have cookie {_rendezvous.Echoer}.\n");
        WarmUp();
        Measure();
    }

    private void WaitForSubscribers()
    {
        events.Report(string.Create(CultureInfo.InvariantCulture, $"Waiting for {terms.Subscribers} receivers"));
        long untilNanos = plan.WaitNanos > 0 ? Clock.NowNanos + plan.WaitNanos : long.MaxValue;
        while (!_rendezvous.IsComplete && !stop.IsCancellationRequested)
        {
            if (_reader.TryRead(_rendezvous.NextWakeNanos, out Span<byte> datagram))
                ReceiveRendezvous(datagram);
            long now = Clock.NowNanos;
            _rendezvous.Tick(now, link);
            while (_rendezvous.Notices.TryDequeue(out Notice? notice))
                events.Report(notice.Kind == RendezvousNotices.Admitted ? notice.Text : $"\n{notice}\n");
            if (now >= untilNanos)
                throw new SetupException(SetupProblem.NotStarted, DescribeMissing());
        }
    }

    private string DescribeMissing() => (_rendezvous.Arrived, _rendezvous.Problem) switch
    {
        ({ Length: > 0 } came, _) => $"only cookies {came} came",
        (_, { } problem) => problem,
        _ => "no subscriber came",
    };

    private void ReceiveRendezvous(Span<byte> datagram)
    {
        if (DatagramHeader.TryRead(datagram, out DatagramHeader header))
            _rendezvous.Receive(header, datagram[DatagramHeader.Bytes..], link.Source, Clock.NowNanos, link);
        else
            _rendezvous.ReceiveOther(datagram, link.Source, link);
    }

    // Compiles the code and warms the caches of both sides; excluded from all counts.
    private void WarmUp()
    {
        RoundLoop loop = new(new BestEffortRounds(terms, MaxPrimeWaitNanos, isWarmUp: true), link, _reader, verifies: false, stop);
        long start = Clock.NowNanos;
        for (int i = 0; !loop.IsStopped; i++)
        {
            long passed = Clock.NowNanos - start;
            if ((i >= MinPrimeRounds && passed >= MinPrimeNanos) || passed >= MaxPrimeNanos)
                break;
            loop.TryRun(i % 2 == 0 ? terms.MinBytes : terms.MaxBytes, DatagramMarks.None);
        }

        _figures.Begin(start);
        _figures.Record(0, 1);
        _figures.Finish(0, default, start);
    }

    private void Measure()
    {
        RoundDelivery delivery = terms.Reliable ? new StrictRounds(terms) : new BestEffortRounds(terms, plan.ReplyTimeoutNanos);
        _loop = new RoundLoop(delivery, link, _reader, plan.Verifies, stop) { ProbesPeers = _rendezvous.Group is not null };
        events.Report(CollectingText());
        _begin = CpuClock.Current.Read();
        string? trouble = null;
        foreach (int bytes in SizeSweep.Of(terms.MinBytes, terms.MaxBytes))
        {
            trouble = RunSize(bytes);
            if (trouble is not null || _loop.IsStopped)
                break;
        }

        if (trouble is null)
            _loop.Settle();
        trouble ??= _loop.Trouble ?? (stop.IsCancellationRequested ? "publisher interrupted" : null);
        Result = Result with { Foreign = Result.Foreign + delivery.Foreign + _loop.Foreign + _rendezvous.Foreign };
        End(delivery.Sequence, trouble);
    }

    private string CollectingText() => string.Create(CultureInfo.InvariantCulture,
        $"Collecting statistics on {terms.NumIter} samples per message size.\nThis is the roundtrip time, *not* the one-way-latency\n");

    /// <summary>Measures one size: a lead round, then the samples.</summary>
    /// <returns>Why the test is over; null when it continues.</returns>
    private string? RunSize(int bytes)
    {
        RoundLoop loop = _loop!;
        loop.BeginCounts(bytes);
        _figures.Begin(Clock.NowNanos);
        RoundCounts own = default;
        int lostInARow = 0;
        bool isLead = true;
        long start = Clock.NowNanos, paced = 0;
        while (_figures.Samples < terms.NumIter && !loop.IsStopped)
        {
            if (plan.IntervalNanos > 0)
                own = own with { LateStarts = own.LateStarts + Pace(start + (++paced * plan.IntervalNanos)) };
            own = own with { Rounds = own.Rounds + 1 };
            if (!loop.TryRun(bytes, isLead ? DatagramMarks.Lead : DatagramMarks.None))
            {
                if (loop.IsStopped)
                    break;
                own = own with { Lost = own.Lost + 1 };
                if (++lostInARow == MaxLostInARow)
                    return FinishSize(bytes, own, $"{MaxLostInARow} rounds in a row without a reply");
                continue;
            }

            lostInARow = 0;
            if (!isLead)
                _figures.Record(loop.SentNanos, loop.ReceivedNanos);
            isLead = false;
        }

        return FinishSize(bytes, own, loop.Trouble);
    }

    private string? FinishSize(int bytes, RoundCounts own, string? trouble)
    {
        RoundCounts seen = _loop!.ReadCounts();
        SizeResult size = _figures.Finish(bytes, seen.Plus(own), Clock.NowNanos);
        bool isWhole = trouble is null && _figures.Samples == terms.NumIter;
        Result = Result with { Sizes = isWhole ? [.. Result.Sizes, size] : Result.Sizes, Unfinished = isWhole ? null : size };
        if (isWhole)
            events.Report(size);
        if (size.Counts.Damaged > 0)
            trouble ??= $"{size.Counts.Damaged} replies of {bytes} bytes differ from what was sent";
        return trouble
            ?? (_figures.IsClockTooCoarse
                ? $"the clock is too coarse: {size.Counts.NotPositive} samples of {bytes} bytes took no time" : null);
    }

    // Returns 1 for a round that is late already, 0 for one that was waited for.
    private int Pace(long dueNanos)
    {
        if (Clock.NowNanos >= dueNanos)
            return 1;
        _loop!.WaitUntil(dueNanos);
        return 0;
    }

    private void End(ulong last, string? trouble)
    {
        CpuUse? cpu = _begin.AtNanos > 0 ? CpuUse.OfProcess(_begin, CpuClock.Current.Read()) : null;
        PublisherEnding ending = new(terms, last, trouble is not null);
        while (!ending.IsOver)
        {
            ending.Tick(Clock.NowNanos, link);
            bool isRead = _reader.TryRead(ending.NextWakeNanos, out Span<byte> datagram);
            if (isRead && DatagramHeader.TryRead(datagram, out DatagramHeader header))
                ending.Receive(header, datagram[DatagramHeader.Bytes..], link);
            if (!isRead && (link.Broken is not null || (link.PollRefusal() && terms.Subscribers == 1)))
                break;
        }

        Result = Result with
        {
            Trouble = trouble ?? (ending.Missing is { } cookie ? $"the subscriber with cookie {cookie} did not tell its counts" : null),
            Subscribers = [.. ending.Counts.Skip(1)],
            LastSequence = last,
            Cpu = cpu,
            Placement = _loop?.Placement ?? Placement.Unknown,
            KernelDrops = link.KernelDrops,
            Dropped = link.Dropped,
        };
    }
}

/// <summary>The plan of a publisher's measurement.</summary>
internal sealed record PublisherPlan
{
    public bool IsBusy { get; init; }
    public long SpinNanos { get; init; }

    /// <summary>The time between the starts of two rounds; 0 starts the next at once.</summary>
    public long IntervalNanos { get; init; }
    public long ReplyTimeoutNanos { get; init; } = Clock.NanosPerSecond;

    /// <summary>The maximum wait for the subscribers; 0 for no limit.</summary>
    public long WaitNanos { get; init; }
    public bool Verifies { get; init; }
    public bool KeepsIntervals { get; init; }
}

/// <summary>The result of a publisher's test.</summary>
internal sealed record PublisherResult
{
    /// <summary>The completed sizes.</summary>
    public IReadOnlyList<SizeResult> Sizes { get; init; } = [];

    /// <summary>The size in which the test ended early; null when it did not.</summary>
    public SizeResult? Unfinished { get; init; }

    /// <summary>The counts of the subscribers, cookie 1 first; null for one that did not send them.</summary>
    public IReadOnlyList<SubscriberCounts?> Subscribers { get; init; } = [];

    /// <summary>Why the test is incomplete; null when it is complete.</summary>
    public string? Trouble { get; init; }
    public ulong LastSequence { get; init; }
    public long Foreign { get; init; }
    public long KernelDrops { get; init; }
    public long Dropped { get; init; }
    public CpuUse? Cpu { get; init; }
    public Placement Placement { get; init; } = Placement.Unknown;

    /// <summary>The counts of all sizes together.</summary>
    public RoundCounts Counts =>
        Sizes.Append(Unfinished).OfType<SizeResult>().Aggregate(default(RoundCounts), (sum, size) => sum.Plus(size.Counts));
}
