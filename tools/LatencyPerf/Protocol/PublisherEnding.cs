using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>
/// The publisher's end of a test: requests the counts of all subscribers until all have sent them, for 5 s at most. Knows no link; time is an
/// argument.
/// </summary>
/// <param name="terms">The test.</param>
/// <param name="last">The number of the last packet.</param>
/// <param name="wasInterrupted">True when the test was interrupted.</param>
internal sealed class PublisherEnding(RendezvousTerms terms, ulong last, bool wasInterrupted)
{
    private const long RepeatNanos = 10 * Clock.NanosPerMilli;
    private const long MaxNanos = 5 * Clock.NanosPerSecond;
    private const long BrokenNanos = Clock.NanosPerSecond / 2; // of an interrupted test

    private readonly SubscriberCounts?[] _counts = new SubscriberCounts?[terms.Subscribers + 1];
    private readonly byte[] _datagram = new byte[TestIdentity.MaxControlBytes];
    private long _endNanos = -1;

    /// <summary>The counts of each subscriber, by cookie from 1; null for one that has not sent them.</summary>
    public IReadOnlyList<SubscriberCounts?> Counts => _counts;

    /// <summary>True when all have sent them, or the time is over.</summary>
    public bool IsOver { get; private set; }

    /// <summary>The first cookie that has not sent them; null when all have.</summary>
    public int? Missing => Enumerable.Range(1, terms.Subscribers).Cast<int?>().FirstOrDefault(cookie => _counts[cookie!.Value] is null);

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public long NextWakeNanos { get; private set; }

    /// <summary>Receives a datagram; other datagrams of the test are ignored.</summary>
    public void Receive(in DatagramHeader header, ReadOnlySpan<byte> body, IDatagramOutput output)
    {
        bool isMine = header.Kind == DatagramKind.Ended && terms.Identity.Owns(header) && header.From >= 1
            && header.From <= terms.Subscribers;
        if (!isMine || !SubscriberCounts.TryRead(body, out SubscriberCounts counts))
            return;
        _counts[header.From] = counts;
        if (Missing is not null)
            return;
        IsOver = true;
        for (int cookie = 1; cookie <= terms.Subscribers; cookie++)
            output.Send(cookie, _datagram.AsSpan(0, terms.Identity.WriteHeader(_datagram, DatagramKind.Ack, 0, last, terms.Marks)));
    }

    /// <summary>Does the work that is due: repeats the request to those that have not answered.</summary>
    public void Tick(long nowNanos, IDatagramOutput output)
    {
        if (_endNanos < 0)
            _endNanos = nowNanos + (wasInterrupted ? BrokenNanos : MaxNanos);
        if (nowNanos >= _endNanos)
            IsOver = true;
        if (IsOver || nowNanos < NextWakeNanos)
            return;
        NextWakeNanos = nowNanos + RepeatNanos;
        DatagramMarks marks = terms.Marks | (wasInterrupted ? DatagramMarks.Interrupted : 0);
        for (int cookie = 1; cookie <= terms.Subscribers; cookie++)
        {
            if (_counts[cookie] is null)
                output.Send(cookie, _datagram.AsSpan(0, terms.Identity.WriteHeader(_datagram, DatagramKind.End, 0, last, marks)));
        }
    }
}
