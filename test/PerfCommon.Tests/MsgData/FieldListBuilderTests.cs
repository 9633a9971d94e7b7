using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class FieldListBuilderTests
{
    private static readonly RwfDate Date = new(20, 11, 2026);
    private static readonly RwfTime Time = new(14, 3, 59, 7, 8, 9);

    /// <summary>By name: a value as it is added, and as it stands in the list.</summary>
    public static TheoryData<string, object?, string> Values => new()
    {
        { "PROD_PERM", 6120, "17e8" },
        { "PROD_PERM", ulong.MaxValue, "ffffffffffffffff" },
        { "A_INT", (sbyte)-7, "f9" },
        { "A_INT", long.MinValue, "8000000000000000" },
        { "A_ENUM", 217, "d9" },
        { "BID", 104.25m, "0c28b9" },
        { "BID", -0.00000000000001m, "00ff" },
        { "BID", 300, "0e012c" },
        { "BID", new RwfReal(3, RealHint.Fraction8), "1903" },
        { "A_FLOAT", 1.5f, "3fc00000" },
        { "A_DOUBLE", -2.25, "c002000000000000" },
        { "A_DATE", Date, "140b07ea" },
        { "A_TIME", Time, "0e033b0007000809" },
        { "A_MOMENT", new RwfDateTime(Date, Time), "140b07ea" + "0e033b0007000809" },
        { "A_QOS", RwfQos.RealTimeTickByTick, "22" },
        { "A_STATE", (StreamState.Open, DataState.Ok, StateCode.None, "fine"), "0900" + "04" + "66696e65" },
        { "A_RMTES", "ABC", "414243" },
        { "A_UTF8", "Ä", "c384" },
        { "A_BUFFER", new byte[] { 1, 2 }, "0102" },
        { "A_LIST", "AB", "4142" },
        { "BID", null, "" },
        { "A_ASCII", "", "" },
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
        { "A_FLOAT", 1.5 },
        { "A_DATE", Time },
        { "A_RMTES", 5 },
        { "A_QOS", default(RwfQos) },
        { "A_STATE", (StreamState.Unspecified, DataState.Ok, StateCode.None, "") },
        { "A_RMTES", new string('x', 65_536) },
    };

    [Theory]
    [MemberData(nameof(Values), DisableDiscoveryEnumeration = true)]
    public void Add_ValueOfTheType_IsEncoded(string acronym, object? value, string hex)
    {
        FieldListTemplate list = new FieldListBuilder(MessageFile.Dictionary).Add(acronym, value).Build();

        Assert.True(MessageFile.Dictionary.TryFind(acronym, out FieldDefinition? definition));
        Assert.Equal((definition.Fid, hex), Assert.Single(EncodedFields.Split(EncodedFields.Encode(list))));
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
        Assert.Throws<ArgumentException>(() => list.Add("TIM_TRK_1", 1));
        Assert.Equal(0, list.Count);
    }

    [Fact]
    public void Build_FieldsAddedInCode_EqualThoseOfAFile()
    {
        FieldListTemplate made = new FieldListBuilder(MessageFile.Dictionary).Add("BID", 104.5m).Add("A_RMTES", "ABC").Add("A_DATE", null).Build();
        FieldListTemplate read = MessageDataTests.Load(MessageFile.Of(updates:
            [MessageFile.Bid("104.5") + """<fieldEntry fieldId="3" dataType="RSSL_DT_RMTES_STRING" data="ABC"/><fieldEntry fieldId="16" dataType="RSSL_DT_DATE" data=""/>"""])).Updates[0];

        Assert.Equal(EncodedFields.Encode(read), EncodedFields.Encode(made));
        Assert.Equal((read.EstimatedBytes, read.EncodedBytes), (made.EstimatedBytes, made.EncodedBytes));
    }
}
