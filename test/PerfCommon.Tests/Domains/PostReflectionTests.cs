using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>The message that a provider sends back for each form of post.</summary>
public sealed class PostReflectionTests
{
    private const int Stream = 9;
    private const uint Address = 0x7F000001;
    private const uint Id = 77;

    private static readonly byte[] Fields = [0x08, 0x00, 0x00]; // a field list without entries

    [Fact]
    public void Encode_UpdateOfThePoster_IsThatUpdateOnTheStream()
    {
        byte[] inner = Encode(Update(UpdateFlags.HasPostUserInfo), Fields);
        byte[] sent = Reflect(Post(DataType.Msg, inner));

        inner[7] = Stream;
        Assert.Equal(inner, sent);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(UpdateFlags.HasPostUserInfo)]
    public void Encode_UpdateOfSomebodyElse_BecomesThePosters(int flags)
    {
        RwfMsg inner = Update(flags | UpdateFlags.HasSeqNum);
        (inner.SeqNum, inner.PostUserId, inner.UpdateType) = (5, 1, UpdateType.Trade);
        RwfMsg sent = Decode(Reflect(Post(DataType.Msg, Encode(inner, Fields))));

        Assert.Equal((MsgClass.Update, Stream, UpdateFlags.HasPostUserInfo | UpdateFlags.HasSeqNum),
            (sent.MsgClass, sent.StreamId, sent.Flags));
        Assert.Equal((Address, Id, 5u, UpdateType.Trade), (sent.PostUserAddress, sent.PostUserId, sent.SeqNum, sent.UpdateType));
        Assert.Equal(Fields, sent.Payload);
    }

