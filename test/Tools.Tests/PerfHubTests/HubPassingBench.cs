using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub of sources with items of domains of which it keeps no fields, over real sockets.</summary>
public abstract class HubPassingBench
{
    private protected const ushort Id = PassingProvider.ServiceId;

    private protected const DomainType Own = (DomainType)200; // of users
    private protected static readonly byte[] Asked = Wire.Elements((ref RwfWriter writer) => writer.WriteUIntElement("Depth"u8, 3));

    private protected static TalkingPeer Open(SocketHub hub, PassingProvider source, DomainType domain)
    {
        TalkingPeer peer = hub.TalkOfItems();
        Ask(peer, 9, domain, "ITEM");
        hub.Until(() => source.Count(MsgClass.Request) == 1);
        source.Say(Image(domain, source.StreamOf(0), "image", RefreshFlags.Solicited | RefreshFlags.RefreshComplete));
        hub.Until(() => peer.All!.Count == 1);
        SocketHub.Forget(peer);
        return peer;
    }

    private protected static TalkingPeer Publish(SocketHub hub, DomainType domain)
    {
        TalkingPeer publisher = hub.TalkOfItems(LoginRole.Provider);
        publisher.Say(Wire.Encode(room => DirectoryProvider.EncodeAnnouncement(room, PassingProvider.Offer(domain))));
        TalkingPeer watcher = hub.TalkOfItems();
        hub.Until(() => hub.Hub.Read(HubGauge.Sources) == 1);
        hub.Until(() => Capabilities(hub, watcher).Contains(domain));
        return publisher;
    }

    private protected static List<DomainType> Capabilities(SocketHub hub, TalkingPeer peer)
    {
        RwfMsg request = Wire.Request(DomainType.Source, StreamIds.Directory, 0);
        request.Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers };
        SocketHub.Forget(peer);
        peer.Say(Wire.Encode(request));
        hub.Until(() => peer.Answers.Count == 1);
        RwfMsg refresh = Wire.Decode(peer.Messages[0]);
        SocketHub.Forget(peer);
        List<DomainType> found = [];
        Assert.True(DirectoryMap.TryRead(refresh, ref found, Take));
        return found;

        static bool Take(scoped in MapEntry entry, ushort id, DataType type, ref List<DomainType> found)
        {
            return id != Id || ElementLists.TryRead(ServiceEntry.InfoAfter(entry.Content, default).Span, default, ref found, TakeElement);
        }

        static bool TakeElement(scoped in ElementEntry element, ref List<DomainType> found)
        {
            if (!element.Name.SequenceEqual("Capabilities"u8))
                return true;
            Assert.Equal(DecodeResult.Success, ArrayReader.TryOpen(element.Content, out ArrayReader numbers));
            while (numbers.TryReadNext(out ReadOnlySpan<byte> number) == DecodeResult.Success)
                found.Add((DomainType)number[0]);
            return true;
        }
    }

    private protected static void Ask(TalkingPeer peer, int streamId, DomainType domain, string name, byte[]? payload = null,
        int flags = RequestFlags.Streaming)
    {
        RwfMsg request = TalkingPeer.Request(streamId, Id, name, flags);
        request.DomainType = domain;
        request.ContainerType = payload is null ? DataType.NoData : DataType.ElementList;
        request.Payload = payload;
        peer.Say(Wire.Encode(request));
    }

    private protected static byte[] Image(DomainType domain, int streamId, string payload, int flags, StreamState stream = StreamState.Open) =>
        Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = domain,
            StreamId = streamId,
            Flags = flags,
            State = new RwfState(stream, DataState.Ok),
            GroupId = [0, 0],
            ContainerType = DataType.Opaque,
            Payload = Encoding.ASCII.GetBytes(payload),
        });

    private protected static byte[] Published(int streamId, string payload, int flags)
    {
        RwfMsg image = Wire.Decode(Image(DomainType.MarketByPrice, streamId, payload, flags));
        image.Flags |= RefreshFlags.HasMsgKey;
        image.Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = Id, Name = "ITEM"u8 };
        return Wire.Encode(image);
    }

    private protected static byte[] Update(DomainType domain, int streamId, string payload) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Update,
        DomainType = domain,
        StreamId = streamId,
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    });

    private protected static RwfMsg Generic(string payload) => new()
    {
        MsgClass = MsgClass.Generic,
        DomainType = DomainType.YieldCurve,
        StreamId = 9,
        Flags = GenericFlags.MessageComplete,
        ContainerType = DataType.Opaque,
        Payload = Encoding.ASCII.GetBytes(payload),
    };

    private protected static string NameOf(scoped in RwfMsg msg) => Encoding.ASCII.GetString(msg.Key.Name);

    private protected static string PayloadOf(byte[] message) => Encoding.ASCII.GetString(Wire.Decode(message).Payload);

    /// <summary>A provider whose service lists its items.</summary>
    private protected sealed class ListingProvider : ProviderHandler
    {
        public const int Symbols = 1_000;

        public static ServiceOffer Offer => new() { Name = PassingProvider.Service, Id = Id, SymbolList = "_LIST" };

        protected internal override int MaxRefreshBytes => 64;

        protected internal override int SymbolCount => Symbols;

        protected internal override ReadOnlySpan<byte> SymbolAt(int index) => Encoding.ASCII.GetBytes($"S{index}");

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => throw new InvalidOperationException("a list alone is asked for");
    }
}
