using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Measurement;

namespace LatencyPerf.Rounds;

/// <summary>A subscriber's test from its first announcement to the end; all of it on the thread that owns the link.</summary>
internal sealed class SubscriberTest(SubscriberPlan plan, SubscriberConversation conversation, ILink link, CancellationToken stop)
{
    private const int DatagramsPerLook = 1024;
    private const int DatagramsPerTick = 32;

    private readonly LinkReader _reader = new(link, plan.IsBusy, plan.SpinNanos);
    private Placement _placement = Placement.Unknown;
    private long _nextSeen;
    private CpuReading _begin;
    private bool _hasBegun;
    private bool _isLeft;
    private int _untilLook;

    /// <summary>Why the test is incomplete; null when it is complete.</summary>
    public string? Trouble { get; private set; }

    /// <summary>Processor time from the first data to the end; null before it.</summary>
    public CpuUse? Cpu { get; private set; }

    /// <summary>Carries out the test.</summary>
    /// <exception cref="SetupException">The test could not begin: refused, or no publisher in time.</exception>
    public void Run()
    {
        conversation.ReadCounts = ReadCounts;
        long untilNanos = plan.WaitNanos > 0 ? Clock.NowNanos + plan.WaitNanos : long.MaxValue;
        while (!conversation.IsOver && !_isLeft && Trouble is null)
        {
            if (stop.IsCancellationRequested)
            {
                conversation.Leave(link);
                return;
            }

            Turn();
            if (conversation.Received >= _nextSeen)
                See();
            if (conversation.Rendezvous.Terms is null && Clock.NowNanos >= untilNanos)
                throw new SetupException(SetupProblem.NotStarted, "no publisher answered");
        }

        if (conversation.WasInterrupted)
            Trouble ??= "publisher interrupted";
    }

    private void Turn()
    {
        if (_reader.TryRead(conversation.NextWakeNanos, out Span<byte> datagram))
        {
            conversation.Receive(datagram, Clock.NowNanos, link);
            if (--_untilLook > 0)
                return;
        }

        _untilLook = DatagramsPerTick;

        LookAround(Clock.NowNanos);
    }

    private void LookAround(long nowNanos)
    {
        string? broken = link.Broken; // before an announcement opens a new connection
        if (nowNanos >= conversation.NextWakeNanos)
            conversation.Tick(nowNanos, link);
        if (conversation.Rendezvous.Refused is { } refusal)
            throw new SetupException(SetupProblem.NotStarted, $"refused: {refusal.Text}");
        link.LookForPeers();
        broken ??= link.Broken;
        bool isGone = link.PollRefusal() | broken is not null; // before its welcome it has not started yet
        if (conversation.Rendezvous.Terms is null || (!isGone && !conversation.Rendezvous.IsAlone))
            return;
        if (conversation.Counts is not null)
            _isLeft = true; // the publisher had received everything
        else
            Trouble = isGone ? $"the publisher is gone{(broken is null ? "" : ": " + broken)}" : "the publisher is silent";
    }

    private void See()
    {
        if (!conversation.HasData)
            return;
        _nextSeen = conversation.Received + DatagramsPerLook;
        if (!_hasBegun)
            (_begin, _hasBegun) = (CpuClock.Current.Read(), true);
        _placement = _placement.See(Thread.GetCurrentProcessorId());
    }

    private SubscriberCounts ReadCounts()
    {
        Cpu = _hasBegun ? CpuUse.OfProcess(_begin, CpuClock.Current.Read()) : null;
        return new()
        {
            Dropped = link.Dropped,
            KernelDrops = link.KernelDrops,
            CpuMicros = (Cpu?.UsedNanos ?? 0) / Clock.NanosPerMicro,
            Placement = _placement,
        };
    }
}

/// <summary>How a subscriber waits.</summary>
internal sealed record SubscriberPlan
{
    public bool IsBusy { get; init; }
    public long SpinNanos { get; init; }

    /// <summary>The maximum wait for the publisher; 0 for no limit.</summary>
    public long WaitNanos { get; init; }
}
