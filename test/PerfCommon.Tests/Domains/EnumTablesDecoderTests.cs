using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class EnumTablesDecoderTests
{
    [Fact]
    public void Decoder_StandardElementsInOtherOrderWithAliases_AreTaken()
    {
        byte[] row = Wire.Elements(WriteTableByAliases);
        byte[] room = new byte[1024];
        RwfWriter writer = new(room);
        writer.BeginSeries(DataType.ElementList);
        writer.BeginSeriesEntry();
        writer.WriteContent(row);
        writer.EndSeries();
        FieldDictionaryBuilder builder = new();

        Assert.Null(new EnumTablesDecoder(builder).FindProblem(room.AsSpan(0, writer.Written)));

        Assert.True(builder.Build().TryFindEnumTable(4, out EnumTable? table));
        Assert.True(table.TryFind(7, out EnumValue? value));
        Assert.Equal("seven", Encoding.ASCII.GetString(value.Display.Span));
    }

    private static void WriteTableByAliases(ref RwfWriter writer)
    {
        writer.BeginElement("DISPLAYS"u8, DataType.Array);
        writer.BeginArray(DataType.Utf8String);
        writer.WriteItem("seven"u8);
        writer.EndArray();
        writer.EndEntry();
        writer.WriteUIntElement("Unknown"u8, 5);
        writer.BeginElement("VALUES"u8, DataType.Array);
        writer.BeginArray(DataType.Enum);
        writer.BeginItem();
        writer.WriteUInt(7);
        writer.EndArray();
        writer.EndEntry();
        writer.BeginElement("FID"u8, DataType.Array);
        writer.BeginArray(DataType.Int);
        writer.BeginItem();
        writer.WriteInt(4);
        writer.EndArray();
        writer.EndEntry();
    }
}
