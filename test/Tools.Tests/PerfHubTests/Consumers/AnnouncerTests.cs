using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Sessions;
using PerfHub.Consumers;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>When changes of services are announced to connections, and how long nothing is announced after that.</summary>
[Trait("Category", "Fast")]
public sealed class AnnouncerTests : IDisposable
{
    private const long Milli = Clock.NanosPerMilli;
    private const int SessionsOfATurn = 1_000;

    private readonly ConsumerBench _bench = new();
    private readonly ServiceTable _services = new();
    private readonly Announcer _announcer;

    public AnnouncerTests()
    {
        _announcer = new Announcer(_services);
        _services.Offer([_bench.Feed.Service]);
    }

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Announce_ToAListener_IsFollowedByATenthOfASecond()
    {
        TalkingPeer peer = Listen();
        _announcer.Announce([null, _bench.Hub.Accepted[0]], nowNanos: 50);
        Assert.Equal(long.MaxValue, _announcer.NextDueNanos); // nothing else has changed
        _bench.Settle();
        Assert.Equal((2, 1), (peer.Answers.Count, HubServicesTests.Services(peer)));

        _services.SetDown([_services.Find("FEED")!], 0);
        long due = 50 + (100 * Milli);
        Assert.Equal((due, false, true), (_announcer.NextDueNanos, _announcer.HasWork(due - 1), _announcer.HasWork(due)));
        _announcer.Announce([_bench.Hub.Accepted[0]], due - 1);
        Assert.True(_announcer.Current.Offers[0].IsUp);
        _announcer.Announce([_bench.Hub.Accepted[0]], due);
        Assert.False(_announcer.Current.Offers[0].IsUp);
    }

    /// <summary>A consumer that has not requested the directory receives none, and no pause follows.</summary>
    [Fact]
    public void Announce_ToAConsumerWithoutADirectory_IsFollowedByNoPause()
    {
        TalkingPeer peer = _bench.Talk();
        _announcer.Announce(_bench.Hub.Accepted!, nowNanos: 50);
        _bench.Settle();
        Assert.Empty(peer.Messages);
        _services.SetDown([_services.Find("FEED")!], 0);
        Assert.Equal((0L, true), (_announcer.NextDueNanos, _announcer.HasWork(0)));
    }

    /// <summary>An announcement of several turns is followed by a tenth of a second and four times as long as it took.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Announce_OverSeveralTurns_IsFollowedByFourTimesItsTime(int listenerAt)
    {
        Listen();
        List<HubSession?> sessions = [.. Enumerable.Repeat<HubSession?>(null, SessionsOfATurn + 1)];
        sessions[listenerAt * SessionsOfATurn] = _bench.Hub.Accepted[0]; // in the first turn or the second
        _announcer.Announce(sessions, 10 * Milli);
        Assert.Equal(0, _announcer.NextDueNanos); // it goes on
        _announcer.Announce(sessions, 17 * Milli);
        _services.SetDown([_services.Find("FEED")!], 0);
        Assert.Equal((17 + 100 + (4 * 7)) * Milli, _announcer.NextDueNanos);
    }

    /// <summary>A turn ends with the megabyte that it has sent, whatever the number of connections.</summary>
    [Fact]
    public void Announce_OfAGreatDirectory_SendsAMegabyteInATurn()
    {
        const int Listeners = 4;
        TalkingPeer[] peers = [.. Enumerable.Range(0, Listeners).Select(_ => Listen())];
        _services.Offer([.. Enumerable.Range(0, 500).Select(i => _bench.Feed.Service with
        {
            Offer = new ServiceOffer { Name = $"S{i}", Id = (ushort)(100 + i), Vendor = new string('v', 1_100) },
        })]);
        List<HubSession?> sessions = [.. _bench.Hub.Accepted];
        _announcer.Announce(sessions, 1);
        Assert.Equal(0, _announcer.NextDueNanos);
        _announcer.Announce(sessions, 2);
        Assert.Equal(long.MaxValue, _announcer.NextDueNanos);
        _bench.Hub.Until(() => Array.TrueForAll(peers, peer => peer.Answers.Count == 2));
        Assert.All(peers, peer => Assert.Equal(501, HubServicesTests.Services(peer)));
    }

    private TalkingPeer Listen() => HubServicesTests.Listen(_bench.Hub);
}
