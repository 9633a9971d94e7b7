using System.Globalization;
using System.Text.RegularExpressions;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Our own MsgData.xml with our own dictionary.</summary>
public partial class ShippedMessagesTests
{
    private static readonly string File = Path.Combine(AppContext.BaseDirectory, "Common", "MsgData.xml");
    private static readonly FieldDictionary Dictionary = ReadDictionary();
    private static readonly MessageData Data = MessageData.Load(File, Dictionary);

    [Fact]
    public void Load_ShippedFile_HasTheGuidesMessages()
    {
        Assert.Empty(Data.Warnings);
        Assert.Equal(70, Data.Refresh.FieldCount);
        Assert.All([.. Data.Updates, .. Data.Posts, .. Data.Generics], message => Assert.Equal(23, message.FieldCount));
        Assert.Equal((2, 2, 2), (Data.Updates.Count, Data.Posts.Count, Data.Generics.Count));
    }

    [Fact]
    public void ProviderSizes_ShippedFile_AreLikeTheGuides()
    {
        Assert.Equal([413, 141, 153], Data.ProviderSizes().Select(size => size.EncodedBytes));
        Assert.Equal([868, 320, 347], Data.ProviderSizes().Select(size => size.EstimatedBytes));
    }

    [Fact]
    public void ConsumerSizes_ShippedFile_AreLikeTheGuides()
    {
        Assert.Equal([181, 181, 153, 153], Data.ConsumerSizes(posting: true, generics: true).Select(size => size.EncodedBytes));
        Assert.Equal(2, Data.ConsumerSizes(posting: false, generics: true).Count);
        Assert.Empty(Data.ConsumerSizes(posting: false, generics: false));
    }

    [Fact]
    public void WriteBlock_ProviderSizes_HasTheGuidesLabels()
    {
        StringWriter text = new();
        MessageSize.WriteBlock(text, Data.ProviderSizes().Take(2).ToList());
        Assert.Equal(
            "Approximate message sizes:\n"
            + "  MarketPrice RefreshMsg (without name):\n"
            + "         estimated length: 868 bytes\n"
            + "    approx encoded length: 413 bytes\n"
            + "  MarketPrice UpdateMsg 1:\n"
            + "         estimated length: 320 bytes\n"
            + "    approx encoded length: 141 bytes\n",
            text.ToString());
    }

    [Fact]
    public void ShippedFile_FieldTypes_AreAllTypesOfTheDictionary()
    {
        HashSet<DataType> used = [];
        foreach (FieldListTemplate message in All())
            used.UnionWith(EncodedFields.Split(EncodedFields.Encode(message)).Select(entry => Dictionary.TypeOf(entry.Id)));

        Assert.Equal(Dictionary.Definitions.Select(definition => definition.DataType).Distinct().Order(), used.Order());
    }

    [Fact]
    public void ShippedFile_EveryEntry_StandsOnALineOfItsOwn()
    {
        string[] lines = System.IO.File.ReadAllLines(File);
        int entries = lines.Count(line => line.Contains("<fieldEntry", StringComparison.Ordinal));
        Assert.Equal(70 + (6 * 23), entries);
        Assert.Equal(entries, lines.Count(line => EntryLine().IsMatch(line)));
    }

    // Compares templates with the file itself; both are read a second time by other means.
    [Fact]
    public void EncodeList_ShippedFile_HasTheFieldsOfTheFileInOrder()
    {
        List<string> ids = [.. EntryLine().Matches(System.IO.File.ReadAllText(File)).Select(match => match.Groups["id"].Value)];
        List<string> encoded = [.. All().SelectMany(message => EncodedFields.Split(EncodedFields.Encode(message)))
            .Select(entry => entry.Id.ToString(CultureInfo.InvariantCulture))];
        Assert.Equal(ids, encoded);
    }

    private static IEnumerable<FieldListTemplate> All() => [Data.Refresh, .. Data.Updates, .. Data.Posts, .. Data.Generics];

    private static FieldDictionary ReadDictionary()
    {
        FieldDictionaryBuilder builder = new();
        new FieldDictionaryFile(builder).Read(Path.Combine(AppContext.BaseDirectory, "etc", "RDMFieldDictionary"));
        return builder.Build();
    }

    [GeneratedRegex("""(?m)^ *<fieldEntry fieldId="(?<id>-?\d+)" dataType="RSSL_DT_[A-Z_0-9]+" data="[^"]*"/>\r?$""")]
    private static partial Regex EntryLine();
}
