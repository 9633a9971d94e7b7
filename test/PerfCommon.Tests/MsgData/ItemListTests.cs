using System.Text;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class ItemListTests
{
    private const string Shipped = "Common/350k.xml";

    [Fact]
    public void Load_EveryAttribute_BecomesNameAndFlags()
    {
        ItemList items = Load(
            """
            <?xml version="1.0"?>
            <!-- comment -->
            <itemList>
              <item domain="MarketPrice" name="A" post="true" genMsg="true"/>
              <item domain="MarketPrice" name="ÄB" generic="true"><!-- nothing --></item>
              <item domain="MarketPrice" name="C" post="false" snapshot="true"></item>
            </itemList>
            """,
            count: 3);

        Assert.Equal(3, items.Count);
        Assert.Equal("A,ÄB,C", string.Join(',', Enumerable.Range(0, 3).Select(i => Encoding.UTF8.GetString(items.NameOf(i)))));
        Assert.Equal(ItemFlags.Post | ItemFlags.GenMsg, items.FlagsOf(0));
        Assert.Equal(ItemFlags.GenMsg, items.FlagsOf(1));
        Assert.Equal(ItemFlags.Snapshot, items.FlagsOf(2));
        Assert.Equal(1, items.PostCount);
        Assert.Equal(2, items.GenMsgCount);
    }

    [Fact]
    public void Load_EnoughItems_DoesNotLookAtTheRest()
    {
        ItemList items = Load("""<itemList><item domain="MarketPrice" name="A"/><broken""", count: 1);
        Assert.Equal(1, items.Count);
    }

    [Theory]
    [InlineData("""<item name="A"/>""", "item 1: has no domain")]
    [InlineData("""<item domain="MarketPrice"/>""", "item 1: has no name")]
    [InlineData("""<item domain="MarketPrice" name=""/>""", "item 1: name \"\" must be 1 to 255 bytes")]
    [InlineData("""<item domain="Market" name="A"/>""", "item 1: unknown domain \"Market\", expected MarketPrice or MarketByOrder")]
    [InlineData("""<item domain="MarketByPrice" name="A"/>""",
        "item 1: domain MarketByPrice is not available in this version, only MarketPrice and MarketByOrder")]
    [InlineData("""<item domain="MarketByOrder" name="A" genMsg="true" snapshot="true"/>""", "item 1: is a snapshot, so it cannot have generic")]
    [InlineData("""<item domain="MarketPrice" name="A" post="1"/>""", "item 1: post is \"1\", expected true or false")]
    [InlineData("""<item domain="MarketPrice" name="A" post="true" snapshot="true"/>""", "item 1: is a snapshot, so it cannot have post")]
    [InlineData("""<item domain="MarketPrice" name="A" generic="true" snapshot="true"/>""", "item 1: is a snapshot, so it cannot have generic")]
    [InlineData("""<item domain="MarketPrice" name="A" generic="true" genMsg="true"/>""",
        "item 1: generic and genMsg are two names of one attribute, give one of them")]
    [InlineData("""<item domain="MarketPrice" name="A" color="red"/>""", "item 1: unknown attribute color")]
    [InlineData("""<thing/>""", "item 1: unknown element <thing>, expected <item>")]
    [InlineData("""<item domain="MarketPrice" name="A"><b/></item>""", "item 1: unknown element <b> inside <item>")]
    [InlineData("""<item domain="MarketPrice" name="A"/>""", "found 1 items, 2 are needed")]
    public void Load_WrongItem_NamesLineAndItem(string item, string problem)
    {
        SetupException error = Refused($"<itemList>\n{item}\n</itemList>", count: 2);
        Assert.Contains(problem, error.Message);
        Assert.Matches(@"\.xml\([23]\): ", error.Message);
    }

    [Theory]
    [InlineData("""<itemList><item domain="MarketPrice" name="A"/><item name="B" name="C"/></itemList>""", "(1): item 2: ")]
    [InlineData("<itemList>\n<item domain=\"MarketPrice\"", "(2): item 1: ")]
    [InlineData("", ": the file is empty")]
    [InlineData("<msgFormat/>", "(1): found <msgFormat>, expected <itemList>")]
    [InlineData("<!DOCTYPE x [<!ENTITY a \"b\">]>\n<itemList/>", "(1): ")]
    public void Load_BrokenXml_NamesLine(string text, string problem) =>
        Assert.Contains(problem, Refused(text, count: 2).Message);

    [Theory]
    [InlineData(2, 1, 2)]
    [InlineData(5_000, 1, 5_000)]
    [InlineData(5_000, 4_998, 4_999)]
    public void Load_NameOfAnEarlierItem_NamesBoth(int count, int first, int second)
    {
        IEnumerable<string> lines = Enumerable.Range(1, count)
            .Select(item => $"<item domain=\"MarketPrice\" name=\"RDT{(item == second ? first : item)}\"/>");
        string text = $"<itemList>\n{string.Join('\n', lines)}\n</itemList>";
        Assert.EndsWith($"({second + 1}): item {second}: name \"RDT{first}\" is that of item {first} as well", Refused(text, count).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Load_LongestName_IsKept()
    {
        string name = new('x', ItemList.MaxNameBytes);
        ItemList items = Load($"""<itemList><item domain="MarketPrice" name="{name}"/></itemList>""", count: 1);
        Assert.Equal(ItemList.MaxNameBytes, items.NameOf(0).Length);
        Refused($"""<itemList><item domain="MarketPrice" name="{name}x"/></itemList>""", count: 1);
    }

    [Fact]
    public void Load_FileAbsent_SaysSo()
    {
        SetupException error = Assert.Throws<SetupException>(() => ItemList.Load("no-such-list.xml", 1));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.StartsWith("no-such-list.xml: unable to find it", error.Message);
    }

    [Fact]
    public void Load_ShippedList_IsRegular()
    {
        ItemList items = ItemList.Load(Path.Combine(AppContext.BaseDirectory, Shipped), 350_000);
        Assert.Equal(350_000, items.Count);
        Assert.Equal(200, items.PostCount);
        Assert.Equal(200, items.GenMsgCount);
        Assert.Equal(ItemFlags.Post | ItemFlags.GenMsg, items.FlagsOf(199));
        Assert.Equal(ItemFlags.None, items.FlagsOf(200));
        Assert.Equal("RDT1"u8, items.NameOf(0));
        Assert.Equal("RDT350000"u8, items.NameOf(349_999));
        Assert.Throws<SetupException>(() => ItemList.Load(Path.Combine(AppContext.BaseDirectory, Shipped), 350_001));
    }

    [Fact]
    public void ShippedList_GenericMessages_AreMarkedAsTheOtherEditionsReadIt()
    {
        string[] lines = File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, Shipped));

        Assert.Equal("""<item domain="MarketPrice" name="RDT1" post="true" generic="true"/>""", lines[2].Trim());
        Assert.Equal(200, lines.Count(line => line.Contains(" generic=\"true\"", StringComparison.Ordinal)));
        Assert.DoesNotContain(lines, line => line.Contains("genMsg", StringComparison.Ordinal));
    }

    [Fact]
    public void Load_Stream_StaysOpenAndIsNamedInErrors()
    {
        using MemoryStream good = new("""<itemList><item domain="MarketPrice" name="A"/></itemList>"""u8.ToArray()), bad = new("<itemList/>"u8.ToArray());

        Assert.Equal("A"u8, ItemList.Load(good, "mine", 1).NameOf(0));
        Assert.True(good.CanRead);
        Assert.StartsWith("mine(1): ", Assert.Throws<SetupException>(() => ItemList.Load(bad, "mine", 1)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Create_Names_AreItemsUsedAlike()
    {
        ItemList items = ItemList.Create(Enumerable.Range(1, 1_000).Select(number => $"RDT{number}"), ItemFlags.Post);

        Assert.Equal((1_000, 1_000, 0), (items.Count, items.PostCount, items.GenMsgCount));
        Assert.Equal("RDT1000"u8, items.NameOf(999));
        Assert.Equal(ItemFlags.Post, items.FlagsOf(999));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(256)]
    public void Create_NameOfBadLength_IsRefused(int length) =>
        Assert.Throws<ArgumentException>(() => ItemList.Create([new string('x', length)]));

    /// <summary>Characters of a prefix may have several bytes each.</summary>
    [Theory]
    [InlineData("RDT")]
    [InlineData("\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC\u20AC")]
    public void CreateNumbered_AnyPrefix_NamesEachItem(string prefix)
    {
        ItemList items = ItemList.CreateNumbered(prefix, 1_000);
        Assert.Equal(Enumerable.Range(1, 1_000).Select(number => $"{prefix}{number}"),
            Enumerable.Range(0, 1_000).Select(item => Encoding.UTF8.GetString(items.NameOf(item))));
    }

    [Fact]
    public void CreateNumbered_NamesThatAreTooLong_IsRefused()
    {
        string prefix = new('x', ItemList.MaxNameBytes - 3);
        Assert.Equal(ItemList.MaxNameBytes, ItemList.CreateNumbered(prefix, 999).NameOf(998).Length);
        Assert.Throws<ArgumentException>(() => ItemList.CreateNumbered(prefix, 1_000));
        Assert.Equal(0, ItemList.CreateNumbered(prefix + "xxxx", 0).Count);
        Assert.Throws<ArgumentOutOfRangeException>(() => ItemList.CreateNumbered("RDT", -1));
    }

    private static ItemList Load(string text, int count)
    {
        using TemporaryFile file = new(text);
        return ItemList.Load(file.Path, count);
    }

    private static SetupException Refused(string text, int count)
    {
        using TemporaryFile file = new(text);
        SetupException error = Assert.Throws<SetupException>(() => ItemList.Load(file.Path, count));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.StartsWith(file.Path, error.Message);
        return error;
    }
}
