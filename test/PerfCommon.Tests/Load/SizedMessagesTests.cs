using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Load;

public sealed class SizedMessagesTests
{
    private const ulong Stamp = 0x0102_0304_0506; // six bytes

    [Theory]
    [InlineData(54, 5, 7)]
    [InlineData(108, 10, 26)]
    [InlineData(162, 15, 45)]
    [InlineData(216, 20, 64)]
    public void Encode_UsualFields_AreThoseOfTheTable(int bytes, int fields, int text)
    {
        Assert.Equal(fields, SizedMessages.UsualFields(bytes));
        Assert.Equal((bytes, fields, text), Describe(bytes, fields, Stamp));
    }

    [Theory]
    [InlineData(108, 61)]
    [InlineData(162, 115)]
    [InlineData(216, 169)]
    public void Encode_FiveFields_HaveALargeText(int bytes, int text) => Assert.Equal((bytes, 5, text), Describe(bytes, 5, Stamp));

    [Theory]
    [InlineData(LatencyUnit.Microseconds, new[] { 0, 4, 5, 6 })]
    [InlineData(LatencyUnit.Nanoseconds, new[] { 0, 5, 6, 7 })]
    internal void Encode_EveryPossibleSize_IsExactWhateverTheStamp(LatencyUnit unit, int[] stamps)
    {
        int possible = 0;
        for (int bytes = SizedMessages.MinBytes; bytes < 400; bytes++)
        {
            foreach (int fields in (int[])[3, 5, SizedMessages.UsualFields(bytes)])
            {
                if (SizedMessages.FindProblem(bytes, fields, unit) is not null)
                    continue;
                possible++;
                Assert.All(stamps, stamp => Assert.Equal(bytes, Describe(bytes, fields, stamp == 0 ? 0 : 1ul << ((8 * stamp) - 1)).Bytes));
            }
        }

        Assert.InRange(possible, 1_000, 1_098);
        Assert.Equal(6_000, Describe(6_000, SizedMessages.MaxFields, Stamp).Bytes);
    }

    [Theory]
    [InlineData(33, 3, "an update has 34 to 6000 bytes")]
    [InlineData(54, 2, "an update has 3 to 58 fields")]
    [InlineData(40, 4, "no update of 4 fields has that size; the nearest is 41")]
    [InlineData(41, 4, null)]
    [InlineData(34, 3, null)]
    public void FindProblem_Size_NamesTheNearest(int bytes, int fields, string? problem) =>
        Assert.Equal(problem, SizedMessages.FindProblem(bytes, fields, LatencyUnit.Microseconds));

    [Fact]
    public void FindProblem_TextAsLongAsALengthByteSays_NamesASizeBesideIt()
    {
        // 285 bytes leave 255 of the text's entry after a stamp of six bytes; no text could fill one more
        string[] lost =
            [.. Enumerable.Range(270, 40).Select(bytes => SizedMessages.FindProblem(bytes, 3, LatencyUnit.Microseconds)).OfType<string>()];
        Assert.Equal(6, lost.Length);
        Assert.All(lost,
            problem => Assert.StartsWith("no update of 3 fields has that size; the nearest is ", problem, StringComparison.Ordinal));
    }

    [Fact]
    public void Encode_UpdatesOfAnItem_CountOnFromItsImageAndBeginAgain()
    {
        SizedMessages messages = new(54, 5);
        SizedCounts counts = new();
        Assert.Equal(0x8000, ReadCount(EncodeRefresh(messages, counts.Of(0))));
        byte[] room = new byte[messages.MaxUpdateBytes];
        messages.Encode(room, 6, ref counts.Of(0), 0);
        Assert.Equal((0x8001, 0x8001), (counts.Of(0), ReadCount(room.AsSpan(MarketPriceHeaders.UpdateHeaderBytes))));
        counts.Of(0) = 0x7F_FFFE;
        messages.Encode(room, 6, ref counts.Of(0), Stamp);
        Assert.Equal(0x7F_FFFF, ReadCount(room.AsSpan(MarketPriceHeaders.UpdateHeaderBytes)));
        messages.Encode(room, 6, ref counts.Of(0), Stamp);
        Assert.Equal(0x8000, ReadCount(room.AsSpan(MarketPriceHeaders.UpdateHeaderBytes)));
        Assert.Equal(0x8000, ReadCount(EncodeRefresh(messages, counts.Of(0))));
    }

