using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Times: the shortest form that has all parts, read back as they were; a fixed length has the parts that fit.</summary>
public class RwfTimeTests
{
    [Theory]
    [InlineData("0102", 1, 2, 0, 0, 0, 0)]
    [InlineData("010203", 1, 2, 3, 0, 0, 0)]
    [InlineData("01020303E7", 1, 2, 3, 999, 0, 0)]
    [InlineData("0102000004", 1, 2, 0, 4, 0, 0)]
    [InlineData("010203000403E7", 1, 2, 3, 4, 999, 0)]
    [InlineData("01020300041BE7E7", 1, 2, 3, 4, 999, 999)] // the upper bits of the nanoseconds are above those of the microseconds
    [InlineData("0102000000000001", 1, 2, 0, 0, 0, 1)]
    public void WriteTime_Parts_TakeTheShortestForm(string hex, byte hour, byte minute, byte second, ushort milli, ushort micro, ushort nano)
    {
        RwfTime time = new(hour, minute, second, milli, micro, nano);
        byte[] content = ContentOf((ref RwfWriter writer) => writer.WriteTime(time));
        Assert.Equal(hex, Convert.ToHexString(content));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadTime(content, out RwfTime read));
        Assert.Equal(time, read);
        RwfDateTime moment = new(new RwfDate(31, 12, 2_026), time);
        byte[] both = ContentOf((ref RwfWriter writer) => writer.WriteDateTime(moment));
        Assert.Equal("1F0C07EA" + hex, Convert.ToHexString(both));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadDateTime(both, out RwfDateTime readMoment));
        Assert.Equal(moment, readMoment);
    }

    [Theory]
    [InlineData(2, "0102", "FFFF")]
    [InlineData(3, "010203", "FFFFFF")]
    [InlineData(5, "0102030004", "FFFFFFFFFF")]
    [InlineData(7, "01020300040005", "FFFFFFFFFF07FF")]
    [InlineData(8, "0102030004000506", "FFFFFFFFFF3FFFFF")]
    public void WriteTime_FixedLength_HasThePartsThatFit(int length, string hex, string blankHex)
    {
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        writer.BeginArray(DataType.Time, length);
        writer.BeginItem();
        Assert.True(writer.WriteTime(new RwfTime(1, 2, 3, 4, 5, 6)));
        writer.BeginItem();
        Assert.True(writer.WriteBlank());
        Assert.True(writer.EndArray());
        Assert.Equal($"0A0{length}0002{hex}{blankHex}", Convert.ToHexString(room, 0, writer.Written));
        Assert.Equal(DecodeResult.Blank, RwfPrimitives.TryReadTime(Convert.FromHexString(blankHex), out RwfTime blank));
        Assert.True(blank.IsBlank);
        for (int at = 0; at < length; at++)
        {
            byte[] almost = Convert.FromHexString(blankHex);
            almost[at] &= 0xFE; // one part is there
            Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadTime(almost, out _));
        }
    }

    [Theory]
    [InlineData(0, DecodeResult.Blank)]
    [InlineData(1, DecodeResult.Invalid)]
    [InlineData(4, DecodeResult.Invalid)]
    [InlineData(6, DecodeResult.Invalid)]
    [InlineData(9, DecodeResult.Invalid)]
    public void TryReadTime_OtherLength_IsNoTime(int length, DecodeResult result)
    {
        Assert.Equal(result, RwfPrimitives.TryReadTime(new byte[length], out RwfTime time));
        Assert.True(time.IsBlank);
        byte[] withDate = [1, 2, 7, 0xEA, .. new byte[length]];
        Assert.Equal(DecodeResult.Invalid, RwfPrimitives.TryReadDateTime(withDate, out _));
    }

    private delegate bool Write(ref RwfWriter writer);

    private static byte[] ContentOf(Write write)
    {
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(1);
        Assert.True(write(ref writer));
        Assert.True(writer.EndFieldList());
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(room.AsSpan(0, writer.Written), out FieldListReader reader));
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out FieldEntry entry));
        return entry.Content.ToArray();
    }
}
