using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Numbers of a varying length: the first bits tell how many bytes follow, and every one of them counts.</summary>
public class RwfReaderTests
{
    [Theory]
    [InlineData("00", 0)]
    [InlineData("3F", 0x3F)]
    [InlineData("8012", 0x12)]
    [InlineData("9234", 0x1234)]
    [InlineData("BFFF", 0x3FFF)]
    [InlineData("400001", 1)]
    [InlineData("523456", 0x123456)]
    [InlineData("7FFFFF", 0x3FFFFF)]
    [InlineData("C0000001", 1)]
    [InlineData("D2345678", 0x12345678)]
    [InlineData("FFFFFFFF", 0x3FFFFFFF)]
    public void ReadRb30_EachForm_IsTheNumber(string hex, int value)
    {
        byte[] bytes = Convert.FromHexString(hex);
        RwfReader reader = new([.. bytes, 0xAA]);
        Assert.Equal(value, reader.ReadRb30());
        Assert.Equal((bytes.Length, DecodeResult.Success), (reader.Position, reader.Result));
        RwfReader cut = new(bytes.AsSpan(0, bytes.Length - 1));
        cut.ReadRb30();
        Assert.Equal(DecodeResult.Incomplete, cut.Result);
    }

    [Theory]
    [InlineData("7F", 0x7F)]
    [InlineData("8080", 0x80)]
    [InlineData("9234", 0x1234)]
    [InlineData("FFFF", 0x7FFF)]
    public void ReadRb15_EachForm_IsTheNumber(string hex, int value)
    {
        byte[] bytes = Convert.FromHexString(hex);
        RwfReader reader = new([.. bytes, 0xAA]);
        Assert.Equal(value, reader.ReadRb15());
        Assert.Equal((bytes.Length, DecodeResult.Success), (reader.Position, reader.Result));
    }

    [Theory]
    [InlineData("FD", 0xFD, DecodeResult.Success)]
    [InlineData("FE1234", 0x1234, DecodeResult.Success)]
    [InlineData("FEFFFF", 0xFFFF, DecodeResult.Success)]
    [InlineData("FE12", 0, DecodeResult.Incomplete)]
    [InlineData("FF1234", 0, DecodeResult.Invalid)]
    public void ReadU16ob_EachForm_IsTheNumber(string hex, int value, DecodeResult result)
    {
        RwfReader reader = new(Convert.FromHexString(hex));
        Assert.Equal(value, reader.ReadU16ob());
        Assert.Equal(result, reader.Result);
    }

    [Fact]
    public void Fail_AfterAFailure_KeepsTheFirstReason()
    {
        RwfReader reader = new([1]);
        reader.Fail(DecodeResult.Invalid);
        reader.ReadUInt16();
        Assert.Equal((DecodeResult.Invalid, 0, 1), (reader.Result, reader.Position, reader.Left));
        Assert.Equal(0, reader.ReadByte()); // nothing is read any more
    }

    /// <summary>The rest of an array is itself a sequence of items.</summary>
    [Theory]
    [InlineData(0, "0E000003010102020203030303", 2)]
    [InlineData(2, "0E020003111122223333", 0)]
    public void Rest_OfAnArray_HasTheItemsThatWereNotRead(int itemLength, string hex, int lengthBytes)
    {
        byte[] array = Convert.FromHexString(hex);
        Assert.Equal(DecodeResult.Success, ArrayReader.TryOpen(array, out ArrayReader reader));
        Assert.Equal((itemLength, 3, DataType.Enum), (reader.ItemLength, reader.Count, reader.ItemType));
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out ReadOnlySpan<byte> first));
        int readBytes = first.Length + (lengthBytes > 0 ? 1 : 0);
        Assert.Equal(4 + readBytes, reader.Position);
        Assert.Equal(array[(4 + readBytes)..], reader.Rest.ToArray());
        ArrayReader rest = ArrayReader.OfItems(reader.Rest, itemLength, left: 2);
        Assert.Equal((2, itemLength), (rest.Count, rest.ItemLength));
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(DecodeResult.Success, reader.TryReadNext(out ReadOnlySpan<byte> expected));
            Assert.Equal(DecodeResult.Success, rest.TryReadNext(out ReadOnlySpan<byte> item));
            Assert.Equal(expected.ToArray(), item.ToArray());
        }

        Assert.Equal(DecodeResult.EndOfContainer, rest.TryReadNext(out _));
    }
}
