using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public class MsgCopyTests
{
    private const byte Untouched = 0xEE;
    private const int MostBytes = 300; // several blocks, with every rest

    [Fact]
    public void Copy_AnyLength_CopiesAllAndNothingBeside()
    {
        for (int bytes = 1; bytes <= MostBytes; bytes++)
        {
            byte[] message = [.. Enumerable.Range(bytes, bytes).Select(value => (byte)value)];
            byte[] room = new byte[bytes + 64];
            Array.Fill(room, Untouched);
            MsgCopy.Copy(message, room);
            Assert.Equal(message, room[..bytes]);
            Assert.All(room[bytes..], left => Assert.Equal(Untouched, left));
        }
    }

    [Theory]
    [InlineData(5)]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(140)]
    public void Copy_RoomTooShort_Throws(int bytes)
    {
        byte[] message = new byte[bytes], room = new byte[bytes - 1];
        Assert.Throws<ArgumentOutOfRangeException>(() => MsgCopy.Copy(message, room));
    }
}
