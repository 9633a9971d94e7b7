using System.Net;
using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class RendezvousTests
{
    private const long Milli = 1_000_000;

    private readonly SimulatedNetwork _network = new(1) { Subscribers = 3 };

    [Theory]
    [InlineData(1, 2, 3)]
    [InlineData(1, 3, 2)]
    [InlineData(2, 1, 3)]
    [InlineData(2, 3, 1)]
    [InlineData(3, 1, 2)]
    [InlineData(3, 2, 1)]
    public void Take_AnyOrderOfArrival_PlacesByArrivalAndCompletes(int first, int second, int third)
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(3));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        foreach (int cookie in new[] { first, second, third })
            Announce(meeting, output, cookie, noEcho: cookie < 3);

        Assert.Equal(["...[1]", "...[2]", "...[3]"], meeting.Notices.Select(notice => notice.Text));
        Assert.Null(meeting.Problem);
        Assert.Equal(Array.IndexOf([first, second, third], 3) + 1, meeting.EchoerPlace);
        foreach (int cookie in new[] { 1, 2, 3 })
            Ready(meeting, output, cookie);
        Assert.True(meeting.IsComplete);
    }

    [Fact]
    public void Take_ReadyOfOneTwice_CountsOnce()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(2));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1, noEcho: true);
        Announce(meeting, output, 2);
        Ready(meeting, output, 1);
        Ready(meeting, output, 1);
        Assert.False(meeting.IsComplete);
    }

    [Theory]
    [InlineData(true, true, "no echoer: start the one with cookie 2 without -noecho")]
    [InlineData(false, false, "cookies 1 and 2 both echo: give -noecho to all but 2")]
    [InlineData(false, true, "cookie 1 echoes, cookie 2 has -noecho: the highest must echo")]
    public void Take_SetThatBreaksTheRule_RefusesAll(bool firstSilent, bool secondSilent, string problem)
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 2 }, ConversationPair.CreateTerms(2));
        pair.Subscribers[0] = ConversationPair.Create(1, firstSilent);
        pair.Subscribers[1] = ConversationPair.Create(2, secondSilent);
        pair.Meet();

        Assert.Equal(problem, pair.Rendezvous.Problem);
        pair.RunUntil(() => pair.Subscribers.All(one => one.Rendezvous.Refused is not null));
        Assert.All(pair.Subscribers, one => Assert.Equal(problem, one.Rendezvous.Refused!.Text));
    }

    [Fact]
    public void Take_StrangersAnnouncement_IsRefusedWithItsReason()
    {
        RendezvousTerms terms = ConversationPair.CreateTerms(2) with { Admits = at => at.Host != "10.0.0.9" };
        Assert.Equal(RefusalReason.NotAmongPeers, RefusalOf(terms, new("10.0.0.9:1", "10.0.0.9"), 1));
        Assert.Equal(RefusalReason.CookieTooHigh, RefusalOf(terms, ConversationPair.AddressOf(3), 3));
        Assert.Equal(RefusalReason.CookieInUse, RefusalOf(terms, new("10.0.0.2:9", "10.0.0.2"), 1, takenFirst: 1));
        Assert.Equal(RefusalReason.ReliableDiffers, RefusalOf(terms, ConversationPair.AddressOf(1), 1, reliable: true));
        Assert.Equal(RefusalReason.GroupsDiffer,
            RefusalOf(terms, ConversationPair.AddressOf(2), 2, takenFirst: 1, group: new(IPAddress.Parse("225.3.2.1"), 1)));
    }

    [Fact]
    public void IsNews_OfThousandsOfAddresses_IsSaidOf192()
    {
        RendezvousRefusals refusals = new(ConversationPair.CreateTerms(3));
        PeerAddress[] strangers = [.. Enumerable.Range(0, 2_000).Select(i => new PeerAddress($"10.0.0.{i % 250}:{i}", $"10.0.0.{i % 250}"))];
        Assert.Equal(192, strangers.Count(from => refusals.IsNews(from, RefusalReason.CookieTooHigh)));
        Assert.DoesNotContain(strangers, from => refusals.IsNews(from, RefusalReason.CookieTooHigh));
    }

    [Fact]
    public void Take_NewcomerWhileATestRuns_IsToldSo()
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 1 }, ConversationPair.CreateTerms(1));
        pair.Meet();
        Announce(pair.Rendezvous, pair.PublisherEnd, 1, from: new("10.9.9.9:1", "10.9.9.9"));
        Assert.Equal(RefusalReason.TestRunning, ReadReason(Assert.Single(pair.PublisherEnd.Answers).Datagram));
    }

    [Fact]
    public void Tick_OneThatLivesAndNeverGetsReady_IsRefusedAndTheOthersStay()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(2));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1, noEcho: true);
        Announce(meeting, output, 2);
        for (long millis = 0; millis < 3_900; millis += 100)
        {
            Announce(meeting, output, 2, nowNanos: millis * Milli);
            Ready(meeting, output, 1, millis * Milli);
            meeting.Tick(millis * Milli, output);
        }

        Assert.Null(meeting.Problem);
        meeting.Tick(4_000 * Milli + 1, output);
        Assert.Equal("no answer to the start from cookie 2", meeting.Problem);
        Assert.Equal(("1", false), (meeting.Arrived, meeting.IsComplete));

        Announce(meeting, output, 2, nowNanos: 4_100 * Milli);
        Ready(meeting, output, 1, 4_200 * Milli);
        Ready(meeting, output, 2, 4_200 * Milli);
        Assert.True(meeting.IsComplete);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Tick_OneThatIsGone_FreesItsPlaceForAnother(bool isSeenByTheLink)
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(1));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1, from: new("10.9.9.9:1", "10.9.9.9"));
        if (isSeenByTheLink)
            output.Gone.Add(1);
        meeting.Tick(isSeenByTheLink ? 200 * Milli : 2_900 * Milli, output);
        Assert.Equal(isSeenByTheLink ? "" : "1", meeting.Arrived);
        meeting.Tick(3_001 * Milli, output);
        Assert.Equal("", meeting.Arrived);
        Assert.Equal(["...[1]", "The subscriber with cookie 1 at 10.9.9.9:1 is gone: its place is free again"],
            meeting.Notices.Select(notice => notice.Text));

        Announce(meeting, output, 1, nowNanos: 3_100 * Milli);
        Ready(meeting, output, 1, 3_200 * Milli);
        Assert.Equal((true, 1), (meeting.IsComplete, meeting.EchoerPlace));
    }

    // The datagrams of one that is no subscriber: each alone could have ended the wait, or kept the true one out.
    [Theory]
    [InlineData(false, null, 21_033)]
    [InlineData(true, null, 21_033)]
    [InlineData(false, "225.3.2.1", 21_033)]
    [InlineData(true, "ff02::1", 7)]
    public void Take_OneDatagramOfAStranger_EndsNothingAndKeepsNobodyOut(bool noEcho, string? group, int port)
    {
        RendezvousTerms terms = ConversationPair.CreateTerms(2) with { FindGroupProblem = at => at.Port == 7 ? "no such group" : null };
        PublisherRendezvous meeting = new(terms);
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1, noEcho: true);
        Announce(meeting, output, 2, noEcho, from: new("10.9.9.9:1", "10.9.9.9"), group: group is null ? null : new(IPAddress.Parse(group), port));
        for (long millis = 100; millis < 10_000 && !meeting.IsComplete; millis += 100)
        {
            meeting.Tick(millis * Milli, output);
            foreach (int cookie in new[] { 1, 2 })
                Announce(meeting, output, cookie, noEcho: cookie == 1, nowNanos: millis * Milli);
            if (meeting.Arrived != "1, 2" || millis < 3_500)
                continue;
            Ready(meeting, output, 1, millis * Milli);
            Ready(meeting, output, 2, millis * Milli);
        }

        Assert.True(meeting.IsComplete);
        Assert.Equal((null, null), (meeting.Problem, output.Group));
        Assert.DoesNotContain(output.Answers, answer => answer.To.StartsWith("10.0.0.", StringComparison.Ordinal));
    }

    [Fact]
    public void Take_AnotherAtATakenCookie_WaitsUntilTheFirstIsHeardAgain()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(2));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1);
        Announce(meeting, output, 1, from: new("10.9.9.9:1", "10.9.9.9"));
        Assert.Empty(output.Answers);
        Announce(meeting, output, 1);
        Announce(meeting, output, 1, from: new("10.9.9.9:1", "10.9.9.9"));
        Assert.Equal(RefusalReason.CookieInUse, ReadReason(Assert.Single(output.Answers).Datagram));
    }

    [Fact]
    public void Take_OneAddressWithEveryCookie_HasOnePlaceAtATime()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(3));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        foreach (int cookie in new[] { 1, 2, 3, 2 })
        {
            Announce(meeting, output, cookie, from: new("10.9.9.9:1", "10.9.9.9"));
            Assert.Equal($"{cookie}", meeting.Arrived);
        }
    }

    [Fact]
    public void Take_SubscriberStartedOnceMoreWithOtherOptions_IsWhatItIsNow()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(1));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1, noEcho: true);
        Announce(meeting, output, 1);
        Ready(meeting, output, 1, 1);
        Assert.Equal((true, null), (meeting.IsComplete, meeting.Problem));
    }

    [Theory]
    [InlineData(2, 9, true)]
    [InlineData(2, 1, false)]
    [InlineData(3, 9, false)]
    [InlineData(0, 9, false)]
    public void TakeOther_NewcomerOfALaterVersion_IsToldSo(int at, byte value, bool isRefused)
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(1));
        SimulatedNetwork.End output = _network.CreateEnd(0);
        byte[] announce = GoldenDatagrams.Bytes(DatagramKind.Announce);
        (announce[2], announce[4], announce[5]) = (9, 0, 7);
        announce[at] = value;
        meeting.ReceiveOther(announce, ConversationPair.AddressOf(1), output);
        Assert.Equal((isRefused ? 1 : 0, isRefused ? 0L : 1L), (output.Answers.Count, meeting.Foreign));
        Assert.True(!isRefused || ReadReason(output.Answers[0].Datagram) == RefusalReason.Version);
    }

    [Fact]
    public void Take_OtherDomain_IsForeignAndUnanswered()
    {
        PublisherRendezvous meeting = new(ConversationPair.CreateTerms(1) with { Identity = new TestIdentity(8, 0, 1) });
        SimulatedNetwork.End output = _network.CreateEnd(0);
        Announce(meeting, output, 1);

        Assert.Equal(1, meeting.Foreign);
        Assert.Empty(output.Answers);
        Assert.Empty(meeting.Notices);
        Assert.Equal(long.MaxValue, _network.NextArrivalNanos);
    }

    [Fact]
    public void Subscriber_OtherSession_IsForeign()
    {
        ConversationPair pair = new(new SimulatedNetwork(1) { Subscribers = 1 }, ConversationPair.CreateTerms(1));
        pair.Meet();
        byte[] packet = GoldenDatagrams.Bytes(DatagramKind.Data);
        packet[11] ^= 1;
        pair.Subscribers[0].Receive(packet, 1, pair.PublisherEnd);
        Assert.Equal(1, pair.Subscribers[0].Foreign);
        Assert.False(pair.Subscribers[0].HasData);
    }

    [Fact]
    public void Subscriber_LongSilence_AsksAgainAndGivesUp()
    {
        SubscriberRendezvous meeting = new(7, 1, new Announcement(false, false, 1, null));
        SimulatedNetwork network = new(1);
        SimulatedNetwork.End output = network.CreateEnd(1);
        byte[] welcome = GoldenDatagrams.Bytes(DatagramKind.Welcome);
        welcome[23] = 1;
        Assert.True(DatagramHeader.TryRead(welcome, out DatagramHeader header));
        Assert.True(meeting.Receive(header, welcome.AsSpan(DatagramHeader.Bytes), 0, output));

        meeting.Tick(900_000_000, output);
        Assert.Equal(long.MaxValue, network.NextArrivalNanos);
        Assert.Equal(1_000_000_000, meeting.NextWakeNanos); // only who sends learns that a port is closed
        meeting.Tick(10_500_000_000, output);
        Assert.NotEqual(long.MaxValue, network.NextArrivalNanos);
        Assert.False(meeting.IsAlone);
        meeting.Tick(12_500_000_000, output);
        Assert.True(meeting.IsAlone);
    }

    private static RefusalReason RefusalOf(
        RendezvousTerms terms, PeerAddress from, int cookie, bool reliable = false, int takenFirst = 0, IPEndPoint? group = null)
    {
        PublisherRendezvous meeting = new(terms);
        SimulatedNetwork.End output = new SimulatedNetwork(1) { Subscribers = 2 }.CreateEnd(0);
        for (int i = 0; takenFirst > 0 && i < 2; i++)
            Announce(meeting, output, takenFirst); // what is heard once decides nothing
        Announce(meeting, output, cookie, reliable: reliable, from: from, group: group);
        Assert.Equal(takenFirst > 0 ? 2 : 1, meeting.Notices.Count);
        return ReadReason(Assert.Single(output.Answers).Datagram);
    }

    private static RefusalReason ReadReason(byte[] datagram) => Refusal.TryRead(datagram.AsSpan(DatagramHeader.Bytes))!.Reason;

    private static void Announce(
        PublisherRendezvous meeting, SimulatedNetwork.End output, int cookie, bool noEcho = false, bool reliable = false,
        PeerAddress? from = null,
        IPEndPoint? group = null,
        long nowNanos = 1)
    {
        byte[] body = new byte[Announcement.Bytes];
        new Announcement(reliable, noEcho, 1, group).Write(body);
        DatagramHeader header = new(DatagramKind.Announce, 7, cookie, DatagramMarks.None, 0, body.Length, 0);
        meeting.Receive(header, body, from ?? ConversationPair.AddressOf(cookie), nowNanos, output);
    }

    private static void Ready(PublisherRendezvous meeting, SimulatedNetwork.End output, int cookie, long nowNanos = 1) => meeting.Receive(
        new(DatagramKind.Ready, 7, cookie, DatagramMarks.None, ConversationPair.Session, 0, 0), [], ConversationPair.AddressOf(cookie),
        nowNanos, output);
}
