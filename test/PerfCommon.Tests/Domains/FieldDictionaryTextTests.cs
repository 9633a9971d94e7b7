using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Values of fields formatted for people.</summary>
public sealed class FieldDictionaryTextTests
{
    private const short Bid = 22;
    private const short NotDefined = 250;

    private static readonly FieldDictionary Dictionary = FieldDictionary.Default;

    [Theory]
    [InlineData("BID", "104.25")]
    [InlineData("BIDSIZE", "300")]
    [InlineData("PROD_PERM", "3056")]
    [InlineData("DSPLY_NAME", "A company")]
    [InlineData("TRADE_DATE", "15 NOV 2005")]
    [InlineData("SALTIM", "15:52:12:000:000:000")]
    [InlineData("CURRENCY", "USD")]
    [InlineData("PRCTCK_1", "1")] // its display is an arrow, which is not ASCII
    [InlineData("ASK", "")]
    [InlineData("TRDXID_1", "")]
    public void TextOf_FieldOfEachType_IsWhatPeopleRead(string acronym, string expected) => Assert.Equal(expected, Texts()[acronym]);

    [Theory]
    [InlineData(NotDefined, "DEAD")]
    [InlineData(Bid, "FF01")] // no such hint
    public void TextOf_NoValueOfATypeWeKnow_IsHexadecimal(short fieldId, string hex)
    {
        byte[] list = [ListFlags.HasStandardData, 0, 1, 0, (byte)fieldId, 2, .. Convert.FromHexString(hex)];
        FieldListReader.TryOpen(list, out FieldListReader reader);
        Assert.Equal(DecodeResult.Success, reader.TryReadNext(out FieldEntry entry));

        Assert.Equal(hex, Dictionary.TextOf(entry));
    }

    private static Dictionary<string, string> Texts()
    {
        FieldListTemplate fields = new FieldListBuilder(Dictionary).Add("BID", 104.25m).Add("BIDSIZE", 300).Add("PROD_PERM", 3056)
            .Add("DSPLY_NAME", "A company").Add("TRADE_DATE", new RwfDate(15, 11, 2005)).Add("SALTIM", new RwfTime(15, 52, 12))
            .Add("CURRENCY", 840).Add("PRCTCK_1", 1).Add("ASK", null).Add("TRDXID_1", null).Build();
        byte[] list = new byte[fields.EncodedBytes];
        RwfWriter writer = new(list);
        Assert.True(fields.EncodeList(ref writer));

        Dictionary<string, string> texts = [];
        FieldListReader.TryOpen(list, out FieldListReader reader);
        while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            texts.Add(Dictionary.TryFind(entry.FieldId, out FieldDefinition? field) ? field.Acronym : "", Dictionary.TextOf(entry));
        return texts;
    }
}
