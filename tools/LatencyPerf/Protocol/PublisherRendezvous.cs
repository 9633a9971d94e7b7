using System.Net;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace LatencyPerf.Protocol;

/// <summary>The publisher's side of the rendezvous, until all subscribers are ready. Knows no link; time is an argument.</summary>
/// <remarks>
/// No received datagram ends it. A subscriber that becomes silent, or leaves, frees its place; a set of subscribers that makes no test is
/// refused as a whole. The announcement of a subscriber that was heard only once decides nothing for others.
/// </remarks>
internal sealed class PublisherRendezvous(RendezvousTerms terms)
{
    private const long StartNanos = 20 * Clock.NanosPerMilli;
    private const long MaxStartNanos = 4 * Clock.NanosPerSecond;
    private const long LookNanos = 100 * Clock.NanosPerMilli;

    // A waiting subscriber reports each second that it is present.
    private const long SilenceNanos = 3 * Clock.NanosPerSecond;

    private readonly RendezvousPlaces _places = new(terms.Subscribers);
    private readonly RendezvousRefusals _refusals = new(terms);
    private readonly byte[] _datagram = new byte[TestIdentity.MaxControlBytes];
    private long _nextLookNanos = long.MaxValue;
    private long _nextStartNanos = long.MaxValue;
    private long _lastStartNanos = long.MaxValue;

    /// <summary>The messages about the rendezvous, oldest first: places as their numbers, the rest as sentences.</summary>
    public Queue<Notice> Notices { get; } = new();

    /// <summary>True when all subscribers are present and ready, and make a test.</summary>
    public bool IsComplete { get; private set; }

    /// <summary>Why the last set of subscribers made no test; null when there was none.</summary>
    public string? Problem { get; private set; }

    /// <summary>Datagrams that were no part of the test.</summary>
    public long Foreign { get; private set; }

    /// <summary>The cookie of the one that echoes: the highest.</summary>
    public int Echoer => terms.Subscribers;

    /// <summary>The place of the echoer in the order of arrival.</summary>
    public int EchoerPlace => _places.Find(Echoer)?.Place ?? 0;

    /// <summary>The group on which all receive data; null for none.</summary>
    public IPEndPoint? Group { get; private set; }

    /// <summary>The time at which <see cref="Tick"/> has work.</summary>
    public long NextWakeNanos => IsComplete ? long.MaxValue : Math.Min(_nextStartNanos, _nextLookNanos);

    /// <summary>The cookies that have arrived, as a list for people.</summary>
    public string Arrived => string.Join(", ", _places.Occupied.Select(one => one.Cookie));

    /// <summary>Receives a datagram.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="body">The bytes after it.</param>
    /// <param name="from">The sender; null when the link does not know it, as for peers during the test.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="output">Receives the answers.</param>
    public void Receive(in DatagramHeader header, ReadOnlySpan<byte> body, PeerAddress? from, long nowNanos, IDatagramOutput output)
    {
        if (header.DomainId != terms.Identity.DomainId)
            Foreign++;
        else if (header.Kind == DatagramKind.Announce && header.Session == 0 && Announcement.TryRead(body) is { } announcement)
            ReceiveAnnouncement(header.From, announcement, from, nowNanos, output);
        else if (header.Kind == DatagramKind.Ready && header.Session == terms.Identity.Session && _places.Find(header.From) is { } known)
            ReceiveReady(known, nowNanos, output);
        else
            Foreign++;
    }

    /// <summary>Receives a datagram that is not of this version: a newcomer with another version gets a refusal.</summary>
    public void ReceiveOther(ReadOnlySpan<byte> datagram, PeerAddress? from, IDatagramOutput output)
    {
        if (from is not null && DatagramHeader.TryReadOtherVersion(datagram, out int domainId, out int cookie) && domainId == terms.Identity.DomainId)
            Refuse(cookie, from, RendezvousRefusals.OtherVersion, output);
        else
            Foreign++;
    }

    /// <summary>
    /// Does the work that is due: frees the places of subscribers that are gone, and tells all to start until all are ready, which takes no time
    /// where they live and the path of the data reaches them.
    /// </summary>
    public void Tick(long nowNanos, IDatagramOutput output)
    {
        if (IsComplete)
            return;
        if (nowNanos >= _nextLookNanos)
            FreeSilent(nowNanos, output);
        if (nowNanos < _nextStartNanos)
            return;
        if (nowNanos >= _lastStartNanos)
        {
            DismissUnready(output);
            return;
        }

        _nextStartNanos = nowNanos + StartNanos;
        output.SendData(_datagram.AsSpan(0, terms.Identity.WriteHeader(_datagram, DatagramKind.Start, 0, marks: terms.Marks)));
    }

