using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>Measures the switches of a warm standby pair: how long data was missing, and about how many updates. One owner thread.</summary>
/// <param name="counters">Counters of the results.</param>
/// <param name="notices">Receives a sentence for each switch.</param>
/// <param name="time">Clock for the measurement.</param>
internal sealed class StandbySwitches(CounterSet counters, RunNotices notices, TimeSource time)
{
    private bool[] _isMissing = [];
    private int _missing;
    private long _lostNanos;
    private long _lastUpdateNanos; // end of the last read that returned any
    private long _firstUpdateNanos; // of the current, or last, active server
    private long _updates; // of the same server
    private bool _waitsForUpdate;
    private string _sentence = "";

    /// <summary>Records the loss of the active server.</summary>
    public void RecordLoss() => _lostNanos = time.NowNanos;

    /// <summary>Records that another server becomes active.</summary>
    /// <param name="items">Items that are requested.</param>
    /// <param name="sentence">Names both servers and the reason.</param>
    public void Begin(int items, string sentence)
    {
        counters.Add(Counter.StandbySwitches, 1);
        _isMissing = new bool[items];
        Array.Fill(_isMissing, true);
        (_missing, _sentence, _waitsForUpdate) = (items, sentence, _lastUpdateNanos > 0);
    }

    /// <summary>Records an image from the active server.</summary>
    public void RecordImage(int item)
    {
        if (_missing == 0 || item >= _isMissing.Length || !_isMissing[item])
            return;
        _isMissing[item] = false;
        if (--_missing > 0)
            return;
        long nanos = time.NowNanos - _lostNanos;
        counters.Add(Counter.SwitchMicros, nanos / 1_000);
        notices.Add(StandbyNotices.Switched, _sentence, nanos / 1e6, _isMissing.Length);
    }

    /// <summary>Records updates from the active server that were read together.</summary>
    public void RecordUpdates(int count)
    {
        if (count == 0)
            return;
        long now = time.NowNanos;
        if (_waitsForUpdate)
            EndGap(now);
        if (_updates == 0)
            _firstUpdateNanos = now;
        _updates += count;
        _lastUpdateNanos = now;
    }

    private void EndGap(long nowNanos)
    {
        _waitsForUpdate = false;
        long gapNanos = nowNanos - _lastUpdateNanos;
        long spanNanos = _lastUpdateNanos - _firstUpdateNanos;
        long missed = spanNanos > 0 ? (long)((double)_updates / spanNanos * gapNanos) : 0;
        counters.Add(Counter.SwitchGapMicros, gapNanos / 1_000);
        counters.Add(Counter.UpdatesMissed, missed);
        notices.Add(StandbyNotices.Gap, gapNanos / 1e6, missed);
        _updates = 0;
    }
}
