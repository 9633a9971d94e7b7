using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The waits of a dialer after each failure, when it gives up, and what it reports.</summary>
public sealed class RetryPaceTests
{
    private const long Milli = Clock.NanosPerMilli;

    private readonly List<string> _events = [];
    private readonly RunNotices _notices = new();

    [Fact]
    public void RecordFailure_OverAndOver_DoublesTheWaitUpToItsMaximum()
    {
        Dialer dialer = Create(givesUp: false, new RetryPace(7, 500 * Milli, 5_000 * Milli, "0.5 to 5 s"));
        Assert.Equal((7, "no attempt was made", null), (dialer.NextAttemptNanos, dialer.Problem, dialer.GaveUp));
        long[] waits = [500, 1_000, 2_000, 4_000, 5_000, 5_000];
        foreach (long wait in waits)
        {
            Assert.Equal(wait * Milli, dialer.NextWaitNanos);
            dialer.RecordFailure(new CloseReason(CloseKind.ConnectFailed, "nothing there"), 100, _notices);
            Assert.Equal((100 + (wait * Milli), "nothing there", null), (dialer.NextAttemptNanos, dialer.Problem, dialer.GaveUp));
        }

        Assert.Equal(Enumerable.Repeat("one failed", 6), _events);
        Assert.Equal(["Connection failed: nothing there; will retry every 0.5 to 5 s"], Notices());
    }

    /// <summary>A problem is reported when it is another one than before.</summary>
    [Fact]
    public void RecordFailure_OfOtherReasons_IsReportedEachTime()
    {
        Dialer dialer = Create(givesUp: false, RetryPace.EverySecond);
        foreach (string text in (string[])["a", "a", "b", "a"])
            dialer.RecordFailure(new CloseReason(CloseKind.Reset, text), 0, _notices);
        Assert.Equal(["a", "b", "a"], Notices().Select(notice => notice["Connection failed: ".Length..][..1]));
        Assert.Equal((Clock.NanosPerSecond, Clock.NanosPerSecond), (dialer.NextAttemptNanos, dialer.NextWaitNanos));
    }

    public static TheoryData<CloseKind> Kinds => new(Enum.GetValues<CloseKind>());

    [Theory, MemberData(nameof(Kinds))]
    public void RecordFailure_OfEachKind_GivesUpWhereAnotherAttemptIsHopeless(CloseKind kind)
    {
        bool isHopeless = kind == CloseKind.NotTrusted;
        bool isHopelessWhenRefused = kind is CloseKind.NotTrusted or CloseKind.Refused or CloseKind.HandshakeFailed or CloseKind.ProtocolError;
        foreach (bool givesUp in (bool[])[true, false])
        {
            bool expected = givesUp ? isHopelessWhenRefused : isHopeless;
            Dialer dialer = Create(givesUp, RetryPace.EverySecond);
            _events.Clear();
            dialer.RecordFailure(new CloseReason(kind, "why"), 50, _notices);
            Assert.Equal((expected ? "why" : null, expected ? 0 : 1), (dialer.GaveUp, _events.Count));
            Assert.Equal(expected ? 0 : 1, Notices().Count);
            Assert.Equal(expected ? 0 : 50 + Clock.NanosPerSecond, dialer.NextAttemptNanos);
        }
    }

    private Dialer Create(bool givesUp, RetryPace pace) =>
        new(new OrderedConnection("one", _events), new ConnectOptions { Host = MemoryNetwork.Host, Port = 7 }, givesUp, pace);

    private List<string> Notices()
    {
        List<string> notices = [];
        while (_notices.TryDequeue(out string notice))
            notices.Add(notice);
        return notices;
    }
}
