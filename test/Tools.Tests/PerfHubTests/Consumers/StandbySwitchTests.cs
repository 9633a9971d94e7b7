using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests.Consumers;

/// <summary>A consumer for which the hub stands by, and is the active server again: the messages of each of its streams, over and over.</summary>
[Trait("Category", "Fast")]
public sealed class StandbySwitchTests : IDisposable
{
    private readonly ConsumerBench _bench = new();
    private readonly TalkingPeer _peer;
    private readonly TalkingPeer _other;

    public StandbySwitchTests() => (_peer, _other) = (_bench.Talk(), _bench.Talk());

    public void Dispose() => _bench.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Streams_OfAConsumerThatTakesItsDataElsewhere_GetNothingUntilItReturns(bool isOfLogin)
    {
        AskDirectory();
        Open("A", 20, 21);
        Open("B", 22);
        _bench.Ask(_other, 20, "A");
        ConsumerBench.Take(_other);
        for (byte round = 3; round < 20; round++)
        {
            SetPart(isOfLogin, isStandby: true);
            SetPart(isOfLogin, isStandby: true); // no change
            Assert.Empty(ConsumerBench.Take(_peer));
            (int mine, int others, long sent) = (_peer.Updates, _other.Updates, _bench[Counter.UpdatesSent]);
            _bench.DeliverUpdate("A", round);
            Assert.Equal((mine, others + 1, sent + 1), (_peer.Updates, _other.Updates, _bench[Counter.UpdatesSent]));
            SetPart(isOfLogin, isStandby: false);
            Assert.Equal([$"Refresh 20 Open/Ok A@11 clear complete [22={round}]", $"Refresh 21 Open/Ok A@11 clear complete [22={round}]",
                "Refresh 22 Open/Ok B@11 clear complete [22=1]"], ConsumerBench.Take(_peer).Order());
            SetPart(isOfLogin, isStandby: false); // no change
            Assert.Empty(ConsumerBench.Take(_peer));
            _bench.DeliverUpdate("A", round);
            Assert.Equal((mine + 2, others + 2, sent + 4), (_peer.Updates, _other.Updates, _bench[Counter.UpdatesSent]));
        }

        Assert.Empty(ConsumerBench.Take(_other));
        Assert.Equal(4, _bench.Hub.Read(HubGauge.Watchers));
    }

    /// <summary>Streams that are opened while the hub stands by have an image without fields, with or before the image of the source.</summary>
    [Fact]
    public void Requests_WhileTheHubStandsBy_HaveImagesWithoutFields()
    {
        Open("A", 20);
        SetPart(isOfLogin: true, isStandby: true);
        _bench.Ask(_peer, 21, "A");
        Assert.Equal(["Refresh 21 Open/Ok A@11 solicited clear complete []"], ConsumerBench.Take(_peer));
        _bench.Ask(_peer, 22, "B");
        Assert.Empty(ConsumerBench.Take(_peer));
        _bench.DeliverImage("B");
        Assert.Equal(["Refresh 22 Open/Ok B@11 solicited clear complete []"], ConsumerBench.Take(_peer));
        _bench.Close(_peer, 21);
        SetPart(isOfLogin: true, isStandby: false);
        Assert.Equal(["Refresh 20 Open/Ok A@11 clear complete [22=1]", "Refresh 22 Open/Ok B@11 clear complete [22=1]"],
            ConsumerBench.Take(_peer).Order());
        Assert.Equal(2, _bench.Hub.Read(HubGauge.Watchers));
    }

    /// <summary>The change awaits a stream whose request is still under way.</summary>
    [Fact]
    public void Switch_WhileARequestIsUnderWay_ReachesItsStream()
    {
        _bench.Hub.Stop(_bench.Hub.Sources);
        _bench.Ask(_peer, 20, "A");
        SetPart(isOfLogin: true, isStandby: true);
        _bench.Hub.Resume(_bench.Hub.Sources);
        _bench.Settle();
        _bench.DeliverImage("A");
        Assert.Equal(["Refresh 20 Open/Ok A@11 solicited clear complete []"], ConsumerBench.Take(_peer));
        _bench.DeliverUpdate("A");
        Assert.Equal((0, 0L), (_peer.Updates, _bench[Counter.UpdatesSent]));
        SetPart(isOfLogin: true, isStandby: false);
        Assert.Equal(["Refresh 20 Open/Ok A@11 clear complete [22=2]"], ConsumerBench.Take(_peer));
    }

    /// <summary>The part of a login is that of all services; the part of one service stays when the login's ends.</summary>
    [Theory]
    [InlineData(ConsumerBench.FeedId, true)]
    [InlineData(ConsumerBench.OwnId, false)]
    [InlineData(99, false)]
    public void Part_OfAService_IsOfItsStreamsAlone(ushort serviceId, bool isOfFeed)
    {
        AskDirectory();
        Open("A", 20);
        SayStatus(serviceId, isStandby: true);
        _bench.DeliverUpdate("A");
        Assert.Equal(isOfFeed ? 0 : 1, _peer.Updates);
        SetPart(isOfLogin: true, isStandby: true);
        SetPart(isOfLogin: true, isStandby: false);
        Assert.Equal(isOfFeed ? [] : ["Refresh 20 Open/Ok A@11 clear complete [22=2]"], ConsumerBench.Take(_peer));
        SayStatus(serviceId, isStandby: false);
        Assert.Equal(isOfFeed ? ["Refresh 20 Open/Ok A@11 clear complete [22=2]"] : [], ConsumerBench.Take(_peer));
        _bench.DeliverUpdate("A", 5);
        Assert.Equal(isOfFeed ? 1 : 2, _peer.Updates);
    }

    private void Open(string name, params int[] streams)
    {
        foreach (int streamId in streams)
            _bench.Ask(_peer, streamId, name);
        _bench.DeliverImage(name);
        ConsumerBench.Take(_peer);
    }

    private void AskDirectory()
    {
        _peer.Say(Wire.Encode(DirectoryConsumer.EncodeRequest));
        _bench.Settle();
        Assert.Equal(MsgClass.Refresh, Wire.Decode(Assert.Single(_peer.Messages)).MsgClass);
        _peer.Messages.Clear();
    }

    private void SetPart(bool isOfLogin, bool isStandby)
    {
        if (!isOfLogin)
        {
            SayStatus(ConsumerBench.FeedId, isStandby);
            return;
        }

        _peer.Say(Wire.Encode(room => ConnectionStatus.Encode(room, isStandby)));
        _bench.Settle();
    }

    private void SayStatus(ushort serviceId, bool isStandby)
    {
        _peer.Say(Wire.Encode(room => ConsumerStatus.Encode(room, serviceId, isStandby)));
        _bench.Settle();
    }
}