    [Theory]
    [InlineData(RefreshFlags.Solicited | RefreshFlags.RefreshComplete)]
    [InlineData(RefreshFlags.Solicited | RefreshFlags.RefreshComplete | RefreshFlags.HasPostUserInfo)]
    [InlineData(RefreshFlags.RefreshComplete)]
    public void Encode_Refresh_IsNotSolicited(int flags)
    {
        RwfMsg inner = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            Flags = flags,
            ContainerType = DataType.FieldList,
            State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "text"u8),
            PostUserAddress = Address,
            PostUserId = Id,
        };
        RwfMsg sent = Decode(Reflect(Post(DataType.Msg, Encode(inner, Fields))));

        Assert.Equal((MsgClass.Refresh, Stream, Id), (sent.MsgClass, sent.StreamId, sent.PostUserId));
        Assert.Equal(RefreshFlags.RefreshComplete | RefreshFlags.HasPostUserInfo, sent.Flags);
        Assert.Equal("text"u8, sent.State.Text);
    }

    [Fact]
    public void Encode_Status_IsThePosters()
    {
        RwfMsg inner = new()
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.MarketPrice,
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.Open, DataState.Suspect),
        };
        RwfMsg sent = Decode(Reflect(Post(DataType.Msg, Encode(inner, []))));

        Assert.Equal((MsgClass.Status, StatusFlags.HasState | StatusFlags.HasPostUserInfo, Id),
            (sent.MsgClass, sent.Flags, sent.PostUserId));
        Assert.Equal((StreamState.Open, DataState.Suspect), (sent.State.StreamState, sent.State.DataState));
    }

    [Theory]
    [InlineData(DataType.FieldList, 3)]
    [InlineData(DataType.NoData, 0)]
    public void Encode_BareContent_IsAnUpdateAroundIt(DataType container, int bytes)
    {
        RwfMsg sent = Decode(Reflect(Post(container, Fields[..bytes])));

        Assert.Equal((MsgClass.Update, DomainType.MarketPrice, Stream), (sent.MsgClass, sent.DomainType, sent.StreamId));
        Assert.Equal((UpdateFlags.HasPostUserInfo, container, Address, Id),
            (sent.Flags, sent.ContainerType, sent.PostUserAddress, sent.PostUserId));
        Assert.Equal(Fields.AsSpan(0, bytes), sent.Payload);
    }

    [Theory]
    [InlineData(MsgClass.Generic)]
    [InlineData(MsgClass.Request)]
    [InlineData(MsgClass.Close)]
    [InlineData(MsgClass.Post)]
    [InlineData(MsgClass.Ack)]
    public void Encode_OtherMessage_IsNothing(MsgClass inner) =>
        Assert.Empty(Reflect(Post(DataType.Msg, Encode(new RwfMsg { MsgClass = inner, DomainType = DomainType.MarketPrice }, []))));

    [Fact]
    public void Encode_DamagedOrCut_NeverThrowsAndNeverIsMoreThanItsRoom()
    {
        byte[] whole = Post(DataType.Msg, Encode(Update(UpdateFlags.HasPostUserInfo | UpdateFlags.HasConfInfo), Fields));
        for (int length = 0; length <= whole.Length; length++)
            Try(whole[..length]);
        for (int at = 0; at < whole.Length; at++)
        {
            foreach (byte value in new byte[] { 0, 1, 0x7F, 0x80, 0xFE, 0xFF })
            {
                byte[] damaged = [.. whole];
                damaged[at] = value;
                Try(damaged);
            }
        }
    }

    [Fact]
    public void Encode_UpdateOfThePoster_AllocatesNothing()
    {
        byte[] bytes = Post(DataType.Msg, Encode(Update(UpdateFlags.HasPostUserInfo), Fields));
        byte[] room = new byte[500];
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                RwfMsg.TryDecode(bytes, out RwfMsg post);
                Assert.True(PostReflection.Encode(room, post, Stream) > 0);
            }
        });
    }

    [Fact]
    public void EncodeAck_Done_RepeatsIdAndSequenceNumber()
    {
        RwfMsg ack = Ack(PostFlags.HasPostId | PostFlags.HasSeqNum, PostRefusal.None);

        Assert.Equal((MsgClass.Ack, 6, AckFlags.HasSeqNum), (ack.MsgClass, ack.StreamId, ack.Flags));
        Assert.Equal((3u, 4u, DomainType.MarketPrice), (ack.AckId, ack.SeqNum, ack.DomainType));
    }

    [Theory]
    [InlineData(PostRefusal.StreamNotOpen, NakCode.NotOpen)]
    [InlineData(PostRefusal.ItemNotOpen, NakCode.SymbolUnknown)]
    [InlineData(PostRefusal.OtherService, NakCode.SourceUnknown)]
    [InlineData(PostRefusal.NoName, NakCode.InvalidContent)]
    [InlineData(PostRefusal.Content, NakCode.InvalidContent)]
    [InlineData(PostRefusal.TooLarge, NakCode.NoResources)]
    public void EncodeAck_Refused_SaysWhy(PostRefusal why, NakCode code)
    {
        RwfMsg ack = Ack(PostFlags.HasPostId, why);

        Assert.Equal((AckFlags.HasNakCode | AckFlags.HasText, code, 3u), (ack.Flags, ack.NakCode, ack.AckId));
        Assert.False(ack.Text.IsEmpty);
    }

    private static void Try(byte[] message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg post) == DecodeResult.Success)
            Assert.InRange(PostReflection.Encode(new byte[PostReflection.MaxBytes(post)], post, Stream), 0, PostReflection.MaxBytes(post));
    }

    private static RwfMsg Ack(int postFlags, PostRefusal why)
    {
        RwfMsg post = new()
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = postFlags | PostFlags.Ack,
            PostId = 3,
            SeqNum = 4,
        };
        byte[] room = new byte[PostReflection.MaxAckBytes];
        return Decode(room[..PostReflection.EncodeAck(room, post, why)]);
    }

    private static RwfMsg Update(int flags) => new()
    {
        MsgClass = MsgClass.Update,
        DomainType = DomainType.MarketPrice,
        Flags = flags,
        ContainerType = DataType.FieldList,
        PostUserAddress = Address,
        PostUserId = Id,
        ConflationCount = 2,
    };

    private static byte[] Post(DataType container, byte[] payload) => Encode(
        new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = PostFlags.PostComplete,
            ContainerType = container,
            PostUserAddress = Address,
            PostUserId = Id,
        },
        payload);

    private static byte[] Reflect(byte[] bytes)
    {
        RwfMsg.TryDecode(bytes, out RwfMsg post);
        byte[] room = new byte[PostReflection.MaxBytes(post)];
        return room[..PostReflection.Encode(room, post, Stream)];
    }

    private static byte[] Encode(scoped in RwfMsg header, byte[] payload)
    {
        byte[] room = new byte[500];
        RwfWriter writer = new(room);
        Assert.True(writer.TryWriteHeader(header) && writer.WriteRaw(payload));
        return room[..writer.Written];
    }

    private static RwfMsg Decode(byte[] message)
    {
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(message, out RwfMsg msg));
        return msg;
    }
}
