using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public sealed class FieldCursorTests
{
    [Fact]
    [Trait("Category", "Vectors")]
    public void TryNext_FieldListsWithoutSets_GivesWhatTheReaderGives()
    {
        foreach (RwfVector vector in RwfVector.All.Values.Where(v => v.Type == DataType.FieldList))
        {
            for (int length = 0; length <= vector.Bytes.Length; length++)
                AssertSame(vector.Bytes.AsSpan(0, length));
            byte[] damaged = [.. vector.Bytes];
            for (int at = 0; at < damaged.Length; at++)
            {
                damaged[at] ^= 0xFE;
                AssertSame(damaged);
                damaged[at] = vector.Bytes[at];
            }
        }
    }

    [Fact]
    public void TryNext_LongLengthAndTrailingBytes_AreRead()
    {
        byte[] list = [0x08, 0x00, 0x02, 0x00, 0x16, 0xFE, 0x00, 0x01, 0xAA, 0xFF, 0xFF, 0x00, 0xDE, 0xAD];
        FieldCursor cursor = new(list);

        Assert.True(cursor.TryNext(out short fieldId, out int start, out int length));
        Assert.Equal((22, 8, 1), (fieldId, start, length));
        Assert.True(cursor.TryNext(out fieldId, out start, out length));
        Assert.Equal((-1, 12, 0), (fieldId, start, length));
        Assert.False(cursor.TryNext(out _, out _, out _));
        Assert.Equal(DecodeResult.EndOfContainer, cursor.End);
    }

    private static void AssertSame(ReadOnlySpan<byte> list)
    {
        DecodeResult expected = FieldListReader.TryOpen(list, out FieldListReader reader);
        FieldCursor cursor = new(list);
        while (expected == DecodeResult.Success)
        {
            expected = reader.TryReadNext(out FieldEntry entry);
            bool found = cursor.TryNext(out short fieldId, out int start, out int length);
            Assert.Equal(expected == DecodeResult.Success, found);
            Assert.Equal((entry.FieldId, entry.Start, entry.Length), (fieldId, start, length));
        }

        Assert.False(cursor.TryNext(out _, out _, out _));
        Assert.Equal(expected, cursor.End);
    }
}
