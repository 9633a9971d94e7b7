using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
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

    [Fact]
    public void Read_AnyBytesInAnyPlace_IsWhatReadingEveryEntryGives()
    {
        Random random = new(20);
        SizedMessages messages = new(600, 20);
        byte[] sound = new byte[messages.MaxUpdateBytes];
        int count = SizedMessages.MinCount;
        int length = messages.Encode(sound, 5, ref count, Stamp);
        int stamps = 0;
        for (int round = 0; round < 20_000; round++)
        {
            byte[] list = sound[UpdateHeader.Length..random.Next(UpdateHeader.Length, length + 1)];
            for (int damage = random.Next(3); damage > 0 && list.Length > 0; damage--)
                list[random.Next(list.Length)] = (byte)random.Next(256);

            SizedCount.Read(list, out ulong stamp);

            Assert.Equal(StampOfLast(list), stamp);
            stamps += stamp == 0 ? 0 : 1;
        }

        Assert.NotEqual(0, stamps);
    }

    private static ulong StampOfLast(byte[] list)
    {
        FieldListReader.TryOpen(list, out FieldListReader fields);
        FieldEntry last = default;
        while (fields.TryReadNext(out FieldEntry next) == DecodeResult.Success)
            last = next;
        return last.FieldId == StampFields.Update ? last.Content.ToArray().Aggregate(0UL, (number, octet) => (number << 8) | octet) : 0;
    }
}
