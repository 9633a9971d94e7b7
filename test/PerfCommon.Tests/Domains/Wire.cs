using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Encodes and decodes messages by hand, so that a conversation is tested against code other than its own other side.</summary>
internal static class Wire
{
    public static RwfMsg Decode(ReadOnlySpan<byte> bytes)
    {
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(bytes, out RwfMsg msg));
        return msg;
    }

    public static byte[] Encode(scoped in RwfMsg msg)
    {
        byte[] room = new byte[4096];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        writer.WriteRaw(msg.Payload);
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }

    public delegate int Encoder(Span<byte> room);

    /// <summary>Returns an encoder's output, after a check that it fails for every smaller buffer.</summary>
    public static byte[] Encode(Encoder encode)
    {
        byte[] room = new byte[8192];
        int length = encode(room);
        Assert.True(length > 0);
        for (int i = 0; i < length; i++)
            Assert.Equal(0, encode(room.AsSpan(0, i)));
        Array.Clear(room);
        Assert.Equal(length, encode(room));
        return room[..length];
    }

    public static RwfMsg Request(DomainType domain, int streamId, int flags) => new()
    {
        MsgClass = MsgClass.Request,
        DomainType = domain,
        StreamId = streamId,
        Flags = flags,
    };

    public static RwfMsg Status(DomainType domain, int streamId, StreamState stream, DataState data) => new()
    {
        MsgClass = MsgClass.Status,
        DomainType = domain,
        StreamId = streamId,
        Flags = StatusFlags.HasState,
        State = new RwfState(stream, data, StateCode.NotEntitled, "go away\n\0"u8),
    };

    public static RwfMsg Empty(MsgClass msgClass, DomainType domain, int streamId) => new()
    {
        MsgClass = msgClass,
        DomainType = domain,
        StreamId = streamId,
        State = new RwfState(StreamState.Open, DataState.Ok),
        GroupId = [0, 0],
    };

    public delegate void AttributeWriter(ref RwfWriter writer);

    /// <summary>Encodes an element list, whose elements the caller writes.</summary>
    public static byte[] Elements(AttributeWriter write)
    {
        byte[] room = new byte[2048];
        RwfWriter writer = new(room);
        writer.BeginElementList();
        write(ref writer);
        writer.EndElementList();
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }
}
