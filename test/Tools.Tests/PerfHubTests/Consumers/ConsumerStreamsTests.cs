using PerfCommon.Codec;
using PerfHub.Cache;
using PerfHub.Consumers;
using PerfHub.FanOut;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>The streams of one connection: their use, their bytes, and the requests that wait, filled and emptied.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerStreamsTests : IDisposable
{
    private const int StreamBytes = 48, MinNameBytes = 16;

    private readonly ConsumerBench _bench = new();
    private readonly ConsumerStreams _streams;

    public ConsumerStreamsTests()
    {
        _streams = new ConsumerStreams(_bench.Thread);
        _streams.Identify(session: 3, serial: 77);
    }

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Stream_FromItsRequestToItsEnd_CountsAsWhatItIs()
    {
        for (int round = 0; round < 1_000; round++)
        {
            Assert.True(_streams.TryAddName(20));
            StreamAddress address = _streams.Request(5, upstreamIndex: 0, nameBytes: 20, view: 0);
            Assert.Equal((3, 5, StreamUse.Requested, 1, 1), (address.Session, address.StreamId, _streams.Find(5).State, _streams.Requested, _streams.Count));
            Assert.Equal((true, false, false), (_streams.IsRequested(address), _streams.IsRequested(address with { Serial = address.Serial + 1 }),
                _streams.IsRequested(address with { StreamId = 6 })));
            Assert.Equal(20 + StreamBytes + 9, _streams.KeptBytes(itemBytes: 9));
            _streams.Close(5, isAnswered: true);
            _streams.EndWait();
            Assert.Equal((StreamUse.None, 0, 0, 0L, false), (_streams.Find(5).State, _streams.Requested, _streams.Count, _streams.KeptBytes(9),
                _streams.IsRequested(address)));
        }
    }

    [Fact]
    public void Bytes_OfViews_CountToo()
    {
        Assert.True(_streams.TryAddName(20));
        _streams.Request(5, upstreamIndex: 0, nameBytes: 20, view: _streams.Views.Enter(new FieldView(1, 2, 3)));
        int views = _streams.Views.KeptBytes;
        Assert.InRange(views, 6, 1_000);
        Assert.Equal(20 + views + StreamBytes, _streams.KeptBytes(itemBytes: 0));
    }

    [Fact]
    public void Serials_OfRequests_AreNeverTheSame()
    {
        HashSet<uint> serials = [];
        for (int i = 0; i < 100; i++)
        {
            _streams.TryAddName(1);
            Assert.True(serials.Add(_streams.Request(i + 1, 0, 1, 0).Serial));
        }

        Assert.Equal((100, 100), (_streams.Requested, _streams.Count));
        Assert.Equal((new StreamAddress(3, 9, 77), true, false),
            (_streams.AddressOf(9), _streams.IsOfConnection(_streams.AddressOf(9)), _streams.IsOfConnection(new StreamAddress(3, 9, 78))));
    }

    [Fact]
    public void Open_OfARequest_WatchesItsItem()
    {
        _streams.TryAddName(1);
        StreamAddress address = _streams.Request(5, 0, 1, view: 0);
        _streams.Open(5, upstreamIndex: 0, slot: 44, place: 2);
        Assert.Equal(new StreamEntry(StreamUse.Open, 0, 1, 0, 44, 2), _streams.Find(5));
        Assert.Equal((true, false, false, false, false),
            (_streams.Watches(5, 0, 44), _streams.Watches(5, 1, 44), _streams.Watches(5, 0, 45), _streams.Watches(6, 0, 44), _streams.IsRequested(address)));
        _streams.MoveTo(5, place: 7);
        _streams.SetView(5, 9);
        Assert.Equal(new StreamEntry(StreamUse.Open, 0, 1, 9, 44, 7), _streams.Find(5));
    }

    /// <summary>A stream that a reissue made private stays so until it is closed.</summary>
    [Fact]
    public void MakePrivate_OfAStream_EndsWithIt()
    {
        Assert.False(_streams.IsMadePrivate(5));
        _streams.TryAddName(1);
        _streams.Request(5, 0, 1, 0);
        _streams.MakePrivate(5);
        Assert.Equal((true, false), (_streams.IsMadePrivate(5), _streams.IsMadePrivate(6)));
        _streams.Close(5, isAnswered: true);
        Assert.False(_streams.IsMadePrivate(5));
    }

    /// <summary>The view before a reissue stays until that has its answer; answers of an earlier connection change nothing.</summary>
    [Fact]
    public void Reissues_ThatAreAnswered_GiveBackTheirViews()
    {
        ViewTable views = _bench.Thread.Settings.Views;
        byte first = _streams.Views.Enter(new FieldView(1)), second = _streams.Views.Enter(new FieldView(2));
        _streams.RecordReissue(0, first);
        _streams.RecordReissue(0, second);
        _streams.RecordReissue(0, ConnectionViews.None);
        Assert.Equal((3, 2), (_streams.Requested, views.Count));
        _streams.EndReissue(new StreamAddress(3, 5, 76), 0);
        Assert.Equal((3, 2), (_streams.Requested, views.Count));
        _streams.EndReissue(_streams.AddressOf(5), 0);
        Assert.Equal((2, 1, null), (_streams.Requested, views.Count, views.Find(1)));
        _streams.EndReissue(_streams.AddressOf(6), 0);
        _streams.EndReissue(_streams.AddressOf(5), 0);
        Assert.Equal((0, 0), (_streams.Requested, views.Count));
    }

    /// <summary>After the last stream nothing waits any more, and answers that come late are of no use.</summary>
    [Fact]
    public void Closing_OfAllStreams_ForgetsWhatWaited()
    {
        for (int streamId = 1; streamId <= 20; streamId++)
        {
            _streams.TryAddName(1);
            _streams.Request(streamId, 0, 1, _streams.Views.Enter(new FieldView(1)));
        }

        _streams.RecordReissue(0, _streams.Views.Enter(new FieldView(2)));
        StreamAddress before = _streams.AddressOf(4);
        Assert.False(_streams.IsClosing);
        _streams.BeginClosing();
        Assert.Equal((true, 21), (_streams.IsClosing, _streams.Requested));
        List<int> closed = [];
        while (_streams.TryGetNextToClose(out int streamId))
        {
            if (_streams.Find(streamId).State == StreamUse.None)
                continue;
            closed.Add(streamId);
            _streams.Close(streamId, isAnswered: false);
        }

        Assert.Equal(Enumerable.Range(1, 20), closed);
        Assert.Equal((false, 0, 0, 0L, false, 0),
            (_streams.IsClosing, _streams.Requested, _streams.Count, _streams.KeptBytes(9), _streams.IsOfConnection(before),
                _bench.Thread.Settings.Views.Count));
    }

    [Fact]
    public void TryAddName_OfShortNames_CountsEachAsSixteenBytes()
    {
        Assert.True(_streams.TryAddName(3));
        Assert.Equal(MinNameBytes, _streams.KeptBytes(0));
    }

    /// <summary>An announcement begins when services change, and again only after a change; without listeners there is no pause.</summary>
    [Fact]
    public void Announcer_OfServices_HasWorkWhereTheyHaveChanged()
    {
        ServiceTable services = new();
        Announcer announcer = new(services);
        Assert.Equal((long.MaxValue, false), (announcer.NextDueNanos, announcer.HasWork(long.MaxValue - 1)));
        HubService offered = _bench.Feed.Service;
        for (int round = 1; round <= 3; round++)
        {
            services.Offer([offered with { Offer = offered.Offer with { Vendor = $"V{round}" } }]);
            Assert.Equal((0L, true), (announcer.NextDueNanos, announcer.HasWork(0)));
            announcer.Announce([null, null], nowNanos: 10);
            Assert.Equal((services.Version, $"V{round}", long.MaxValue),
                (announcer.Current.Version, Assert.Single(announcer.Current.Offers).Vendor, announcer.NextDueNanos));
        }
    }

    /// <summary>A turn serves a thousand connections; the announcement goes on in the next, with the services of its beginning.</summary>
    [Fact]
    public void Announcer_OfManyConnections_ServesSomeInEachTurn()
    {
        ServiceTable services = new();
        Announcer announcer = new(services);
        services.Offer([_bench.Feed.Service]);
        List<HubSession?> sessions = [.. Enumerable.Repeat<HubSession?>(null, 2_001)];
        announcer.Announce(sessions, 10);
        Assert.Equal((0L, 1), (announcer.NextDueNanos, announcer.Current.Offers.Count));
        services.SetDown([services.Find("FEED")!], 0);
        announcer.Announce(sessions, 11);
        Assert.Equal((0L, true), (announcer.NextDueNanos, announcer.Current.Offers[0].IsUp));
        announcer.Announce(sessions, 12);
        Assert.Equal((0L, true), (announcer.NextDueNanos, announcer.Current.Offers[0].IsUp)); // the first is over, and there is another
        announcer.Announce(sessions, 13);
        Assert.False(announcer.Current.Offers[0].IsUp);
        announcer.Announce(sessions, 14);
        announcer.Announce(sessions, 15);
        Assert.Equal(long.MaxValue, announcer.NextDueNanos);
    }

    [Fact]
    public void Table_OfConnections_GivesNumbersInOrder()
    {
        ConsumerTable table = new();
        Assert.Equal((0, 0, false), (table.Count, table.Consumers, table.IsClosing));
        HubSession[] sessions = [.. Enumerable.Range(0, 3).Select(_ => new HubSession(_bench.Thread))];
        Assert.Equal([0, 1, 2], sessions.Select(table.Enter));
        table.Publishers = 1;
        table.CountLeft();
        Assert.Equal((3, 1), (table.Count, table.Consumers));
        Assert.Equal(sessions, table.Sessions);
    }
}
