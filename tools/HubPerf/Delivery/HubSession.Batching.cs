using HubPerf.Tuning;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <content>Whether what is queued may wait for more.</content>
internal sealed partial class HubSession
{
    private BurstInterval _burst; // its own, where each connection has one
    private long _flushedNanos;
    private int _updatesNoted; // since they were noted at that
    private int _heldBytes; // that waited when it was looked at last
    private bool _hasOther; // something but updates is queued

    /// <summary>When its updates go out, which wait for others until then; 0 while none wait.</summary>
    public long HeldUntilNanos { get; set; }

    /// <summary>Says whether what was queued waits for more: updates alone do, unless nothing was sent for the last interval.</summary>
    /// <param name="settings">How long they may.</param>
    /// <param name="ofThread">The interval of all connections of the thread, where they have one together.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="untilNanos">When they go out; while it waits already, that stands.</param>
    public bool MayWait(BurstSettings settings, in BurstInterval ofThread, long nowNanos, out long untilNanos)
    {
        untilNanos = HeldUntilNanos;
        NoteEarlyFlush(nowNanos);
        if (settings.IsPerSession)
            _burst.Note(settings, nowNanos, _updatesNoted);
        _updatesNoted = 0;
        if (!IsOpen || _hasOther || Replies.IsWaiting || IsConflating || _isPaused)
            return false;
        ref readonly BurstInterval interval = ref settings.IsPerSession ? ref _burst : ref ofThread;
        if (untilNanos == 0 && nowNanos - _flushedNanos >= interval.Nanos)
            return false;
        if (untilNanos == 0)
            untilNanos = interval.EdgeAfter(nowNanos, SlotNumber % BurstInterval.Phases);
        _heldBytes = Channel.BytesQueued;
        return true;
    }

    /// <summary>Sends what is queued.</summary>
    public void FlushNow(long nowNanos)
    {
        Release();
        _flushedNanos = nowNanos;
        FlushWritten();
    }

    // Above the high-water mark the channel has not waited.
    private void NoteEarlyFlush(long nowNanos)
    {
        if (HeldUntilNanos == 0 || !IsOpen || Channel.BytesQueued >= _heldBytes)
            return;
        Count(Counter.EarlyFlushes);
        _flushedNanos = nowNanos;
    }

    private void Release()
    {
        HeldUntilNanos = 0;
        _hasOther = false;
        _heldBytes = 0;
    }
}