    private void ReceiveReady(PlacedSubscriber known, long nowNanos, IDatagramOutput output)
    {
        (known.LastReceivedNanos, known.IsProven) = (nowNanos, true);
        if (IsComplete || !_places.AreAllOccupied)
            return;
        known.IsReady = true;
        if (!_places.AreAllReady)
            return;
        IEnumerable<int> echoing = _places.Occupied.Where(one => !one.Announcement.NoEcho).Select(one => one.Cookie);
        if (EchoRule.FindProblem(echoing, terms.Subscribers) is { } problem)
            Dismiss([.. _places.Occupied], new(RefusalReason.EchoRule, problem), output);
        else
            IsComplete = true;
    }

    private void ReceiveAnnouncement(int cookie, Announcement announcement, PeerAddress? from, long nowNanos, IDatagramOutput output)
    {
        PlacedSubscriber? known = _places.Find(cookie);
        if (known is not null && (from is null || (known.At == from && known.Announcement == announcement)))
        {
            (known.LastReceivedNanos, known.IsProven) = (nowNanos, true);
            Welcome(known, output); // it is sent to the cookie's address, not to the requester's
            return;
        }

        if (from is null)
            return;
        if (!IsComplete && _places.Occupied.FirstOrDefault(one => one.At == from) is { } before)
            Free(before, output); // restarted with other options or another cookie
        if (_refusals.Find(cookie, announcement, from, _places, IsComplete) is { } refusal)
            Refuse(cookie, from, refusal, output);
        else if (!RendezvousRefusals.MustWait(cookie, announcement, _places))
            Admit(cookie, announcement, from, nowNanos, output);
    }

    private void Admit(int cookie, Announcement announcement, PeerAddress from, long nowNanos, IDatagramOutput output)
    {
        PlacedSubscriber newcomer = _places.Add(cookie, from, announcement, nowNanos);
        output.Admit(cookie, from);
        Notices.Enqueue(new(RendezvousNotices.Admitted, [newcomer.Place]));
        Welcome(newcomer, output);
        _nextLookNanos = Math.Min(_nextLookNanos, nowNanos + LookNanos);
        if (!_places.AreAllOccupied)
            return;
        Group = announcement.Group;
        output.UseGroup(Group);
        (_nextStartNanos, _lastStartNanos) = (nowNanos, nowNanos + MaxStartNanos);
    }

    private void FreeSilent(long nowNanos, IDatagramOutput output)
    {
        foreach (PlacedSubscriber one in _places.Occupied.ToArray())
        {
            if (output.IsReachable(one.Cookie) && nowNanos - one.LastReceivedNanos < SilenceNanos)
                continue;
            Free(one, output);
            Notices.Enqueue(new(RendezvousNotices.Gone, [one.Cookie, one.At.Text]));
        }

        _nextLookNanos = _places.Occupied.Any() ? nowNanos + LookNanos : long.MaxValue;
    }

    // Frees the places of subscribers that live, and that the path of the data does not reach.
    private void DismissUnready(IDatagramOutput output)
    {
        PlacedSubscriber[] unready = [.. _places.Occupied.Where(one => !one.IsReady)];
        string cookies = string.Join(", ", unready.Select(one => one.Cookie));
        Dismiss(unready, new(RefusalReason.NotReady,
            $"no answer to the start from cookie{(unready.Length > 1 ? "s" : "")} {cookies}{(Group is null ? "" : " on the group")}"), output);
    }

    private void Dismiss(PlacedSubscriber[] dismissed, Refusal refusal, IDatagramOutput output)
    {
        Problem = refusal.Text;
        Notices.Enqueue(new(RendezvousNotices.Dismissed, [refusal.Text]));
        foreach (PlacedSubscriber one in dismissed)
        {
            output.Send(one.Cookie, Write(refusal, terms.Identity));
            Free(one, output);
        }
    }

    private void Free(PlacedSubscriber gone, IDatagramOutput output)
    {
        _places.Remove(gone.Cookie);
        output.Release(gone.Cookie);
        _nextStartNanos = _lastStartNanos = long.MaxValue;
        foreach (PlacedSubscriber one in _places.Occupied)
            one.IsReady = false;
    }

    private void Welcome(PlacedSubscriber subscriber, IDatagramOutput output)
    {
        terms.WelcomeAt(subscriber.Place).Write(_datagram.AsSpan(DatagramHeader.Bytes));
        int bytes = terms.Identity.WriteHeader(_datagram, DatagramKind.Welcome, WelcomeTerms.Bytes, (ulong)subscriber.Cookie, terms.Marks);
        output.Send(subscriber.Cookie, _datagram.AsSpan(0, bytes));
    }

    private void Refuse(int cookie, PeerAddress from, Refusal refusal, IDatagramOutput output)
    {
        if (_refusals.IsNews(from, refusal.Reason))
            Notices.Enqueue(new(RendezvousNotices.Refused, [cookie, from.Text, refusal.Text]));
        output.Answer(from, Write(refusal, terms.Identity with { Session = 0 }));
    }

    private ReadOnlySpan<byte> Write(Refusal refusal, TestIdentity identity)
    {
        int body = refusal.Write(_datagram.AsSpan(DatagramHeader.Bytes));
        return _datagram.AsSpan(0, identity.WriteHeader(_datagram, DatagramKind.Refuse, body));
    }
}
