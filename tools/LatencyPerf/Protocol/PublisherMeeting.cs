using System.Net;
using PerfCommon.Measurement;

namespace LatencyPerf.Protocol;

/// <summary>The publisher's side from the first announcement until everybody is ready. Knows no link; time is an argument.</summary>
internal sealed class PublisherMeeting(MeetingTerms terms)
{
    private const long StartNanos = 20 * Clock.NanosPerMilli;
    private const long MaxStartNanos = 4 * Clock.NanosPerSecond;

    private readonly Subscriber?[] _subscribers = new Subscriber?[terms.Subscribers + 1]; // by cookie
    private readonly HashSet<(string, RefusalReason)> _told = [];
    private readonly byte[] _datagram = new byte[TestIdentity.MaxControlBytes];
    private IPEndPoint? _group;
    private int _places;
    private int _ready;
    private long _nextStartNanos = long.MaxValue;
    private long _lastStartNanos = long.MaxValue;

    /// <summary>What there is to tell of the meeting, oldest first: places taken as their numbers, refusals as sentences.</summary>
    public Queue<string> Notices { get; } = new();

    /// <summary>True when everybody is there and has said to be ready.</summary>
    public bool IsComplete => Problem is null && _ready == terms.Subscribers;

    /// <summary>Why there will be no test; null while there may be one.</summary>
    public string? Problem { get; private set; }

    /// <summary>Datagrams that were no part of it.</summary>
    public long Foreign { get; private set; }

    /// <summary>The cookie of the one that echoes: the highest.</summary>
    public int Echoer => terms.Subscribers;

    /// <summary>The place at which it came.</summary>
    public int EchoerPlace => _subscribers[Echoer]?.Place ?? 0;

    /// <summary>The group on which all receive data; null for none.</summary>
    public IPEndPoint? Group => _group;

    /// <summary>When <see cref="Tick"/> has something to do.</summary>
    public long NextWakeNanos => IsComplete || Problem is not null ? long.MaxValue : _nextStartNanos;

    /// <summary>The cookies that have come, as a list for people.</summary>
    public string Arrived => string.Join(", ", Enumerable.Range(1, terms.Subscribers).Where(cookie => _subscribers[cookie] is not null));

    /// <summary>Takes a datagram.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="body">What stands behind it.</param>
    /// <param name="from">Where it came from; null when the link does not tell, as for peers in mid-run.</param>
    /// <param name="nowNanos">The time.</param>
    /// <param name="output">Takes the answers.</param>
    public void Take(in DatagramHeader header, ReadOnlySpan<byte> body, PeerAddress? from, long nowNanos, IDatagramOutput output)
    {
        if (header.DomainId != terms.Identity.DomainId)
            Foreign++;
        else if (header.Kind == DatagramKind.Announce && header.Session == 0 && Announcement.TryRead(body) is { } announcement)
            TakeAnnouncement(header.From, announcement, from, nowNanos, output);
        else if (header.Kind == DatagramKind.Ready && header.Session == terms.Identity.Session && Find(header.From) is { } subscriber)
            TakeReady(subscriber);
        else
            Foreign++;
    }

    /// <summary>Takes what is none of this version: a newcomer that speaks another one is told so.</summary>
    public void TakeOther(ReadOnlySpan<byte> datagram, PeerAddress? from, IDatagramOutput output)
    {
        if (from is not null && DatagramHeader.TryReadOtherVersion(datagram, out int domainId, out int cookie) && domainId == terms.Identity.DomainId)
            Refuse(cookie, from, new(RefusalReason.Version, $"the publisher speaks version {DatagramHeader.Version}"), output);
        else
            Foreign++;
    }

    /// <summary>
    /// Does what is due: tells all to start until all are ready, which takes no time where they live and the path of the data reaches them.
    /// </summary>
    public void Tick(long nowNanos, IDatagramOutput output)
    {
        if (nowNanos < _nextStartNanos || IsComplete || Problem is not null)
            return;
        if (nowNanos >= _lastStartNanos)
        {
            GiveUp(RefusalReason.NotReady, FindSilent(), output);
            return;
        }

        _nextStartNanos = nowNanos + StartNanos;
        output.SendData(_datagram.AsSpan(0, terms.Identity.WriteHeader(_datagram, DatagramKind.Start, 0, marks: terms.Marks)));
    }

    private Subscriber? Find(int cookie) => cookie >= 1 && cookie <= terms.Subscribers ? _subscribers[cookie] : null;

    private void TakeReady(Subscriber subscriber)
    {
        if (!subscriber.IsReady && _places == terms.Subscribers)
            _ready++;
        subscriber.IsReady = true;
    }

