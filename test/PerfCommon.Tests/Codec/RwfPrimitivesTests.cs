using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public sealed class RwfPrimitivesTests
{
    [Theory]
    [InlineData(0L, "00")]
    [InlineData(127L, "7F")]
    [InlineData(128L, "0080")]
    [InlineData(-1L, "FF")]
    [InlineData(-128L, "80")]
    [InlineData(-129L, "FF7F")]
    [InlineData(long.MaxValue, "7FFFFFFFFFFFFFFF")]
    [InlineData(long.MinValue, "8000000000000000")]
    public void WriteInt_Value_TakesFewestBytesThatKeepTheSign(long value, string hex)
    {
        Assert.Equal(hex, Convert.ToHexString(ContentOf((ref RwfWriter writer) => writer.WriteInt(value))));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadInt(Convert.FromHexString(hex), out long read));
        Assert.Equal(value, read);
    }

    [Theory]
    [InlineData(0UL, "00")]
    [InlineData(255UL, "FF")]
    [InlineData(256UL, "0100")]
    [InlineData(ulong.MaxValue, "FFFFFFFFFFFFFFFF")]
    public void WriteUInt_Value_TakesFewestBytes(ulong value, string hex)
    {
        Assert.Equal(hex, Convert.ToHexString(ContentOf((ref RwfWriter writer) => writer.WriteUInt(value))));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadUInt(Convert.FromHexString(hex), out ulong read));
        Assert.Equal(value, read);
    }

    [Fact]
    public void TryReadInt_AnyBytes_IsTheirNumberWithItsSign()
    {
        byte[] bytes = [0x81, 0x92, 0x03, 0x74, 0xF5, 0x06, 0xE7, 0x18, 0x29, 0xFA, 0x0B];
        for (int start = 0; start < bytes.Length; start++)
        {
            for (int length = 1; length <= Math.Min(8, bytes.Length - start); length++)
            {
                long expected = (sbyte)bytes[start];
                for (int i = 1; i < length; i++)
                    expected = (expected << 8) | bytes[start + i];
                RwfPrimitives.TryReadInt(bytes.AsSpan(start, length), out long signed);
                RwfPrimitives.TryReadUInt(bytes.AsSpan(start, length), out ulong unsigned);
                Assert.Equal(expected, signed);
                Assert.Equal(length == 8 ? (ulong)expected : (ulong)expected & ((1UL << (8 * length)) - 1), unsigned);
            }
        }
    }

    [Theory]
    [InlineData("", DecodeResult.Blank)]
    [InlineData("0E", DecodeResult.Blank)]
    [InlineData("20", DecodeResult.Blank)]
    [InlineData("2001", DecodeResult.Blank)]
    [InlineData("21", DecodeResult.Success)]
    [InlineData("1F05", DecodeResult.Invalid)]
    [InlineData("2401", DecodeResult.Invalid)]
    [InlineData("3F01", DecodeResult.Invalid)]
    [InlineData("0E0102030405060708", DecodeResult.Success)]
    [InlineData("0E010203040506070809", DecodeResult.Invalid)]
    public void TryReadReal_HintAndLength_DecideTheResult(string hex, DecodeResult expected) =>
        Assert.Equal(expected, RwfPrimitives.TryReadReal(Convert.FromHexString(hex), out _));

    [Theory]
    [InlineData(2848560000L, (byte)(RealHint.Exponent0 - 6), 2848.56)]
    [InlineData(59L, (byte)(RealHint.Fraction1 + 3), 7.375)]
    [InlineData(3L, RealHint.Exponent7, 3e7)]
    [InlineData(0L, RealHint.NegativeInfinity, double.NegativeInfinity)]
    public void ToDouble_Hint_PlacesThePoint(long value, byte hint, double expected) =>
        Assert.Equal(expected, new RwfReal(value, hint).ToDouble());

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(6)]
    [InlineData(9)]
    public void TryReadTime_LengthOfNoForm_IsInvalidOrBlank(int length) =>
        Assert.Equal(length == 0 ? DecodeResult.Blank : DecodeResult.Invalid, RwfPrimitives.TryReadTime(new byte[length], out _));

    [Fact]
    public void WriteTime_Nanoseconds_KeepsEveryMember()
    {
        RwfTime time = new(23, 59, 58, 999, 1023, 2046);

        byte[] content = ContentOf((ref RwfWriter writer) => writer.WriteTime(time));

        Assert.Equal(8, content.Length);
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadTime(content, out RwfTime read));
        Assert.Equal(time, read);
    }

    [Fact]
    public void TryReadDateTime_DateBesideBlankTime_IsAValue()
    {
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadDateTime([1, 2, 3, 0, 255, 255], out RwfDateTime value));

        Assert.True(value.Time.IsBlank);
        Assert.Equal(new RwfDate(1, 2, 768), value.Date);
    }

    private delegate bool Writing(ref RwfWriter writer);

    // The content written into a field: it follows the flags and the count of the list, the id and one byte of length.
    private static byte[] ContentOf(Writing write)
    {
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(1);
        Assert.True(write(ref writer));
        return room[6..writer.Written];
    }
}
