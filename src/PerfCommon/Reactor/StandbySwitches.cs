using System.Globalization;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>What the switches of a warm standby pair cost: how long data were missing, and about how many updates. One owner thread.</summary>
/// <param name="counters">Where it is counted.</param>
/// <param name="notices">Gets a sentence for each switch.</param>
/// <param name="time">By whose clock.</param>
internal sealed class StandbySwitches(CounterSet counters, RunNotices notices, TimeSource time)
{
    private bool[] _isMissing = [];
    private int _missing;
    private long _lostNanos;
    private long _lastUpdateNanos; // the end of the last read that brought any
    private long _firstUpdateNanos; // of the server that is, or was, the active one
    private long _updates; // of it
    private bool _waitsForUpdate;
    private string _sentence = "";

    /// <summary>The active server is lost.</summary>
    public void Lose() => _lostNanos = time.NowNanos;

    /// <summary>Another server takes over.</summary>
    /// <param name="items">The items that are asked for.</param>
    /// <param name="sentence">From where to where, and why.</param>
    public void Begin(int items, string sentence)
    {
        counters.Add(Counter.StandbySwitches, 1);
        _isMissing = new bool[items];
        Array.Fill(_isMissing, true);
        (_missing, _sentence, _waitsForUpdate) = (items, sentence, _lastUpdateNanos > 0);
    }

    /// <summary>An image came from the active server.</summary>
    public void NoteImage(int item)
    {
        if (_missing == 0 || item >= _isMissing.Length || !_isMissing[item])
            return;
        _isMissing[item] = false;
        if (--_missing > 0)
            return;
        long nanos = time.NowNanos - _lostNanos;
        counters.Add(Counter.SwitchMicros, nanos / 1_000);
        notices.Add(string.Create(CultureInfo.InvariantCulture,
            $"{_sentence}: {nanos / 1e6:F1} ms from the loss to the last of {_isMissing.Length} images."));
    }

    /// <summary>Updates came from the active server, read together.</summary>
    public void NoteUpdates(int count)
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
        notices.Add(string.Create(CultureInfo.InvariantCulture,
            $"No updates for {gapNanos / 1e6:F1} ms: about {missed} were missed, at the rate before."));
        _updates = 0;
    }
}
