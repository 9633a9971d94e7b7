using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class FieldListBuilderTests
{
    private static readonly RwfDate Date = new(20, 11, 2026);
    private static readonly RwfTime Time = new(14, 3, 59, 7, 8, 9);

    /// <summary>Cases by name: a value as added, and as the template returns it.</summary>
    public static TheoryData<string, object?, object?> Values => new()
    {
        { "PROD_PERM", 6120, 6120UL },
        { "PROD_PERM", ulong.MaxValue, ulong.MaxValue },
        { "A_INT", (sbyte)-7, -7L },
        { "A_INT", long.MinValue, long.MinValue },
        { "A_ENUM", 217, (ushort)217 },
        { "BID", 104.25m, new RwfReal(10425, RealHint.Exponent0 - 2) },
        { "BID", 1_234_567_890_123_456.78m, new RwfReal(123_456_789_012_345_678, RealHint.Exponent0 - 2) },
        { "BID", -0.00000000000001m, new RwfReal(-1, RealHint.ExponentMinus14) },
        { "BID", 300, new RwfReal(300, RealHint.Exponent0) },
        { "BID", new RwfReal(3, RealHint.Fraction1 + 3), new RwfReal(3, RealHint.Fraction1 + 3) },
        { "A_FLOAT", 1.5f, 1.5f },
        { "A_DOUBLE", -2.25, -2.25 },
        { "A_DATE", Date, Date },
        { "A_TIME", Time, Time },
        { "A_MOMENT", new RwfDateTime(Date, Time), new RwfDateTime(Date, Time) },
        { "A_QOS", RwfQos.RealTimeTickByTick, RwfQos.RealTimeTickByTick },
        { "A_STATE", (StreamState.Open, DataState.Ok, StateCode.None, "fine"), (StreamState.Open, DataState.Ok, StateCode.None, "fine") },
        { "A_RMTES", "ABC", "ABC" },
        { "A_UTF8", "Ä", "Ä" },
        { "A_BUFFER", new byte[] { 1, 2 }, new byte[] { 1, 2 } },
        { "A_LIST", "AB", "AB"u8.ToArray() },
        { "BID", null, null },
        { "A_ASCII", "", null },
    };

    public static TheoryData<string, object> WrongValues => new()
    {
        { "PROD_PERM", -1 },
        { "PROD_PERM", 1.5m },
        { "A_INT", ulong.MaxValue },
        { "A_ENUM", 65_536 },
        { "A_ENUM", "ABC" },
        { "BID", 104.25 },
        { "BID", 0.000000000000001m },
        { "BID", 100_000_000_000_000_000_000m },
        { "BID", 9_223_372_036_854_775_808m },
        { "BID", 18_446_744_073_709_551_617m }, // 1 without its highest word
        { "A_FLOAT", 1.5 },
        { "A_DATE", Time },
        { "A_RMTES", 5 },
        { "A_QOS", default(RwfQos) },
        { "A_STATE", (StreamState.Unspecified, DataState.Ok, StateCode.None, "") },
        { "A_RMTES", new string('x', 65_536) },
    };

    [Theory]
    [MemberData(nameof(Values), DisableDiscoveryEnumeration = true)]
    public void Add_ValueOfTheType_IsShownByTheTemplate(string acronym, object? value, object? shown)
    {
        TemplateField field = Assert.Single(new FieldListBuilder(MessageFile.Dictionary).Add(acronym, value).Build().Fields);

        Assert.True(MessageFile.Dictionary.TryFind(acronym, out FieldDefinition? definition));
        Assert.Equal((definition.Fid, definition.DataType), (field.FieldId, field.Type));
        Assert.Equal(shown, field.Value);
    }

    [Theory]
    [MemberData(nameof(WrongValues), DisableDiscoveryEnumeration = true)]
    public void Add_OtherValue_IsRefused(string acronym, object value) =>
        Assert.Throws<ArgumentException>(() => new FieldListBuilder(MessageFile.Dictionary).Add(acronym, value));

    [Fact]
    public void Add_ValueOfAnotherType_SaysBoth() => Assert.StartsWith(
        "field 22 (BID) is Real: String ABC is no value of it",
        Assert.Throws<ArgumentException>(() => new FieldListBuilder(MessageFile.Dictionary).Add("BID", "ABC")).Message,
        StringComparison.Ordinal);

    [Fact]
    public void Add_UnknownOrReservedField_IsRefused()
    {
        FieldListBuilder list = new(MessageFile.Dictionary);

        Assert.Throws<ArgumentException>(() => list.Add("NOT_THERE", 1));
        Assert.Throws<ArgumentException>(() => list.Add(500, 1));
        Assert.Throws<ArgumentException>(() => list.Add(StampFields.Update, 1));
        Assert.Equal(0, list.Count);
    }

    [Fact]
    public void Build_FieldsAddedInCode_EqualThoseOfAFile()
    {
        FieldListTemplate made = new FieldListBuilder(MessageFile.Dictionary).Add("BID", 104.5m).Add(3, "ABC").Add("A_DATE", null).Build();
        FieldListTemplate read = MessageDataTests.Load(MessageFile.Of(updates:
            [MessageFile.Bid("104.5")
                + """<fieldEntry fieldId="3" dataType="RSSL_DT_RMTES_STRING" data="ABC"/><fieldEntry fieldId="16" dataType="RSSL_DT_DATE" data=""/>"""])).Updates[0];

        Assert.Equal(EncodedFields.Encode(read), EncodedFields.Encode(made));
        Assert.Equal(read.Fields, made.Fields);
        Assert.Equal((read.EstimatedBytes, read.EncodedBytes), (made.EstimatedBytes, made.EncodedBytes));
    }

    [Fact]
    public void Fields_ShippedMessages_MakeTheSameTemplateAgain()
    {
        FieldListTemplate shipped = MessageData.Default(FieldDictionary.Default).Refresh;
        FieldListBuilder copy = new(FieldDictionary.Default);
        foreach (TemplateField field in shipped.Fields)
            copy.Add(field.FieldId, field.Value);

        Assert.Equal(shipped.FieldCount, shipped.Fields.Count);
        Assert.Equal(EncodedFields.Encode(shipped), EncodedFields.Encode(copy.Build()));
    }
}
