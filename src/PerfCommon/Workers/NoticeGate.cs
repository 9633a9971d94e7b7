using System.Globalization;
using PerfCommon.Measurement;

namespace PerfCommon.Workers;

/// <summary>
/// Limits the notices per second and summarizes those it holds back in one, so that no peer can fill a disk by causing notices.
/// </summary>
/// <remarks>One thread.</remarks>
/// <param name="perSecond">Maximum notices in a second.</param>
internal sealed class NoticeGate(int perSecond)
{
    private long _secondEndNanos = long.MinValue;
    private int _passed;
    private long _held;
    private string _lastHeld = "";
    private bool _isOneSentence;

    /// <summary>True when the notice may be printed; false when it is held back.</summary>
    public bool TryPass(string sentence, long nowNanos)
    {
        if (nowNanos >= _secondEndNanos)
        {
            _secondEndNanos = nowNanos + Clock.NanosPerSecond;
            _passed = 0;
        }

        if (_passed < perSecond)
        {
            _passed++;
            return true;
        }

        _isOneSentence = _held == 0 || (_isOneSentence && sentence == _lastHeld);
        _lastHeld = sentence;
        _held++;
        return false;
    }

    /// <summary>Returns a summary of those held back in a second that is over, in one sentence; null for none.</summary>
    public string? CollectHeld(long nowNanos)
    {
        if (_held == 0 || nowNanos < _secondEndNanos)
            return null;
        string count = _held.ToString("N0", CultureInfo.InvariantCulture);
        _held = 0;
        return _isOneSentence ? $"{_lastHeld} (repeated {count} times)" : $"{_lastHeld} (the last of {count} notices that came too fast)";
    }
}
