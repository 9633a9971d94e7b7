using PerfHub.FanOut;

namespace PerfHub.Consumers;

/// <content>Whether what is queued may wait for more.</content>
internal sealed partial class HubSession
{
    private BurstInterval _burst; // its own, where each connection has one
    private long _flushedNanos;

    /// <summary>When its updates go out, which wait for others until then; 0 while none wait.</summary>
    public long HeldUntilNanos { get; set; }

    /// <summary>Notes updates for it, where each connection has an interval of its own.</summary>
    public void NoteArrivals(BurstSettings settings, long nowNanos, int updates) => _burst.Note(settings, nowNanos, updates);

    /// <summary>Says whether updates wait for more: not when nothing was sent for the last interval, nor beside other things.</summary>
    /// <param name="settings">How long they may.</param>
    /// <param name="ofThread">The interval of all connections of the thread, where they have one together.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="untilNanos">When they go out; while some wait already, that stands.</param>
    public bool MayWait(BurstSettings settings, in BurstInterval ofThread, long nowNanos, out long untilNanos)
    {
        untilNanos = HeldUntilNanos;
        if (!IsOpen || Replies.IsWaiting || IsConflating || _isPaused)
            return false;
        ref readonly BurstInterval interval = ref settings.IsPerSession ? ref _burst : ref ofThread;
        if (untilNanos == 0 && nowNanos - _flushedNanos >= interval.Nanos)
            return false;
        if (untilNanos == 0)
            untilNanos = interval.EdgeAfter(nowNanos, SlotNumber % BurstInterval.Phases);
        return true;
    }

    /// <summary>What waits for it is sent next.</summary>
    public void BeginFlush(long nowNanos)
    {
        Release();
        _flushedNanos = nowNanos;
    }

    // What it waits for no longer comes.
    private void Release() => HeldUntilNanos = 0;
}
