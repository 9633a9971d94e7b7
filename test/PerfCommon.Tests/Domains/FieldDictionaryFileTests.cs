using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class FieldDictionaryFileTests
{
    [Fact]
    public void Read_NothingInIt_IsCalledEmpty() =>
        Assert.Equal("fields.txt: the file is empty", Assert.Throws<SetupException>(() => Read("")).Message);

    [Fact]
    public void Read_DefinitionWithEnumLength_TakesEveryColumn()
    {
        FieldDictionary dictionary = Read("RDN_EXCHID \"EXCHANGE  ID\"  4   NULL  ENUMERATED  3 ( 2 )  ENUM  1");

        Assert.True(dictionary.TryFind(4, out FieldDefinition? field));
        Assert.Equal(new FieldDefinition(4, "RDN_EXCHID", "EXCHANGE  ID", 0, FieldType.Enumerated, 3, 2, DataType.Enum, 1), field);
    }

    [Theory]
    [InlineData("A \"A\" 1 NULL INTEGER 5(3) ENUM 2")]
    [InlineData("\tA\t\"A\"\t1\tNULL\tINTEGER\t5 (3 )\tENUM\t2  ")]
    [InlineData("A \"A\"1 NULL INTEGER 5 ( 3 )ENUM 2 ! and more")]
    public void Read_OtherSpacing_MeansTheSame(string line) =>
        Assert.Equal(new FieldDefinition(1, "A", "A", 0, FieldType.Integer, 5, 3, DataType.Enum, 2), Read(line).Definitions[0]);

    [Fact]
    public void Read_Ripples_ResolvesForwardAndForgetsUnknown()
    {
        FieldDictionary dictionary = Read("A \"\" 1 B PRICE 17 REAL 7", "B \"\" -2 GONE PRICE 17 REAL64 7");

        Assert.Equal([(-2, 0), (1, -2)], dictionary.Definitions.Select(field => ((int)field.Fid, (int)field.RipplesTo)));
    }

    [Fact]
    public void Read_TagsAndComments_GiveVersion()
    {
        FieldDictionary dictionary = Read("!tag Type 1", "!tag Version  4.2 beta", "!tag DictionaryId 7", "!any", "", "!tag New x",
            OneField);

        Assert.Equal(new DictionaryVersion { DictionaryId = 7, Fields = "4.2 beta" }, dictionary.Version);
    }

    [Fact]
    public void Read_Utf8Mark_IsSkipped() => Assert.Single(Read("\u00EF\u00BB\u00BF!tag Type 1", OneField).Definitions);

    [Theory]
    [InlineData("A A 1 NULL INTEGER 5 UINT 2", "field \"A\" needs its long name in double quotes")]
    [InlineData("A \"A 1 NULL INTEGER 5 UINT 2", "field \"A\" needs its long name in double quotes")]
    [InlineData("A \"A\" x NULL INTEGER 5 UINT 2", "field id expected, found \"x NULL INTEGER 5 UINT 2\"")]
    [InlineData("A \"A\" 0 NULL INTEGER 5 UINT 2", "field id 0 is reserved")]
    [InlineData("A \"A\" 32768 NULL INTEGER 5 UINT 2", "field id 32768 is not in -32768 to 32767")]
    [InlineData("A \"A\" 5", "the field it ripples to, or NULL, is missing")]
    [InlineData("A \"A\" 5 NULL", "field type is missing")]
    [InlineData("A \"A\" 5 NULL INTEGR 5 UINT 2", "\"INTEGR\" is not a field type")]
    [InlineData("A \"A\" 5 NULL INTEGER five UINT 2", "length expected, found \"five UINT 2\"")]
    [InlineData("A \"A\" 5 NULL INTEGER 70000 UINT 2", "length 70000 is not in 0 to 65535")]
    [InlineData("A \"A\" 5 NULL ENUMERATED 3 ( x ) UINT 2", "enum length expected, found \"x ) UINT 2\"")]
    [InlineData("A \"A\" 5 NULL ENUMERATED 3 ( 3 UINT 2", "\")\" expected after the enum length")]
    [InlineData("A \"A\" 5 NULL INTEGER 5", "RWF type is missing")]
    [InlineData("A \"A\" 5 NULL INTEGER 5 UINT65 2", "\"UINT65\" is not an RWF type")]
    [InlineData("A \"A\" 5 NULL INTEGER 5 UINT", "RWF length expected, found \"\"")]
    [InlineData("!tag Type 2", "tag Type is 2, expected 1")]
    [InlineData("!tag Type one", "tag Type needs a whole number, found \"one\"")]
    [InlineData("!tag DictionaryId 9", "tag DictionaryId is 9, but was 7 before")]
    [InlineData("!tag", "a tag needs a name")]
    [InlineData("TWICE \"\" 1 NULL INTEGER 5 UINT 2", "field id 1 is defined twice")]
    public void Read_BrokenLine_NamesFileAndLine(string line, string problem)
    {
        SetupException failure = Assert.Throws<SetupException>(() => Read("!tag DictionaryId 7", OneField, line));

        Assert.Equal(SetupProblem.InputFile, failure.Problem);
        Assert.Equal($"fields.txt(3): {problem}", failure.Message);
    }

    [Fact]
    public void Read_NoField_IsAnError() =>
        Assert.Equal("fields.txt(1): the file defines no field", Assert.Throws<SetupException>(() => Read("!tag Type 1")).Message);

    [Fact]
    public void Read_MissingFile_NamesPath()
    {
        SetupException failure = Assert.Throws<SetupException>(() => new FieldDictionaryFile(new()).Read("nowhere/x"));

        Assert.Equal(SetupProblem.InputFile, failure.Problem);
        Assert.StartsWith("nowhere/x: cannot be read: ", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("INT64", DataType.Int)]
    [InlineData("UINT32", DataType.UInt)]
    [InlineData("DATE_TIME", DataType.DateTime)]
    [InlineData("STATUS", DataType.State)]
    [InlineData("ELEM_LIST", DataType.ElementList)]
    [InlineData("JSON", DataType.Json)]
    public void Read_TypeName_GivesDataType(string name, DataType type) =>
        Assert.Equal(type, Read($"A \"\" 1 NULL NONE 0 {name} 9").TypeOf(1));

    private const string OneField = "FIRST \"first\" 1 NULL INTEGER 5 UINT 2";

    private static FieldDictionary Read(params string[] lines)
    {
        FieldDictionaryBuilder builder = new();
        using StringReader text = new(string.Join('\n', lines));
        new FieldDictionaryFile(builder).Read(text, "fields.txt");
        return builder.Build();
    }
}
