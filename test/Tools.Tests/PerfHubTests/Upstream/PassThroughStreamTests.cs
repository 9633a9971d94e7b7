using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>
/// The last image of an item whose images are not cached field by field: its parts, their limit, and the headers with which they are sent again.
/// </summary>
[Trait("Category", "Fast")]
public sealed class PassThroughStreamTests
{
    private const int Complete = RefreshFlags.RefreshComplete;
    private const int MaxImageBytes = 16 * 1024 * 1024;

    private readonly PassThroughStream _stream = new();

    [Fact]
    public void Image_InParts_IsTheLastOnceItIsComplete()
    {
        byte[] first = Part("one", 0), last = Part("two", Complete);
        Assert.True(Keep(first));
        Assert.Equal((false, first.Length, ""), (_stream.HasImage, _stream.HeldBytes, Parts()));
        Assert.True(Keep(last));
        Assert.Equal((true, first.Length + last.Length, "one two"), (_stream.HasImage, _stream.HeldBytes, Parts()));

        byte[] other = Part("three", 0);
        Assert.True(Keep(other));
        Assert.Equal((first.Length + last.Length + other.Length, "one two"), (_stream.HeldBytes, Parts()));
        byte[] whole = Part("four", Complete | RefreshFlags.ClearCache);
        Assert.True(Keep(whole));
        Assert.Equal((whole.Length, "four"), (_stream.HeldBytes, Parts())); // the part before it is discarded
        Assert.True(Keep(Part("five", Complete)));
        Assert.Equal("five", Parts());
    }

    [Fact]
    public void HeldBytes_OfARequest_AreThoseOfTheRequestToo()
    {
        _stream.Request = new byte[77];
        Assert.Equal(77, _stream.HeldBytes);
        byte[] part = Part("one", Complete);
        Keep(part);
        Assert.Equal(77 + part.Length, _stream.HeldBytes);
    }

    /// <summary>An image of the maximum length is kept, one of a byte more is not, nor what follows until its end; time after time.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    public void Image_AtItsMaximum_IsKeptAndTheLastOneElse(int beyond, bool isKept)
    {
        byte[] old = Part("old", Complete);
        int head = Part("", 0).Length;
        for (int round = 0; round < 3; round++)
        {
            Assert.True(Keep(old));
            byte[] half = Large((MaxImageBytes / 2) - head, flags: 0);
            Assert.True(Keep(half));
            Assert.Equal(isKept, Keep(Large(MaxImageBytes - half.Length - head + beyond, flags: 0)));
            Assert.Equal(old.Length + (isKept ? MaxImageBytes : 0), _stream.HeldBytes);
            Assert.False(Keep(Part("more", 0)));
            Assert.Equal(old.Length, _stream.HeldBytes);
            Assert.False(Keep(Part("end", Complete)));
            Assert.Equal((old.Length, "old"), (_stream.HeldBytes, Parts()));
            Assert.True(Keep(Part("new", Complete)));
            Assert.Equal("new", Parts());
        }
    }

    [Theory]
    [InlineData(true, true, true, "Refresh 9 NonStreaming/Ok ITEM@33 solicited clear private|Refresh 9 NonStreaming/Suspect @0 solicited complete private")]
    [InlineData(true, false, false, "Refresh 9 NonStreaming/Ok ITEM@33 clear|Refresh 9 NonStreaming/Suspect @0 complete")]
    [InlineData(false, true, false, "Refresh 9 NonStreaming/Suspect ITEM@33 solicited clear|Refresh 9 NonStreaming/Suspect @0 solicited complete")]
    [InlineData(false, false, true, "Refresh 9 NonStreaming/Suspect ITEM@33 clear private|Refresh 9 NonStreaming/Suspect @0 complete private")]
    public void Encode_OfAnImage_HasTheHeadersOfItsStream(bool isOk, bool isSolicited, bool isPrivate, string expected)
    {
        const int Marked = RefreshFlags.Solicited | RefreshFlags.PrivateStream;
        RwfMsg first = Wire.Decode(Part("one", Marked));
        first.Flags |= RefreshFlags.HasMsgKey;
        first.Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 2, Name = "ITEM"u8 };
        RwfMsg second = Wire.Decode(Part("two", Complete | RefreshFlags.ClearCache | Marked));
        second.State = new RwfState(StreamState.Open, DataState.Suspect, StateCode.NotFound, "why"u8);
        second.Flags &= ~RefreshFlags.ClearCache;
        Keep(Wire.Encode(first));
        Keep(Wire.Encode(second));

        byte[] head = [1, 2, 3];
        byte[] bytes = _stream.Encode(head, new PassThroughHead(9, 33, StreamState.NonStreaming, isOk, isSolicited, isPrivate));
        Assert.Equal(head, bytes[..3]);
        List<byte[]> parts = SourceBench.Split(bytes.AsSpan(3));
        Assert.Equal(expected, string.Join('|', parts.Select(SourceBench.Describe)));
        Assert.Equal(["one", "two"], parts.Select(part => Encoding.ASCII.GetString(Wire.Decode(part).Payload)));
        RwfState state = Wire.Decode(parts[1]).State;
        Assert.Equal((StateCode.NotFound, "why"), (state.Code, Encoding.ASCII.GetString(state.Text)));
    }

    [Fact]
    public void EncodeRequest_ForTheSource_HasItsStreamAndServiceAndAllElse()
    {
        RwfMsg request = TalkRequest(streamId: 4, serviceId: 1);
        _stream.Request = Wire.Encode(request);
        byte[] room = new byte[_stream.Request.Length + PassThroughStream.RoomBeyond];
        int bytes = _stream.EncodeRequest(room, streamId: 70_000, serviceId: 65_535);
        Assert.Equal(Wire.Encode(TalkRequest(streamId: 70_000, serviceId: 65_535)), room[..bytes]);
        Assert.Throws<InvalidOperationException>(() => _stream.EncodeRequest(new byte[10], 70_000, 65_535));
    }

    private static RwfMsg TalkRequest(int streamId, ushort serviceId) => new()
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.MarketByPrice,
        StreamId = streamId,
        Flags = RequestFlags.Streaming | RequestFlags.PrivateStream,
        ContainerType = DataType.Opaque,
        Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = serviceId, Name = "ITEM"u8 },
        Payload = "view"u8,
    };

    private bool Keep(byte[] part) => _stream.TryKeep(Wire.Decode(part));

    private string Parts() => string.Join(' ',
        SourceBench.Split(_stream.Encode([], new PassThroughHead(1, 1, StreamState.Open, IsOk: true, IsSolicited: false, IsPrivate: false)))
            .Select(part => Encoding.ASCII.GetString(Wire.Decode(part).Payload)));

    private static byte[] Part(string payload, int flags) => Encode(Encoding.ASCII.GetBytes(payload), flags);

    private static byte[] Large(int bytes, int flags) => Encode(new byte[bytes], flags);

    private static byte[] Encode(byte[] payload, int flags)
    {
        byte[] room = new byte[payload.Length + 100];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketByPrice,
            StreamId = 5,
            Flags = flags,
            ContainerType = DataType.Opaque,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
        });
        writer.WriteRaw(payload);
        return room[..writer.Written];
    }
}
