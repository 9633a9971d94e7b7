using System.Text;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class TransportPerfMessageTests
{
    [Fact]
    public void Write_Raw_IsLittleEndianAndPadded()
    {
        byte[] room = [.. Enumerable.Repeat((byte)0xFF, 20)];
        RawMessage.Write(room, 0x0102, 0x0304);
        Assert.Equal("0201000000000000040300000000000000000000", Convert.ToHexString(room));
    }

    [Fact]
    public void TryRead_Raw_GivesBothNumbers()
    {
        byte[] room = new byte[16];
        RawMessage.Write(room, 7, 9);
        Assert.True(RawMessage.TryRead(room, out long sequence, out long stamp));
        Assert.Equal((7, 9), (sequence, stamp));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(15)]
    public void TryRead_ShortRaw_IsRefused(int length) => Assert.False(RawMessage.TryRead(new byte[length], out _, out _));

    [Theory]
    [InlineData(64, 0, 0)]
    [InlineData(76, 12345, 67890)]
    [InlineData(64, 99999999999999, 9223372036854775807)]
    public void Write_Json_HasExactlyTheLength(int length, long sequence, long stamp)
    {
        byte[] room = new byte[length];
        JsonMessage.Write(room, sequence, stamp);
        string text = Encoding.ASCII.GetString(room);
        Assert.StartsWith($"{{\"Seq\":{sequence},\"Time\":{stamp},\"Pad\":\"0", text, StringComparison.Ordinal);
        Assert.EndsWith("0\"}", text, StringComparison.Ordinal);
        Assert.True(JsonMessage.TryRead(room, out long readSequence, out long readStamp, out int bytes));
        Assert.Equal((sequence, stamp, length), (readSequence, readStamp, bytes));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(76)]
    [InlineData(123)] // begins with a brace
    public void Write_RawJson_IsReadInEitherCountOfItsLength(int length)
    {
        byte[] room = new byte[length];
        RawJsonMessage.Write(room, sequence: 7, stampNanos: 9);
        byte[] two = [.. room, (byte)',', .. Json(8, 64)];
        Assert.Equal((2, 1), (JsonMessage.Count(two), JsonMessage.Count(room)));
        Assert.True(JsonMessage.TryRead(two, out long sequence, out long stamp, out int bytes));
        Assert.Equal((7, 9, length), (sequence, stamp, bytes));

        BitConverter.TryWriteBytes(room, length - 4); // of those that do not count the length itself
        Assert.True(JsonMessage.TryRead(room, out sequence, out stamp, out bytes));
        Assert.Equal((7, 9, length), (sequence, stamp, bytes));
        BitConverter.TryWriteBytes(room, uint.MaxValue);
        Assert.False(JsonMessage.TryRead(room, out _, out _, out _));
        Assert.False(JsonMessage.TryRead(room.AsSpan(0, 19), out _, out _, out _));
    }

    [Fact]
    public void InsideArray_TwoObjects_AreReadOneAfterTheOther()
    {
        byte[] first = Json(1, 64);
        byte[] second = Json(2, 70);
        byte[] array = [.. "["u8, .. first, .. ","u8, .. second, .. "]"u8];
        ReadOnlySpan<byte> inside = JsonMessage.InsideArray(array);
        Assert.Equal(2, JsonMessage.Count(inside));
        Assert.True(JsonMessage.TryRead(inside, out long sequence, out _, out int bytes));
        Assert.Equal((1, 64), (sequence, bytes));
        Assert.True(JsonMessage.TryRead(inside[65..], out sequence, out _, out bytes));
        Assert.Equal((2, 70), (sequence, bytes));
    }

    [Fact]
    public void InsideArray_OneObject_IsTheText() => Assert.True(JsonMessage.InsideArray(Json(1, 64)).SequenceEqual(Json(1, 64)));

    [Theory]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("{\"Seq\":,\"Time\":0,\"Pad\":\"0\"}")]
    [InlineData("{\"Seq\":1,\"Time\":0,\"Pad\":\"0")]
    [InlineData("{\"Seq\":1,\"Time\":0,\"Pad\":\"01\"}")]
    [InlineData("{\"Type\":\"Ping\"}")]
    public void TryRead_OtherJson_IsRefused(string text) =>
        Assert.False(JsonMessage.TryRead(Encoding.ASCII.GetBytes(text), out _, out _, out _));

    private static byte[] Json(long sequence, int bytes)
    {
        byte[] room = new byte[bytes];
        JsonMessage.Write(room, sequence, 0);
        return room;
    }
}
