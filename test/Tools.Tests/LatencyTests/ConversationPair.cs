using LatencyPerf.Protocol;

namespace Tools.Tests.LatencyTests;

/// <summary>A publisher and its subscribers, without links: a simulated network connects them.</summary>
internal sealed class ConversationPair
{
    public const uint Session = 0xA1B2;

    private readonly SimulatedNetwork.End _publisherEnd;
    private readonly SimulatedNetwork.End[] _ends;

    public ConversationPair(SimulatedNetwork network, RendezvousTerms terms)
    {
        Network = network;
        Terms = terms;
        Rendezvous = new PublisherRendezvous(terms);
        Rounds = terms.Reliable ? new StrictRounds(terms) : new BestEffortRounds(terms, 50_000_000);
        _publisherEnd = network.CreateEnd(0);
        _ends = [.. Enumerable.Range(1, terms.Subscribers).Select(network.CreateEnd)];
        Subscribers =
            [.. Enumerable.Range(1,
                terms.Subscribers).Select(cookie => Create(cookie, noEcho: cookie < terms.Subscribers, terms.Reliable))];
    }

    public SimulatedNetwork Network { get; }
    public RendezvousTerms Terms { get; }
    public PublisherRendezvous Rendezvous { get; }
    public RoundDelivery Rounds { get; }
    public SubscriberConversation[] Subscribers { get; }
    public PublisherEnding? Ending { get; private set; }
    public SimulatedNetwork.End PublisherEnd => _publisherEnd;

    /// <summary>Replies of open rounds, in the order in which they came.</summary>
    public List<ulong> Replies { get; } = [];

    public static RendezvousTerms CreateTerms(int subscribers, bool reliable = false, int window = 64) => new()
    {
        Identity = new TestIdentity(7, 0, Session),
        Subscribers = subscribers,
        Reliable = reliable,
        Window = window,
        MaxBytes = 64,
    };

    public static SubscriberConversation Create(int cookie, bool noEcho = false, bool reliable = false) =>
        new(new SubscriberRendezvous(7, cookie, new Announcement(reliable, noEcho, 1, null)), !noEcho, reliable);

    public static PeerAddress AddressOf(int cookie) => new($"10.0.0.{cookie}:{21000 + cookie}", $"10.0.0.{cookie}");

    /// <summary>Hands a datagram to conversations of every kind; none may fail over it.</summary>
    public static void FeedAll(byte[] datagram)
    {
        foreach (bool reliable in new[] { false, true })
            CreateInMidRun(reliable).Feed(datagram);
    }

    /// <summary>A test of four subscribers, of which one round is done.</summary>
    public static ConversationPair CreateInMidRun(bool reliable)
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 4 }, CreateTerms(4, reliable));
        pair.Meet();
        pair.RunRound();
        return pair;
    }

    /// <summary>Hands a datagram to every conversation of this test; no time passes.</summary>
    /// <returns>Bytes that all of them sent because of it.</returns>
    public long Feed(byte[] datagram)
    {
        long before = SentBytes;
        foreach (SubscriberConversation subscriber in Subscribers)
            subscriber.Receive([.. datagram], 1, _ends[0]);
        if (DatagramHeader.TryRead(datagram, out DatagramHeader header))
        {
            Rendezvous.Receive(header, datagram.AsSpan(DatagramHeader.Bytes), AddressOf(3), 1, _publisherEnd);
            Rounds.Receive(header, datagram, 1, _publisherEnd);
            new PublisherEnding(Terms, 1, wasInterrupted: false).Receive(header, datagram.AsSpan(DatagramHeader.Bytes), _publisherEnd);
        }

        return SentBytes - before;
    }

    private long SentBytes => _publisherEnd.SentBytes + _ends.Sum(end => end.SentBytes);

    public void Meet() => RunUntil(() => Rendezvous.IsComplete || Rendezvous.Problem is not null);

    /// <summary>One round to its reply, or to the end of its time.</summary>
    public bool RunRound()
    {
        RunUntil(() => Rounds.MayBegin);
        Rounds.Prepare(32, DatagramMarks.None);
        Rounds.Send(Network.NowNanos, _publisherEnd);
        int before = Replies.Count;
        RunUntil(() => Replies.Count > before || Rounds.IsLost);
        return Replies.Count > before;
    }

    public void Settle() => RunUntil(() => Rounds.IsSettled);

    public void End()
    {
        Ending = new PublisherEnding(Terms, Rounds.Sequence, wasInterrupted: false);
        RunUntil(() => Ending.IsOver && Array.TrueForAll(Subscribers, one => one.Counts is not null));
    }

    /// <summary>Advances the time, from one event to the next, until a condition holds; by an hour at most.</summary>
    public void RunUntil(Func<bool> isSo)
    {
        const long hour = 3_600_000_000_000;
        for (long limit = Network.NowNanos + hour; !isSo();)
        {
            while (Network.TryDeliver(out int from, out int to, out byte[] datagram))
                Deliver(from, to, datagram);
            Tick();
            if (isSo())
                return;
            Network.NowNanos = Math.Max(Network.NowNanos + 1, Math.Min(Network.NextArrivalNanos, NextWakeNanos));
            if (Network.NowNanos > limit)
                throw new InvalidOperationException($"nothing came of it: {Rounds.Trouble}");
        }
    }

    private long NextWakeNanos => Subscribers.Min(one => one.NextWakeNanos) is var next
        ? Math.Min(Math.Min(next, Ending?.NextWakeNanos ?? Rendezvous.NextWakeNanos), Rounds.NextWakeNanos) : 0;

    private void Deliver(int from, int to, byte[] datagram)
    {
        if (to != 0)
        {
            Subscribers[to - 1].Receive(datagram, Network.NowNanos, _ends[to - 1]);
            return;
        }

        if (!DatagramHeader.TryRead(datagram, out DatagramHeader header))
            return;
        if (Ending is not null)
            Ending.Receive(header, datagram.AsSpan(DatagramHeader.Bytes), _publisherEnd);
        else if (!Rendezvous.IsComplete)
            Rendezvous.Receive(header, datagram.AsSpan(DatagramHeader.Bytes), AddressOf(from), Network.NowNanos, _publisherEnd);
        else if (Rounds.Receive(header, datagram, Network.NowNanos, _publisherEnd))
            Replies.Add(header.Sequence);
    }

    private void Tick()
    {
        long now = Network.NowNanos;
        for (int i = 0; i < Subscribers.Length; i++)
            Subscribers[i].Tick(now, _ends[i]);
        if (Ending is not null)
            Ending.Tick(now, _publisherEnd);
        else if (!Rendezvous.IsComplete)
            Rendezvous.Tick(now, _publisherEnd);
        else if (now >= Rounds.NextWakeNanos)
            Rounds.Tick(now, _publisherEnd);
    }
}
