using System.Globalization;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Prints the notices of all workers, a limited number per second: notices that explain a failure have a limit per cause, so that none is lost among
/// others.
/// </summary>
/// <remarks>Main thread only.</remarks>
/// <param name="show">Prints a notice.</param>
/// <param name="options">The option that changes what a notice is about, by its kind: libraries know no options. Null for none.</param>
internal sealed class NoticeBoard(Action<string> show, IReadOnlyDictionary<NoticeKind, string>? options = null)
{
    private const int NoticesPerSecond = 50;
    private const int NoticesOfACause = 10;
    private const int MaxCauses = 100; // our own words, and few

    private readonly NoticeGate _others = new(NoticesPerSecond);
    private readonly Dictionary<string, NoticeGate> _byCause = [];

    /// <summary>Prints new notices.</summary>
    /// <param name="notices">The notices of one worker.</param>
    /// <param name="prefix">Prefix of each.</param>
    /// <param name="nowNanos">The time.</param>
    public void Show(RunNotices notices, string prefix, long nowNanos)
    {
        while (notices.TryDequeueNotice(out Notice? notice))
        {
            string sentence = prefix + notice.Text + AdviceOn(notice.Kind);
            if (GateOf(notice.Cause).TryPass(sentence, nowNanos))
                show(sentence);
        }

        foreach ((string cause, long count) in notices.CollectUnreported())
            show(string.Create(CultureInfo.InvariantCulture, $"{prefix}{cause} ({count:N0} further notices found no room)"));
    }

    /// <summary>Prints the numbers of notices that were suppressed in past seconds.</summary>
    public void ShowHeld(long nowNanos)
    {
        foreach (NoticeGate gate in _byCause.Values.Prepend(_others))
        {
            if (gate.CollectHeld(nowNanos) is { } sum)
                show(sum);
        }
    }

    private string AdviceOn(NoticeKind kind) => options?.GetValueOrDefault(kind) is { } option ? $" See {option}." : "";

    private NoticeGate GateOf(string? cause)
    {
        if (cause is null || (_byCause.Count == MaxCauses && !_byCause.ContainsKey(cause)))
            return _others;
        if (!_byCause.TryGetValue(cause, out NoticeGate? gate))
            _byCause.Add(cause, gate = new NoticeGate(NoticesOfACause));
        return gate;
    }
}
