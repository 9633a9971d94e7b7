using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Messages of market by order: read from a file, encoded, decoded again.</summary>
public class OrderBookDataTests
{
    private const string Order =
        """<mapEntry key="A1" action="ADD"><fieldList><fieldEntry fieldId="22" dataType="RSSL_DT_REAL" data="104.25"/></fieldList></mapEntry>""";

    [Fact]
    public void Load_OurOwn_HasWhatItAnnouncesBesideThePricesOfMsgData()
    {
        MessageData data = MessageData.Load(Path.Combine(AppContext.BaseDirectory, "Common", "MarketByOrder.xml"), FieldDictionary.Default);
        MessageList<FieldMapTemplate> books = data.OrderBooks!;

        Assert.Equal((6, 2, 1, 1), (books.Refresh.EntryCount, books.Updates.Count, books.Posts.Count, books.Generics.Count));
        Assert.Equal(70, data.Refresh.FieldCount);
        Assert.Empty(data.Warnings);
        Assert.Contains(data.ProviderSizes(), size => size.Label == "MarketByOrder UpdateMsg 2");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(ulong.MaxValue)]
    public void Encode_AllActions_ReadsBackAsItWasWritten(ulong stamp)
    {
        FieldMapTemplate map = Load(Order + """<mapEntry key="A2" action="DELETE"/>"""
            + Order.Replace("ADD", "UPDATE", StringComparison.Ordinal)).OrderBooks!.Refresh;
        byte[] room = new byte[map.MaxBytes];
        int bytes = map.Encode(room, StampFields.Update, stamp);
        Assert.Equal(DecodeResult.Success, MapReader.TryOpen(room.AsSpan(0, bytes), out MapReader reader));

        Assert.Equal((DataType.Buffer, DataType.FieldList), (reader.KeyType, reader.Shared.ContainerType));
        Assert.Equal(stamp == 0, reader.Shared.Summary.IsEmpty);
        Assert.Equal(["Add A1 9", "Delete A2 0", "Update A1 9"], Entries(reader));
        Assert.True(stamp != 0 || bytes == map.EncodedBytes);
    }

    [Theory]
    [InlineData("""<mapEntry action="ADD"><fieldList/></mapEntry>""", "mapEntry has no attribute key")]
    [InlineData("""<mapEntry key="" action="ADD"><fieldList/></mapEntry>""", "key \"\" must be 1 to 255 bytes")]
    [InlineData("""<mapEntry key="A"><fieldList/></mapEntry>""", "mapEntry has no attribute action")]
    [InlineData("""<mapEntry key="A" action="PUT"><fieldList/></mapEntry>""", "action \"PUT\" is not known, expected ADD, UPDATE or DELETE")]
    [InlineData("""<mapEntry key="A" action="ADD"/>""", "<mapEntry> has no <fieldList>")]
    [InlineData("""<mapEntry key="A" action="DELETE"><fieldList/></mapEntry>""", "<mapEntry> has action DELETE and a <fieldList>, expected none")]
    [InlineData("""<mapEntry key="A" action="ADD"><fieldList/><fieldList/></mapEntry>""", "a second <fieldList> in this <mapEntry>, expected one")]
    public void Load_WrongEntry_NamesWhatIsWrong(string entry, string problem) =>
        Assert.EndsWith(problem, Assert.Throws<SetupException>(() => Load(entry)).Message);

    [Fact]
    public void Load_NoMap_NamesTheMessage() => Assert.EndsWith(
        "<refreshMsg> has no <map>",
        Assert.Throws<SetupException>(() =>
            Read("<marketByOrderMsgList><refreshMsg><dataBody/></refreshMsg></marketByOrderMsgList>")).Message);

    [Fact]
    public void RequireOrderBooks_ItemsWithoutMessages_NamesWhatIsMissing()
    {
        MessageData prices = MessageData.Default(FieldDictionary.Default);
        ItemList items = ItemList.Create(["A"], ItemFlags.MarketByOrder | ItemFlags.Post);

        Assert.Contains("has no <postMsg> in <marketByOrderMsgList>",
            Assert.Throws<SetupException>(() => prices.RequireOrderBooks(items, posting: true)).Message);
        Assert.Contains("has no <marketByOrderMsgList>", Assert.Throws<SetupException>(() => prices.RequireOrderBooksOf(items)).Message);
        prices.RequireOrderBooks(items, generics: true); // no item is marked for them
        prices.RequireOrderBooksOf(ItemList.Create(["A"]));
    }

    private static List<string> Entries(MapReader reader)
    {
        List<string> entries = [];
        while (reader.TryReadNext(out MapEntry entry) == DecodeResult.Success)
            entries.Add($"{entry.Action} {Encoding.ASCII.GetString(entry.Key)} {entry.Content.Length}");
        return entries;
    }

    private static MessageData Load(string entries)
    {
        string message = $"<dataBody><map>{entries}</map></dataBody>";
        return Read($"<marketByOrderMsgList><refreshMsg>{message}</refreshMsg><updateMsg>{message}</updateMsg></marketByOrderMsgList>");
    }

    private static MessageData Read(string list)
    {
        using MemoryStream stream = new(Encoding.UTF8.GetBytes($"<msgFormat>{list}</msgFormat>"));
        return MessageData.Load(stream, "test.xml", FieldDictionary.Default);
    }
}
