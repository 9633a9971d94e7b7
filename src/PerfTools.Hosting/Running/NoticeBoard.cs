using System.Globalization;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Shows the sentences of all workers, some a second: those that explain a failure have a bound for each cause, so that none is lost behind
/// others.
/// </summary>
/// <remarks>Main thread only.</remarks>
/// <param name="show">Shows one.</param>
/// <param name="options">The option that changes what a notice is about, by its cause: libraries know no options. Null for none.</param>
internal sealed class NoticeBoard(Action<string> show, IReadOnlyDictionary<string, string>? options = null)
{
    private const int NoticesPerSecond = 50;
    private const int NoticesOfACause = 10;
    private const int MaxCauses = 100; // our own words, and few

    private readonly NoticeGate _others = new(NoticesPerSecond);
    private readonly Dictionary<string, NoticeGate> _byCause = [];

    /// <summary>Shows what has come.</summary>
    /// <param name="notices">Of one worker.</param>
    /// <param name="prefix">In front of each.</param>
    /// <param name="nowNanos">The time.</param>
    public void Show(RunNotices notices, string prefix, long nowNanos)
    {
        while (notices.TryTakeNotice(out Notice notice))
        {
            string sentence = prefix + notice.Sentence + AdviceOn(notice.Cause);
            if (GateOf(notice.Cause).TryPass(sentence, nowNanos))
                show(sentence);
        }

        foreach ((string cause, long count) in notices.TakeUnsaid())
            show(string.Create(CultureInfo.InvariantCulture, $"{prefix}{cause} ({count:N0} further notices found no room)"));
    }

    /// <summary>Shows the sums of what was held back in seconds that are over.</summary>
    public void ShowHeld(long nowNanos)
    {
        foreach (NoticeGate gate in _byCause.Values.Prepend(_others))
        {
            if (gate.TakeSum(nowNanos) is { } sum)
                show(sum);
        }
    }

    private string AdviceOn(string? cause) => cause is not null && options?.GetValueOrDefault(cause) is { } option ? $" See {option}." : "";

    private NoticeGate GateOf(string? cause)
    {
        if (cause is null || (_byCause.Count == MaxCauses && !_byCause.ContainsKey(cause)))
            return _others;
        if (!_byCause.TryGetValue(cause, out NoticeGate? gate))
            _byCause.Add(cause, gate = new NoticeGate(NoticesOfACause));
        return gate;
    }
}
