using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public sealed class RwfWriterTests
{
    [Fact]
    public void WriteContent_WithoutAnOpenEntry_IsMisuse() =>
        Assert.Throws<InvalidOperationException>(() => new RwfWriter(new byte[100]).WriteContent([1]));

    [Fact]
    public void EndFieldList_WhileAnElementListIsOpen_IsMisuse() =>
        Assert.Throws<InvalidOperationException>(() =>
        {
            RwfWriter writer = new(new byte[100]);
            writer.BeginElementList();
            writer.EndFieldList();
        });

    [Fact]
    public void EndEntry_PayloadTooLong_FailsAndWritesNothing()
    {
        RwfWriter writer = new(new byte[200_000]);
        writer.BeginSeries(DataType.FieldList);
        writer.BeginSeriesEntry();
        writer.BeginFieldList();
        writer.BeginField(1);
        writer.WriteContent(new byte[ushort.MaxValue]);
        writer.EndFieldList();

        Assert.False(writer.EndEntry());
        Assert.Equal(EncodeProblem.TooLong, writer.Problem);
        Assert.Equal(0, writer.Written);
        Assert.False(writer.EndSeries());
    }

    [Fact]
    public void BeginFieldList_DeeperThanTheFormatAllows_Fails()
    {
        RwfWriter writer = new(new byte[1_000]);
        for (int i = 0; i < RwfWriter.MaxNesting; i++)
        {
            Assert.True(writer.BeginFieldList());
            Assert.True(writer.BeginField(1));
        }

        writer.BeginFieldList();
        writer.BeginField(1);
        Assert.False(writer.BeginFieldList());
        Assert.Equal(EncodeProblem.TooDeep, writer.Problem);
    }

    [Fact]
    public void TryWriteHeader_StateWithoutStreamState_IsRefused()
    {
        RwfWriter writer = new(new byte[100]);

        Assert.False(writer.TryWriteHeader(new RwfMsg { MsgClass = MsgClass.Refresh }));
        Assert.Equal(EncodeProblem.InvalidValue, writer.Problem);
    }

    [Fact]
    public void WriteStateField_LongText_HasALengthEveryDecoderReads()
    {
        byte[] room = new byte[1_000];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        writer.BeginField(1);
        writer.WriteState(new RwfState(StreamState.Open, DataState.Ok, StateCode.None, new byte[300]));
        writer.EndFieldList();

        FieldListReader.TryOpen(room.AsSpan(0, writer.Written), out FieldListReader reader);
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out FieldEntry entry));
        Assert.Equal(DecodeResult.Success, RwfPrimitives.TryReadState(entry.Content, out RwfState state));
        Assert.Equal(300, state.Text.Length);
    }

    [Fact]
    public void WriteInt_FixedItemThatIsTooSmall_IsRefused()
    {
        RwfWriter writer = new(new byte[100]);
        writer.BeginArray(DataType.Int, itemLength: 2);
        writer.BeginItem();
        Assert.True(writer.WriteInt(short.MinValue));
        writer.BeginItem();

        Assert.False(writer.WriteInt(short.MaxValue + 1));
        Assert.Equal(EncodeProblem.InvalidValue, writer.Problem);
    }

    [Fact]
    public void WriteItem_TextsOfAFixedLength_AreCutOrFilledWithZeros()
    {
        byte[] room = [.. Enumerable.Repeat((byte)0xEE, 100)]; // what was there before
        RwfWriter writer = new(room);
        writer.BeginArray(DataType.AsciiString, itemLength: 2);
        writer.WriteItem("abc"u8);
        writer.WriteItem("d"u8);
        Assert.True(writer.EndArray());

        Assert.Equal("1102000261626400", Convert.ToHexString(room, 0, writer.Written));
    }

    [Fact]
    public void WriteInt_WithoutAnOpenEntry_IsMisuse() =>
        Assert.Throws<InvalidOperationException>(() =>
        {
            RwfWriter writer = new(new byte[100]);
            writer.BeginFieldList();
            writer.WriteInt(1);
        });

    [Fact]
    public void Real4RB_FixedForms_ReadBack()
    {
        byte[] room = new byte[1_000];
        RwfWriter writer = new(room);
        long[] values = [0, 1, -1, 127, 128, -129, 8_388_608, int.MinValue];
        writer.BeginSeries(DataType.FieldList);
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(0);
        for (short i = 0; i < 2 * values.Length; i++)
            writer.AddSetField(i, i % 2 == 0 ? DataType.Real4RB : DataType.Real8RB);
        writer.EndSetDefinitions();
        writer.BeginSeriesEntry();
        writer.BeginFieldList(ListFlags.HasSetData);
        foreach (long value in values)
        {
            writer.BeginSetItem(DataType.Real4RB);
            writer.WriteReal(new RwfReal(value, RealHint.Exponent0));
            writer.BeginSetItem(DataType.Real8RB);
            writer.WriteReal(new RwfReal(value * 4, RealHint.Fraction1 + 2));
        }

        writer.EndSetData();
        writer.EndFieldList();
        writer.EndEntry();
        Assert.True(writer.EndSeries());

        SeriesReader.TryOpen(room.AsSpan(0, writer.Written), out SeriesReader series);
        series.TryReadNext(out ReadOnlySpan<byte> row);
        FieldListReader.TryOpen(row, series.Shared.SetDefinitions, out FieldListReader list);
        foreach (long value in values)
        {
            list.TryReadNext(out FieldEntry four);
            list.TryReadNext(out FieldEntry eight);
            RwfPrimitives.TryReadReal(four.Content, out RwfReal small);
            RwfPrimitives.TryReadReal(eight.Content, out RwfReal large);
            Assert.Equal(new RwfReal(value, RealHint.Exponent0), small);
            Assert.Equal(new RwfReal(value * 4, RealHint.Fraction1 + 2), large);
        }
    }

    [Fact]
    public void TryReadNext_SetOfAnUnknownDefinition_IsSkippedAndStandardEntriesFollow()
    {
        // flags set data, set id and standard data | set 5 | 2 bytes of set data | 1 entry
        byte[] list = [0x0E, 0x05, 0x02, 0xAA, 0xBB, 0x00, 0x01, 0x00, 0x16, 0x02, 0x0E, 0x01];

        Assert.Equal(DecodeResult.Success, FieldListReader.TryOpen(list, out FieldListReader reader));
        Assert.False(reader.Head.Set.IsDefined);
        Assert.Equal(2, reader.Head.Set.Data.Length);
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out FieldEntry entry));
        Assert.Equal(22, entry.FieldId);
        Assert.Equal(DecodeResult.EndOfContainer, reader.TryReadNext(out _));
    }
}
