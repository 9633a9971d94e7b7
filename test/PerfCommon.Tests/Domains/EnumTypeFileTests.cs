using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class EnumTypeFileTests
{
    [Fact]
    public void Read_TwoTables_GivesFieldsValuesAndTexts()
    {
        FieldDictionary dictionary = Read(
            "!tag RT_Version 1.1", "!tag DT_Version 2.2", "A 4", "B -5", " 7 \"  x\" some meaning", "2 #DE42#", "! note", "C 6", "0 \"\"");

        Assert.True(dictionary.TryFindEnumTable(-5, out EnumTable? table));
        Assert.Equal([4, -5], table.Fids.Select(fid => (int)fid));
        Assert.Equal(["2:DE42:", "7:202078:some meaning"], table.Values.Select(Show));
        Assert.True(dictionary.TryFindEnumTable(6, out EnumTable? other));
        Assert.True(other.TryFind(0, out EnumValue? empty));
        Assert.Equal(0, empty.Display.Length);
        Assert.False(other.TryFind(1, out _));
        Assert.Equal(("1.1", "2.2"), (dictionary.Version.RecordTemplates, dictionary.Version.DisplayTemplates));
    }

    [Theory]
    [InlineData("1 \"x\"", "value 1 precedes any field")]
    [InlineData("A 4|1 \"x\"|1 \"y\"", "value 1 occurs twice in one table")]
    [InlineData("A 4|65536 \"x\"", "value 65536 is not in 0 to 65535")]
    [InlineData("A 4|99999999999 \"x\"", "value 99999999999 is not in 0 to 65535")]
    [InlineData("A 4|1 x", "a display text in double quotes or between # signs was expected")]
    [InlineData("A 4|1 \"x", "a display text in double quotes or between # signs was expected")]
    [InlineData("A 4|1 #DE4#", "#DE4# is not an even number of hexadecimal digits")]
    [InlineData("A 4|1 #DG#", "#DG# is not an even number of hexadecimal digits")]
    [InlineData("A 4|1 \"x\"|B 4", "field 4 has two enum tables")]
    [InlineData("A 4|A 4", "field 4 has two enum tables")]
    [InlineData("A 0", "field id 0 is reserved")]
    [InlineData("A", "field id expected, found \"\"")]
    [InlineData("A 4", "field 4 is named without values")]
    [InlineData("! only this", "the file has no enum table")]
    [InlineData("!tag Type 1", "tag Type is 1, expected 2")]
    public void Read_BrokenLine_NamesFileAndLine(string text, string problem)
    {
        string[] lines = text.Split('|');
        SetupException failure = Assert.Throws<SetupException>(() => Read(lines));

        Assert.Equal($"enums.txt({lines.Length}): {problem}", failure.Message);
        Assert.Equal(SetupProblem.InputFile, failure.Problem);
    }

    [Theory]
    [InlineData("OTHER 1", "enums.txt(1): field 1 is \"OTHER\" here and \"FIRST\" in the field dictionary fields.txt")]
    [InlineData("FIRST 2", "enums.txt(1): \"FIRST\" is field 2 here and 1 in the field dictionary fields.txt")]
    public void Build_OtherNameThanFieldFile_IsAnError(string reference, string problem)
    {
        FieldDictionaryBuilder builder = new();
        ReadInto(builder, reference, "0 \"x\"");
        ReadField(builder);

        Assert.Equal(problem, Assert.Throws<SetupException>(builder.Build).Message);
    }

    [Fact]
    public void Add_ToAnEmptyBuilder_KeepsTheVersionAndTheNameOfTheFile()
    {
        FieldDictionaryBuilder first = new() { Version = new() { DictionaryId = 3 }, FieldsName = "fields.txt" }, second = new();
        ReadField(first);
        second.Add(first.Build());
        Assert.Equal((3, "fields.txt", 1), (second.Version.DictionaryId, second.FieldsName, second.DefinitionCount));
    }

    [Fact]
    public void Build_TableOfUnknownField_IsKept()
    {
        FieldDictionaryBuilder builder = new();
        ReadField(builder);
        ReadInto(builder, "UNKNOWN 99", "0 \"x\"");

        FieldDictionary dictionary = builder.Build();

        Assert.Single(dictionary.EnumTables);
        Assert.False(dictionary.TryFind(99, out _));
    }

    [Fact]
    public void Read_DictionaryIdOfOtherFile_IsAnError()
    {
        FieldDictionaryBuilder builder = new() { Version = new() { DictionaryId = 3 } };

        Assert.Throws<SetupException>(() => ReadInto(builder, "!tag DictionaryId 4"));
    }

    private static string Show(EnumValue row) => $"{row.Value}:{Convert.ToHexString(row.Display.Span)}:{row.Meaning}";

    private static FieldDictionary Read(params string[] lines)
    {
        FieldDictionaryBuilder builder = new();
        ReadInto(builder, lines);
        return builder.Build();
    }

    private static void ReadInto(FieldDictionaryBuilder builder, params string[] lines)
    {
        using StringReader text = new(string.Join('\n', lines));
        new EnumTypeFile(builder).Read(text, "enums.txt");
    }

    private static void ReadField(FieldDictionaryBuilder builder)
    {
        using StringReader text = new("FIRST \"first\" 1 NULL ENUMERATED 2 ( 1 ) ENUM 1");
        new FieldDictionaryFile(builder).Read(text, "fields.txt");
    }
}