    [Fact]
    public void Counts_OfSlotsThatComeLater_BeginAnewAndKeepTheOthers()
    {
        SizedCounts counts = new();
        counts.Of(2)++;
        counts.Of(1_000)++;
        Assert.Equal((0x8000, 0x8001, 0x8001, 0x8000), (counts.Of(0), counts.Of(2), counts.Of(1_000), counts.Of(1_999)));
    }

    [Fact]
    public void EncodeRefresh_HasTheFieldsOfAnUpdateAndABlankStamp()
    {
        SizedMessages messages = new(108, 10);
        byte[] image = EncodeRefresh(messages, 0x8000);
        List<short> ids = ReadIds(image, out int lastLength);
        byte[] room = new byte[messages.MaxUpdateBytes];
        int count = 0x8000;
        int bytes = messages.Encode(room, 6, ref count, Stamp);

        Assert.Equal(ids, ReadIds(room.AsSpan(MarketPriceHeaders.UpdateHeaderBytes, bytes - MarketPriceHeaders.UpdateHeaderBytes), out _));
        Assert.Equal((StampFields.Update, 0), (ids[^1], lastLength));
        Assert.Equal(ids.Count, ids.Distinct().Count());
    }

    [Fact]
    public void Encode_AfterWarmUp_AllocatesNothing()
    {
        SizedMessages messages = new(54, 5);
        byte[] room = new byte[messages.MaxUpdateBytes];
        int count = 0x8000;
        Allocation.None(() =>
        {
            for (ulong stamp = 0; stamp < 10_000; stamp++)
                messages.Encode(room, 6, ref count, stamp << 20);
        });
    }

    private static byte[] EncodeRefresh(SizedMessages messages, int count)
    {
        byte[] room = new byte[messages.MaxRefreshBytes];
        RwfWriter writer = new(room);
        messages.EncodeRefresh(ref writer, count);
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }

    private static (int Bytes, int Fields, int Text) Describe(int bytes, int fields, ulong stamp)
    {
        SizedMessages messages = new(bytes, fields);
        byte[] room = new byte[messages.MaxUpdateBytes];
        int count = 0x8000;
        int length = messages.Encode(room, 6, ref count, stamp);
        Assert.True(UpdateHeader.TryRead(room.AsSpan(0, length), out UpdateHeader header));
        FieldListDecoder decoder = new(FieldDictionary.Default.Types, StampFields.First, StampFields.Count);
        Assert.Equal(DecodeResult.Success, decoder.Decode(header.Message, header.PayloadStart));
        Assert.Equal((stamp, 0L), (decoder.Kept(StampFields.UpdateIndex), decoder.UnknownFields));
        int text = 0, entries = 0;
        FieldListReader.TryOpen(header.Payload, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            text = FieldDictionary.Default.Types.TypeOf(entry.FieldId) == DataType.RmtesString ? entry.Content.Length : text;
            entries++;
        }

        return (length, entries, text);
    }

    private static long ReadCount(ReadOnlySpan<byte> list)
    {
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(list, out FieldListReader reader));
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out FieldEntry entry));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadReal(entry.Content, out RwfReal count));
        return count.Value;
    }

    private static List<short> ReadIds(ReadOnlySpan<byte> list, out int lastLength)
    {
        List<short> ids = [];
        lastLength = -1;
        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(list, out FieldListReader reader));
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            ids.Add(entry.FieldId);
            lastLength = entry.Content.Length;
        }

        return ids;
    }
}