    private void TakeAnnouncement(int cookie, Announcement announcement, PeerAddress? from, long nowNanos, IDatagramOutput output)
    {
        if (from is null)
        {
            if (Find(cookie) is { } known)
                Welcome(known, output); // it goes where the cookie is, whoever asked
            return;
        }

        if (FindRefusal(cookie, announcement, from) is { } refusal)
            Refuse(cookie, from, refusal, output);
        else if (Find(cookie) is { } again)
            Welcome(again, output);
        else
            Admit(cookie, announcement, from, nowNanos, output);
    }

    private Refusal? FindRefusal(int cookie, Announcement announcement, PeerAddress from)
    {
        if (Find(cookie) is { } known && known.At == from)
            return null;
        if (!terms.Admits(from))
            return new(RefusalReason.NotAmongPeers, $"{from.Host} is not among the publisher's -peer");
        if (cookie > terms.Subscribers || cookie < 1)
            return new(RefusalReason.CookieTooHigh, $"cookie {cookie} is above -subscribers {terms.Subscribers}");
        if (Find(cookie) is { } taken)
            return new(RefusalReason.CookieTaken, $"cookie {cookie} is taken by {taken.At.Text}");
        if (announcement.Reliable != terms.Reliable)
            return new(RefusalReason.ReliableDiffers, $"the publisher was started with{(terms.Reliable ? "" : "out")} -reliable");
        return _places > 0 && !Equals(announcement.Group, _group)
            ? new(RefusalReason.GroupsDiffer, $"others receive on {(_group is null ? "no group" : _group.Address)}") : null;
    }

    private void Admit(int cookie, Announcement announcement, PeerAddress from, long nowNanos, IDatagramOutput output)
    {
        Subscriber newcomer = new(cookie, ++_places, from, announcement.NoEcho);
        (_subscribers[cookie], _group) = (newcomer, announcement.Group);
        output.Admit(cookie, from);
        Notices.Enqueue($"...[{newcomer.Place}]");
        if (_places < terms.Subscribers)
            Welcome(newcomer, output);
        else
            Complete(newcomer, nowNanos, output);
    }

    private void Complete(Subscriber last, long nowNanos, IDatagramOutput output)
    {
        IEnumerable<Subscriber> echoing = _subscribers.OfType<Subscriber>().Where(one => !one.NoEcho);
        if (EchoRule.FindProblem(echoing.Select(one => one.Cookie), terms.Subscribers) is { } problem)
        {
            GiveUp(RefusalReason.EchoRule, problem, output);
            return;
        }

        Welcome(last, output);
        if (_group is not null)
            output.UseGroup(_group);
        (_nextStartNanos, _lastStartNanos) = (nowNanos, nowNanos + MaxStartNanos);
    }

    private void GiveUp(RefusalReason reason, string problem, IDatagramOutput output)
    {
        Problem = problem;
        foreach (Subscriber subscriber in _subscribers.OfType<Subscriber>())
            output.Send(subscriber.Cookie, Write(new(reason, problem), terms.Identity));
    }

    private string FindSilent()
    {
        int[] silent = [.. _subscribers.OfType<Subscriber>().Where(one => !one.IsReady).Select(one => one.Cookie)];
        return $"no answer to the start from cookie{(silent.Length > 1 ? "s" : "")} {string.Join(", ", silent)}{(_group is null ? "" : " on the group")}";
    }

    private void Welcome(Subscriber subscriber, IDatagramOutput output)
    {
        terms.WelcomeAt(subscriber.Place).Write(_datagram.AsSpan(DatagramHeader.Bytes));
        int bytes = terms.Identity.WriteHeader(_datagram, DatagramKind.Welcome, WelcomeTerms.Bytes, (ulong)subscriber.Cookie, terms.Marks);
        output.Send(subscriber.Cookie, _datagram.AsSpan(0, bytes));
    }

    private void Refuse(int cookie, PeerAddress from, Refusal refusal, IDatagramOutput output)
    {
        Refusal told = IsComplete ? new(RefusalReason.TestRunning, "a test is running") : refusal;
        if (_told.Count < TestIdentity.MaxControlBytes && _told.Add((from.Text, told.Reason)))
            Notices.Enqueue($"Refused cookie {cookie} at {from.Text}: {told.Text}");
        output.Answer(from, Write(told, terms.Identity with { Session = 0 }));
    }

    private ReadOnlySpan<byte> Write(Refusal refusal, TestIdentity identity)
    {
        int body = refusal.Write(_datagram.AsSpan(DatagramHeader.Bytes));
        return _datagram.AsSpan(0, identity.WriteHeader(_datagram, DatagramKind.Refuse, body));
    }

    private sealed record Subscriber(int Cookie, int Place, PeerAddress At, bool NoEcho)
    {
        public bool IsReady { get; set; }
    }
}
