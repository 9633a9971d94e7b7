using PerfCommon.Codec;
using PerfCommon.Sessions;
using Xunit;

namespace Tools.Tests.Users;

public class SizedCountTests
{
    private const ulong Stamp = 0x0123_4567_89AB;

    [Theory]
    [InlineData(54, 5, Stamp)]
    [InlineData(54, 5, 0xFFFF_FFFF)]
    [InlineData(216, 20, Stamp)]
    [InlineData(216, 5, Stamp)]
    [InlineData(600, 5, Stamp)]
    [InlineData(34, 3, 0)]
    public void Read_OfAnUpdate_GivesItsCountAndStamp(int bytes, int fields, ulong stamp)
    {
        SizedMessages messages = new(bytes, fields);
        byte[] room = new byte[messages.MaxUpdateBytes];
        int count = SizedMessages.MinCount + 300;
        int length = messages.Encode(room, 5, ref count, stamp);
        Assert.Equal(bytes, length);
        Assert.True(UpdateHeader.TryRead(room.AsSpan(0, length), out UpdateHeader update));

        Assert.Equal(SizedMessages.MinCount + 301, SizedCount.Read(update.Payload, out ulong read));
        Assert.Equal(stamp, read);
    }

    [Fact]
    public void OfImage_OfSizedMessages_IsTheCountOfTheLastUpdate()
    {
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        new SizedMessages(54, 5).EncodeRefresh(ref writer, 70_000);

        Assert.Equal(70_000, SizedCount.OfImage(room.AsSpan(0, writer.Written)));
        room.AsSpan().Replace(SizedMessages.Filling, (byte)'Y');
        Assert.Equal(SizedCount.None, SizedCount.OfImage(room.AsSpan(0, writer.Written)));
    }

    [Theory]
    [InlineData(32_769, 32_768, true)]
    [InlineData(32_768, 0x7FFFFF, true)]
    [InlineData(40_000, 32_768, true)]
    [InlineData(32_768, 32_768, false)]
    [InlineData(32_768, 32_769, false)]
    [InlineData(0x7FFFFF, 32_768, false)]
    public void Follows_Counts_GoUpAndBeginAnew(int count, int before, bool follows) =>
        Assert.Equal(follows, SizedCount.Follows(count, before));

    [Fact]
    public void Read_CutAnywhere_EndsQuietly()
    {
        SizedMessages messages = new(54, 5);
        byte[] room = new byte[messages.MaxUpdateBytes];
        int count = SizedMessages.MinCount;
        int length = messages.Encode(room, 5, ref count, Stamp);
        for (int end = UpdateHeader.Length; end < length; end++)
        {
            SizedCount.Read(room.AsSpan(UpdateHeader.Length..end), out ulong stamp);
            Assert.Equal(0UL, stamp);
        }
    }
}
