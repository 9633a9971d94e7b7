using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub that is one of the two servers of a warm standby pair. Over real sockets.</summary>
public class HubStandbyTests
{
    private const ushort Id = PassingProvider.ServiceId;
    private static readonly byte[] Blank = [0x08, 0, 0]; // of a field list

    [Fact]
    public void Login_SaysThatTheHubStandsBy()
    {
        using SocketHub hub = new();
        LoginAttributes.TryRead(hub.Talk().Last(MsgClass.Refresh).Key, out LoginAttributes offered);
        Assert.True(offered.SupportStandby);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Consumer_OfAnotherServer_GetsNothingUntilTheHubIsTheActiveOne(bool isOfLogin)
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        (TalkingPeer peer, TalkingPeer other) = (TalkOfAPart(hub, isOfLogin), hub.TalkOfItems());
        Ask(other, "ITEM");
        hub.Until(() => other.All!.Count == 1 && source.IsUpdating);
        SetPart(peer, isOfLogin, isStandby: true);
        Ask(peer, "ITEM");
        hub.Until(() => peer.All!.Count == 1);
        RwfMsg image = Wire.Decode(peer.All![0]);
        Assert.Equal((MsgClass.Refresh, DataState.Ok, true), (image.MsgClass, image.State.DataState, image.Payload.SequenceEqual(Blank)));

        source.Send(22);
        hub.Until(() => other.Updates == 1);
        SetPart(peer, isOfLogin, isStandby: false);
        hub.Until(() => peer.All!.Count == 2);
        Assert.False(Wire.Decode(peer.All![1]).Has(RefreshFlags.Solicited));
        Assert.Equal([22, 25, 30, StampFields.Update], Fields(peer.All![1]));
        source.Send(25);
        hub.Until(() => peer.Updates == 1 && other.Updates == 2);

        SetPart(peer, isOfLogin, isStandby: true);
        Ask(peer, "OTHER", streamId: 10); // the answer is sent after the change
        hub.Until(() => peer.All!.Count == 4);
        Assert.Equal((10, true), (Wire.Decode(peer.All![3]).StreamId, Wire.Decode(peer.All![3]).Payload.SequenceEqual(Blank)));
        source.Send(30);
        hub.Until(() => other.Updates == 3);
        hub.Until(() => hub.Hub.Count(Counter.UpdatesSent) == 4);
        Assert.Equal(1, peer.Updates);
        peer.Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketPrice, 9)));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 2);
    }

    [Fact]
    public void ConsumerStatus_OfAnotherService_ChangesNothing()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = TalkOfAPart(hub, isOfLogin: false);
        Ask(peer, "ITEM");
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        peer.Say(Wire.Encode(room => ConsumerStatus.Encode(room, Id + 1, isStandby: true)));
        Ask(peer, "OTHER", streamId: 10);
        hub.Until(() => peer.All!.Count == 2);
        source.Send(22);
        hub.Until(() => peer.Updates == 1);
        Assert.All(peer.All!.Take(2), message => Assert.Equal(4, Fields(message).Count));
    }

    [Fact]
    public void Part_ChangedOverAndOver_EndsWithTheLastAndKeepsTheView()
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source);
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, "ITEM", view: new FieldView(22));
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        for (int i = 0; i < 20; i++)
            SetPart(peer, isOfLogin: true, isStandby: i % 2 == 0);
        hub.Until(() => peer.All!.Count == 11);
        source.Send(22, 25);
        hub.Until(() => peer.Updates == 1);
        Assert.All(peer.All!.Take(11), message => Assert.Equal([22, StampFields.Update], Fields(message)));
        Assert.Equal([22], Fields(peer.All![^1]));

        Ask(peer, "ITEM", view: new FieldView(25));
        SetPart(peer, isOfLogin: true, isStandby: true);
        SetPart(peer, isOfLogin: true, isStandby: false);
        hub.Until(() => peer.All!.Count == 14);
        Assert.All(peer.All!.Skip(12), message => Assert.Equal([25, StampFields.Update], Fields(message)));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 1);
        peer.Say(Wire.Encode(Wire.Empty(MsgClass.Close, DomainType.MarketPrice, 9)));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == 0 && hub.Hub.Read(HubGauge.Items) == 0);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Updates_WhileTheHubStandsBy_AreForNobody(bool isCaching)
    {
        FieldProvider source = new();
        using SocketHub hub = Start(source, new HubPerfOptions { IsCaching = isCaching });
        TalkingPeer peer = hub.TalkOfItems();
        SetPart(peer, isOfLogin: true, isStandby: true);
        Ask(peer, "ITEM");
        hub.Until(() => peer.All!.Count == 1 && source.IsUpdating);
        source.Send(22);
        hub.Until(() => hub.Hub.Count(HubCounter.UpdatesUnwatched) == 1);
        SetPart(peer, isOfLogin: true, isStandby: false);
        hub.Until(() => peer.All!.Count == 2);
        source.Send(25);
        hub.Until(() => peer.Updates == 1 && hub.Hub.Count(Counter.UpdatesSent) == 1);
        Assert.Equal([false, true], peer.All!.Take(2).Select(HasFields));
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 2)]
    public void Part_OfAConsumerOfManyItems_ChangesForEach(int sessionThreads, int sourceThreads)
    {
        const int Items = 5_000;
        FieldProvider source = new();
        using SocketHub hub = Start(source, new HubPerfOptions { SessionThreads = sessionThreads, SourceThreads = sourceThreads });
        TalkingPeer peer = hub.TalkOfItems();
        SetPart(peer, isOfLogin: true, isStandby: true);
        for (int i = 0; i < Items; i++)
            Ask(peer, $"ITEM{i}", streamId: 10 + i);
        SetPart(peer, isOfLogin: true, isStandby: false); // while requests are on their way
        hub.Until(() => peer.All!.Count(HasFields) == Items); // each once, whatever came before
        SetPart(peer, isOfLogin: true, isStandby: true);
        Ask(peer, "LAST", streamId: 9);
        hub.Until(() => Wire.Decode(peer.All![^1]).StreamId == 9);
        Assert.Equal((Items, false), (peer.All!.Count(HasFields), HasFields(peer.All![^1])));
        hub.Until(() => hub.Hub.Read(HubGauge.Watchers) == Items + 1);
    }

    private static bool HasFields(byte[] image) => !Wire.Decode(image).Payload.SequenceEqual(Blank);

    private static SocketHub Start(FieldProvider source, HubPerfOptions? options = null) =>
        new(() => new ProviderSession(FieldProvider.Options, source), options);

    // The directory is requested where the change of a part is sent on its stream.
    private static TalkingPeer TalkOfAPart(SocketHub hub, bool isOfLogin)
    {
        TalkingPeer peer = hub.TalkOfItems();
        if (isOfLogin)
            return peer;
        peer.Say(Wire.Encode(DirectoryConsumer.EncodeRequest));
        hub.Until(() => peer.Answers.Count == 1);
        SocketHub.Forget(peer);
        return peer;
    }

    private static void SetPart(TalkingPeer peer, bool isOfLogin, bool isStandby) => peer.Say(Wire.Encode(
        room => isOfLogin ? ConnectionStatus.Encode(room, isStandby) : ConsumerStatus.Encode(room, Id, isStandby)));

    private static void Ask(TalkingPeer peer, string name, int streamId = 9, FieldView? view = null) =>
        peer.Ask(streamId, Id, name, RequestFlags.Streaming, view);

    private static List<short> Fields(byte[] message)
    {
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(Wire.Decode(message).Payload, out FieldListReader reader));
        List<short> ids = [];
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            ids.Add(entry.FieldId);
        return ids;
    }
}
