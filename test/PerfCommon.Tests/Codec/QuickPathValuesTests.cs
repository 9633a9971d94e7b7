using System.Text;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>The quick path of field lists finds the same values as the plain one, for each type and for contents that mean something special.</summary>
public class QuickPathValuesTests
{
    private const short First = 7;

    private delegate bool Write(ref RwfWriter writer);

    private static readonly DataType[] Types = [.. Enum.GetValues<DataType>().Where(DataTypes.IsPrimitive)];
    private static readonly byte[][] Patterns =
    [
        [0xFF], [0x00], [0x80, 0x00], [0x7F, 0xFF], [0xFF, 0x00], [0x00, 0xFF], [0x01, 0x02, 0x03, 0x04, 0x05], [0xFE, 0xFF, 0x80],
        [0x1E, 0xFF], [0x1F, 0x01], [0x20, 0x01], [0x21], [0x9E, 0x80],
    ];

    public static TheoryData<DataType> All => [.. Types];

    [Theory, MemberData(nameof(All))]
    public void Decode_AnyContentOfAType_IsTheSameByTheWindow(DataType type)
    {
        FieldTypeTable types = new([(First, type), (First + 1, DataType.UInt)]);
        foreach (byte[] pattern in Patterns)
        {
            for (int length = 0; length <= 13; length++)
            {
                byte[] content = [.. Enumerable.Range(0, length).Select(i => pattern[Math.Min(i, pattern.Length - 1)])];
                byte[] head = [ListFlags.HasStandardData, 0, 2, 0, (byte)First, (byte)length];
                Compare(types, [.. head, .. content, 0, (byte)First + 1, 8, 1, 2, 3, 4, 5, 6, 7, 8]);
            }
        }
    }

    /// <summary>The checksum depends on every part of a value: it is there so that each is really read.</summary>
    [Fact]
    public void Checksum_OneValueDiffers_Differs()
    {
        RwfTime[] times =
        [
            new(1, 2, 3, 4, 5, 6), new(9, 2, 3, 4, 5, 6), new(1, 9, 3, 4, 5, 6), new(1, 2, 9, 4, 5, 6), new(1, 2, 3, 9, 5, 6),
            new(1, 2, 3, 4, 9, 6), new(1, 2, 3, 4, 5, 9),
        ];
        RwfDate[] dates = [new(1, 2, 3), new(9, 2, 3), new(1, 9, 3), new(1, 2, 9)];
        HashSet<ulong> sums = [];
        foreach (RwfTime time in times)
            Assert.True(sums.Add(ChecksumOf(DataType.Time, (ref RwfWriter writer) => writer.WriteTime(time))));
        foreach (RwfDate date in dates)
            Assert.True(sums.Add(ChecksumOf(DataType.Date, (ref RwfWriter writer) => writer.WriteDate(date))));
        string[] texts = ["a text of many letters", "b text of many letters", "a text of many letterr", "a text of many letter"];
        foreach (string text in texts)
            Assert.True(sums.Add(ChecksumOf(DataType.RmtesString, (ref RwfWriter writer) => writer.WriteContent(Encoding.ASCII.GetBytes(text)))));
        Assert.Equal(times.Length + dates.Length + texts.Length, sums.Count);
    }

    private static ulong ChecksumOf(DataType type, Write write)
    {
        byte[] room = new byte[100];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(First);
        Assert.True(write(ref writer));
        Assert.True(writer.EndFieldList());
        FieldListDecoder decoder = new(new FieldTypeTable([(First, type)]), First, 1);
        Assert.Equal(DecodeResult.Success, decoder.Decode(room.AsSpan(0, writer.Written), 0));
        return decoder.Checksum;
    }

    private static void Compare(FieldTypeTable types, byte[] list)
    {
        FieldListDecoder quick = new(types, First, 2), slow = new(types, First, 2);
        byte[] message = [.. new byte[UpdateHeader.Length], .. list];
        DecodeResult quickly = quick.Decode(message, UpdateHeader.Length), slowly = slow.Decode(list, 0);
        string hex = Convert.ToHexString(list);
        Assert.Equal((hex, slowly, slow.Checksum, slow.HasKept), (hex, quickly, quick.Checksum, quick.HasKept));
        Assert.Equal((hex, slow.Kept(0), slow.Kept(1)), (hex, quick.Kept(0), quick.Kept(1)));
    }
}
