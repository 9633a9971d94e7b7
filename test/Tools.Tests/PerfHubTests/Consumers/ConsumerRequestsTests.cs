using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>Requests and closes of a consumer: which are refused, how many may wait, and what the source is requested.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerRequestsTests : IDisposable
{
    private const string Rejected = "Item request rejected for stream id 20 - ";

    private readonly ConsumerBench _bench = new();
    private readonly TalkingPeer _peer;

    public ConsumerRequestsTests() => _peer = _bench.Talk();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Request_OfAServiceThatIsNotThere_IsRefused()
    {
        _bench.Ask(_peer, 20, "A", serviceId: 99);
        _bench.Ask(_peer, 20, "A", RequestFlags.Streaming | RequestFlags.PrivateStream, serviceId: 99);
        RwfMsg request = TalkingPeer.Request(20, ConsumerBench.FeedId, "A");
        request.Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = "A"u8 };
        _peer.Say(Wire.Encode(request));
        _bench.Ask(_peer, 0, "A");
        _bench.Ask(_peer, -20, "A");
        const string Unknown = "Closed/Suspect/SourceUnknown the service is not known";
        Assert.Equal([$"Status 20 {Unknown}", $"Status 20 {Unknown} private", $"Status 20 {Unknown}", $"Status 0 {Unknown}", $"Status -20 {Unknown}"],
            ConsumerBench.Take(_peer));
        Assert.Empty(_bench.Source.Take());
        Assert.Equal((5L, 5L), (_bench[Counter.RequestsReceived], _bench[Counter.RequestsRejected]));
        Assert.Single(_bench.Hub.TakeNotices(), notice => notice.Contains("stream 20", StringComparison.OrdinalIgnoreCase) || notice.Contains("rejected",
            StringComparison.OrdinalIgnoreCase));
        Assert.Equal(0, _bench.Hub.Read(HubGauge.Watchers));
    }

    [Theory]
    [InlineData(false, DomainType.MarketPrice, "Closed/Suspect/UsageError " + Rejected + "this provider does not support domain 6")]
    [InlineData(true, DomainType.MarketByOrder, "Closed/Suspect/UsageError " + Rejected + "this provider does not support domain 7")]
    [InlineData(true, DomainType.MarketPrice, null)]
    public void Request_OfADomainThatIsNotServed_IsRefused(bool servesPrices, DomainType domain, string? refusal)
    {
        using ConsumerBench bench = new(new HubPerfOptions { ServedDomains = [servesPrices ? 6 : 7] });
        TalkingPeer peer = bench.Talk();
        RwfMsg request = TalkingPeer.Request(20, ConsumerBench.FeedId, "A");
        request.DomainType = domain;
        peer.Say(Wire.Encode(request));
        bench.Settle();
        Assert.Equal(refusal is null ? [] : [$"Status 20 {refusal}"], ConsumerBench.Take(peer));
        Assert.Equal(refusal is null ? ["Open A"] : [], bench.Source.Take());
    }

    [Theory]
    [InlineData(true, true, true)]
    [InlineData(false, true, false)]
    [InlineData(true, false, false)]
    public void Request_OfAnotherQuality_IsRefused(bool isRealTime, bool isTickByTick, bool isAccepted)
    {
        RwfQos offered = RwfQos.RealTimeTickByTick;
        RwfMsg request = TalkingPeer.Request(20, ConsumerBench.FeedId, "A", RequestFlags.Streaming | RequestFlags.HasQos);
        request.Qos = new RwfQos(isRealTime ? offered.Timeliness : (byte)QosTimeliness.DelayedUnknown, isTickByTick
            ? offered.Rate : (byte)QosRate.JitConflated);
        _peer.Say(Wire.Encode(request));
        _bench.Settle();
        Assert.Equal(isAccepted ? [] : [$"Status 20 Closed/Suspect/UsageError {Rejected}QoS not supported"], ConsumerBench.Take(_peer));
        Assert.Equal(isAccepted ? 1 : 0, _bench.Source.Take().Count);
    }

    /// <summary>A connection has this number of streams, and the same number again once they are closed.</summary>
    [Fact]
    public void Requests_AtTheOpenLimit_AreRefusedUntilAStreamIsClosed()
    {
        using ConsumerBench bench = new(new HubPerfOptions { OpenLimit = 3 });
        TalkingPeer peer = bench.Talk(), other = bench.Talk();
        for (int round = 0; round < 20; round++)
        {
            for (int streamId = 20; streamId < 23; streamId++)
                bench.Ask(peer, streamId, "A" + streamId);
            bench.Ask(peer, 23, "A23");
            Assert.Equal(["Status 23 ClosedRecover/Suspect/TooManyItems Item request rejected for stream id 23 - item count reached for this channel"],
                ConsumerBench.Take(peer));
            bench.Ask(peer, 21, "A21", RequestFlags.Streaming); // it is open, or requested
            bench.Ask(other, 23, "A23");
            Assert.Equal(["Open A20", "Open A21", "Open A22", "Open A23"], bench.Source.Take());
            bench.Close(peer, 21);
            bench.Ask(peer, 23, "A24");
            Assert.Equal(["Close A21", "Open A24"], bench.Source.Take());
            bench.Close(peer, 20);
            bench.Close(peer, 22);
            bench.Close(peer, 23);
            bench.Close(other, 23);
            Assert.Equal(["Close A20", "Close A22", "Close A24", "Close A23"], bench.Source.Take());
            Assert.Equal((0, 0L), (bench.Upstream.Items.Table.Count, bench.Hub.Read(HubGauge.Watchers)));
        }

        Assert.Equal((20L, 6L * 20, 5L * 20), (bench[Counter.RequestsRejected], bench[Counter.RequestsReceived] - 20, bench[Counter.ClosesReceived]));
    }

    /// <summary>A request that is repeated before its answer has one answer; one on an open stream has its own.</summary>
    [Fact]
    public void Request_Repeated_IsOneUntilItIsAnswered()
    {
        _bench.Hub.Stop(_bench.Hub.Sources);
        _bench.Ask(_peer, 20, "A");
        _bench.Ask(_peer, 20, "A");
        _bench.Ask(_peer, 20, "B"); // another item, on a stream that waits
        _bench.Hub.Resume(_bench.Hub.Sources);
        _bench.Settle();
        Assert.Equal(["Open A"], _bench.Source.Take());
        _bench.DeliverImage("A");
        Assert.Equal(["Refresh 20 Open/Ok A@11 solicited clear complete [22=1]"], ConsumerBench.Take(_peer));
        _bench.Ask(_peer, 20, "A");
        Assert.Equal(["Refresh 20 Open/Ok A@11 solicited clear complete [22=1]"], ConsumerBench.Take(_peer));
        _bench.Ask(_peer, 20, "B");
        Assert.Equal([$"Status 20 ClosedRecover/Suspect/UsageError {Rejected}stream already in use with a different key"], ConsumerBench.Take(_peer));
        _bench.DeliverUpdate("A");
        Assert.Equal(1, _peer.Updates);
        Assert.Equal((5L, 0L), (_bench[Counter.RequestsReceived], _bench[Counter.RequestsRejected]));
    }

    /// <summary>A stream that is closed before its answer is watched no more, whatever is requested on it next.</summary>
    [Fact]
    public void Close_BeforeTheAnswer_EndsTheStreamAndTheNextIsAnother()
    {
        for (int round = 0; round < 50; round++)
        {
            _bench.Hub.Stop(_bench.Hub.Sources);
            _bench.Ask(_peer, 20, "A");
            _bench.Close(_peer, 20);
            _bench.Ask(_peer, 20, "B");
            _bench.Ask(_peer, 21, "C");
            _bench.Close(_peer, 21);
            _bench.Hub.Resume(_bench.Hub.Sources);
            _bench.Settle();
            Assert.Equal(["Open A", "Open B", "Open C", "Close A", "Close C"], _bench.Source.Take());
            _bench.DeliverImage("B", value: 7);
            Assert.Equal(["Refresh 20 Open/Ok B@11 solicited clear complete [22=7]"], ConsumerBench.Take(_peer));
            Assert.Equal((1L, 1), (_bench.Hub.Read(HubGauge.Watchers), _bench.Upstream.Items.Table.Count));
            _bench.Close(_peer, 20);
            _bench.Close(_peer, 20); // again: of no stream
            Assert.Equal(["Close B"], _bench.Source.Take());
            Assert.Equal((0L, 0, 0L), (_bench.Hub.Read(HubGauge.Watchers), _bench.Upstream.Items.Table.Count, _bench.Upstream.Items.HeldBytes));
        }
    }

    /// <summary>The same of images alone: the one that is closed is withdrawn, at any time before its answer.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Close_OfASnapshotThatWaits_WithdrawsIt(bool isSourceStopped)
    {
        for (int round = 0; round < 50; round++)
        {
            if (isSourceStopped)
                _bench.Hub.Stop(_bench.Hub.Sources);
            _bench.Ask(_peer, 20, "A", flags: 0);
            _bench.Close(_peer, 20);
            _bench.Hub.Resume(_bench.Hub.Sources);
            _bench.Settle();
            Assert.Equal(["Open A", "Close A"], _bench.Source.Take());
            Assert.Equal((0, 0L), (_bench.Upstream.Items.Table.Count, _bench.Hub.Read(HubGauge.Watchers)));
            Assert.Empty(ConsumerBench.Take(_peer));
        }
    }

    [Fact]
    public void Snapshot_Answered_LeavesItsStreamFree()
    {
        _bench.Ask(_peer, 20, "A");
        _bench.DeliverImage("A");
        for (int round = 0; round < 50; round++)
        {
            _bench.Ask(_peer, 21, "A", flags: 0);
            Assert.Equal("Refresh 21 NonStreaming/Ok A@11 solicited clear complete [22=1]", ConsumerBench.Take(_peer)[^1]);
        }

        Assert.Equal((1L, 1L), (_bench.Hub.Read(HubGauge.Watchers), _bench.Hub.Read(HubGauge.Items)));
        _bench.Close(_peer, 21);
        Assert.Equal(["Open A"], _bench.Source.Take());
    }

    /// <summary>
    /// Requests without an answer are 1 for each 2,048 bytes of the queue, 32 at least: beyond them the connection is read no more until half are
    /// answered; time after time.
    /// </summary>
    [Fact]
    public void Requests_WithoutAnAnswer_AreSoManyAtATime()
    {
        using ConsumerBench bench = new(new HubPerfOptions { MaxQueueBytes = HubSettings.MinQueueBytes });
        TalkingPeer peer = bench.Talk();
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < 60; i++)
                peer.Say(Wire.Encode(TalkingPeer.Request(100 + i, ConsumerBench.FeedId, $"N{i}")));
            bench.Settle();
            Assert.Equal(32, bench.Source.Take().Count);
            for (int i = 0; i < 15; i++)
                bench.DeliverImage($"N{i}");
            Assert.Empty(bench.Source.Take());
            bench.DeliverImage("N15");
            bench.Settle();
            Assert.Equal(16, bench.Source.Take().Count);
            for (int i = 16; i < 48; i++)
                bench.DeliverImage($"N{i}");
            bench.Settle();
            Assert.Equal(12, bench.Source.Take().Count);
            Assert.Equal(48, ConsumerBench.Take(peer).Count);
            for (int i = 0; i < 60; i++)
                ConsumerBench.SendClose(peer, 100 + i);
            bench.Settle();
            bench.Settle();
            Assert.Equal((60, 0L), (bench.Source.Take().Count, bench.Hub.Read(HubGauge.Watchers)));
        }
    }

    /// <summary>Each repeated request counts until it has its answer, and no longer: a thousand are read one after the other.</summary>
    [Fact]
    public void Reissues_Answered_AreNotCountedAnyMore()
    {
        using ConsumerBench bench = new(new HubPerfOptions { MaxQueueBytes = HubSettings.MinQueueBytes });
        TalkingPeer peer = bench.Talk();
        bench.Ask(peer, 20, "A");
        bench.DeliverImage("A");
        ConsumerBench.Take(peer);
        FieldView[] views = [new(22), new(22, 23), new(24)];
        for (int round = 0; round < 40; round++)
        {
            for (int i = 0; i < 25; i++)
                peer.Ask(20, ConsumerBench.FeedId, "A", RequestFlags.Streaming, i % 4 == 3 ? null : views[i % 4]);
            bench.Hub.Until(() => peer.Messages.Count == 25);
            Assert.Equal(25, ConsumerBench.Take(peer).Count);
            bench.Settle();
            Assert.Equal((1L, 1), (bench.Hub.Read(HubGauge.Watchers), bench.Find("A").Watchers));
        }

        bench.Close(peer, 20);
        Assert.Equal((0, 0L, 0), (bench.Upstream.Items.Table.Count, bench.Upstream.Items.Forms.HeldBytes, bench.Thread.Settings.Views.Count));
    }

    /// <summary>Streams of a connection that ends leave nothing, whether their requests were answered or not.</summary>
    [Fact]
    public void Connection_ThatEnds_LeavesNoStreamNorView()
    {
        for (int round = 0; round < 5; round++)
        {
            TalkingPeer peer = _bench.Talk();
            for (int i = 0; i < 300; i++)
            {
                int flags = i % 3 == 0 ? 0 : RequestFlags.Streaming | (i % 3 == 1 ? RequestFlags.PrivateStream : 0);
                peer.Ask(100 + i, ConsumerBench.FeedId, $"N{i}", flags, new FieldView((short)i));
            }

            _bench.Settle();
            for (int i = 2; i < 100; i += 3)
                _bench.DeliverImage($"N{i}");
            Assert.Equal(300, _bench.Source.Take().Count(call => call.StartsWith("Open", StringComparison.Ordinal)));
            peer.Worker.Dispose();
            _bench.Hub.Until(() => _bench.Hub.Read(HubGauge.Consumers) == 1);
            _bench.Hub.Until(() => _bench.Upstream.Items.Table.Count == 0);
            Assert.Equal(300, _bench.Source.Take().Count(call => call.StartsWith("Close", StringComparison.Ordinal)));
            Assert.Equal((0L, 0, 0L), (_bench.Hub.Read(HubGauge.Watchers), _bench.Thread.Settings.Views.Count, _bench.Upstream.Items.HeldBytes));
        }
    }
}
