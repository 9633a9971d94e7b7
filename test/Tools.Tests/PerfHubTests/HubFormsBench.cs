using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A hub of one source whose items some consumers receive a part of. Over real sockets.</summary>
public abstract class HubFormsBench
{
    private protected const ushort Id = PassingProvider.ServiceId;
    private protected const int Streaming = RequestFlags.Streaming;

    private protected const int Private = RequestFlags.Streaming | RequestFlags.PrivateStream;

    private protected static SocketHub Start(FieldProvider source, HubPerfOptions? options = null) =>
        new(() => new ProviderSession(FieldProvider.Options, source), options);

    private protected static void Ask(TalkingPeer peer, int streamId, string name, int flags, FieldView? view = null, ushort serviceId = Id) =>
        peer.Ask(streamId, serviceId, name, flags, view);

    // A message of a class in a post that asks for an acknowledgement.
    private protected static void Post(TalkingPeer peer, int streamId, uint id, MsgClass inner)
    {
        RwfMsg nested = Wire.Empty(inner, DomainType.MarketPrice, 0);
        nested.Flags = inner == MsgClass.Status ? StatusFlags.HasState : inner == MsgClass.Refresh ? RefreshFlags.RefreshComplete : 0;
        if (inner != MsgClass.Status)
        {
            nested.ContainerType = DataType.FieldList;
            nested.Payload = FieldProvider.List(22, 25);
        }

        peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId,
            PostId = id,
            ContainerType = DataType.Msg,
            Payload = Wire.Encode(nested),
        }));
    }

    private protected static bool IsPrivate(byte[] message)
    {
        RwfMsg msg = Wire.Decode(message);
        return msg.Has(ItemForms.PrivateFlagOf(msg.MsgClass));
    }

    private protected static List<short> Fields(byte[] message)
    {
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(Wire.Decode(message).Payload, out FieldListReader reader));
        List<short> ids = [];
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
            ids.Add(entry.FieldId);
        Assert.Equal(DecodeResult.EndOfContainer, result);
        return ids;
    }
}
