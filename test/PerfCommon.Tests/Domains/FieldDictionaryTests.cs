using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class FieldDictionaryTests
{
    private const string Fields = "BID \"n\" 22 NULL PRICE 17 REAL 7\nRDN_EXCHID \"n\" 4 NULL ENUMERATED 3 ( 3 ) ENUM 1\n";
    private const string Enums = "RDN_EXCHID 4\n0 \"   \" none\n2 \"NYS\" New York\n";

    private static readonly string Shipped = Path.Combine(AppContext.BaseDirectory, "etc");

    [Fact]
    public void Default_Always_IsTheShippedFiles()
    {
        FieldDictionary files = FieldDictionary.Load(Path.Combine(Shipped, "RDMFieldDictionary"), Path.Combine(Shipped, "enumtype.def"));

        Assert.Equal(files.Definitions, FieldDictionary.Default.Definitions);
        Assert.Equal(files.EnumTables.SelectMany(table => table.Fids), FieldDictionary.Default.EnumTables.SelectMany(table => table.Fids));
        Assert.Same(FieldDictionary.Default, FieldDictionary.Default);
    }

    [Fact]
    public void Load_Streams_StayOpen()
    {
        using MemoryStream fields = Text(Fields), enums = Text(Enums);

        FieldDictionary dictionary = FieldDictionary.Load(fields, "mine", enums, "my enums");

        Assert.Equal(DataType.Real, dictionary.TypeOf(22));
        Assert.True(dictionary.TryFindEnumTable(4, out EnumTable? table) && table.TryFind(2, out _));
        Assert.True(fields.CanRead && enums.CanRead);
    }

    [Fact]
    public void Load_StreamWithAnError_NamesItAndItsLine()
    {
        using MemoryStream fields = Text(Fields + "BID\n");

        SetupException error = Assert.Throws<SetupException>(() => FieldDictionary.Load(fields, "mine"));

        Assert.StartsWith("mine(3): ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Load_EnumTablesOfAnotherName_NameBothFiles()
    {
        using MemoryStream fields = Text(Fields), enums = Text("!tag Version 1.0\nOTHER 22\n0 \"x\"\n");

        SetupException error = Assert.Throws<SetupException>(() => FieldDictionary.Load(fields, "mine", enums, "my enums"));

        Assert.Equal("my enums(2): field 22 is \"OTHER\" here and \"BID\" in the field dictionary mine", error.Message);
    }

    [Fact]
    public void Load_LineWithoutEnd_IsRefusedByTheFilesName()
    {
        using MemoryStream fields = Text(Fields + new string('x', 100_000));

        SetupException error = Assert.Throws<SetupException>(() => FieldDictionary.Load(fields, "mine"));

        Assert.Equal("mine: cannot be read: line 3 has more than 65536 characters", error.Message);
    }

    [Fact]
    public void Load_FileAbsent_SaysSo() => Assert.Equal(
        SetupProblem.InputFile, Assert.Throws<SetupException>(() => FieldDictionary.Load("no-such-dictionary")).Problem);

    [Fact]
    public void Create_DefinitionsAndTables_AreFound()
    {
        EnumTable table = new([4], [new EnumValue(2, "NYS"u8.ToArray(), "")]);

        FieldDictionary dictionary =
            FieldDictionary.Create([Definition(22, "BID", DataType.Real), Definition(4, "RDN_EXCHID", DataType.Enum)], [table]);

        Assert.Equal([4, 22], dictionary.Definitions.Select(field => (int)field.Fid));
        Assert.True(dictionary.TryFind("BID", out FieldDefinition? bid) && bid.Fid == 22);
        Assert.True(dictionary.TryFindEnumTable(4, out _));
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(5, 5)]
    public void Create_BadOrRepeatedId_IsRefused(short first, short second) => Assert.Throws<ArgumentException>(
        () => FieldDictionary.Create([Definition(first, "A", DataType.Int), Definition(second, "B", DataType.Int)]));

    private static FieldDefinition Definition(short fid, string acronym, DataType type) =>
        new(fid, acronym, "", 0, FieldType.None, 0, 0, type, 0);

    private static MemoryStream Text(string text) => new(Encoding.Latin1.GetBytes(text));
}
