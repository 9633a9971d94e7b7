using System.Text;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

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
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("{\"Seq\":,\"Time\":0,\"Pad\":\"0\"}")]
    [InlineData("{\"Seq\":1,\"Time\":0,\"Pad\":\"0")]
    [InlineData("{\"Seq\":1,\"Time\":0,\"Pad\":\"01\"}")]
    [InlineData("{\"Type\":\"Ping\"}")]
    public void TryRead_OtherJson_IsRefused(string text) => Assert.False(JsonMessage.TryRead(Encoding.ASCII.GetBytes(text), out _, out _, out _));
}
