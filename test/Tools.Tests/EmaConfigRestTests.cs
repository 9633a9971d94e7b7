using System.Text;
using ConsPerf;
using PerfTools.Hosting.Options;
using Xunit;

namespace Tools.Tests;

/// <summary>What an EMA configuration says of a consumer and no option has, and what it leaves out.</summary>
[Trait("Category", "Fast")]
public sealed class EmaConfigRestTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void Consumer_ElementsOfItsOwnSection_AreNamedWhereTheyAreNotUsed()
    {
        SessionOptions session = Read("<ItemCountHint value=\"5\"/><Odd value=\"1\"/><MaxDispatchCountApiThread value=\"70\"/>", "");
        Assert.Equal([$"{_file}: not used: ItemCountHint, Odd"], session.Notes);
        Assert.Equal(70, session.MaxDispatch);
    }

    [Theory]
    [InlineData("<RdmFieldDictionaryFileName value=\"f\"/>", "f", null)]
    [InlineData("<EnumTypeDefFileName value=\"e\"/>", null, "e")]
    public void Dictionary_WithOneOfTheFiles_LeavesTheOtherAsItIs(string file, string? fields, string? enums)
    {
        SessionOptions usual = new(), session = Read("<Dictionary value=\"D\"/>", $"<DictionaryType value=\"DictionaryType::FileDictionary\"/>{file}");
        Assert.Equal((fields ?? usual.FieldDictionary, enums ?? usual.EnumDictionary, false),
            (session.FieldDictionary, session.EnumDictionary, session.DownloadsDictionary));
    }

    [Fact]
    public void Dictionary_WithoutAType_IsDownloaded() => Assert.True(Read("<Dictionary value=\"D\"/>", "").DownloadsDictionary);

    private SessionOptions Read(string consumer, string dictionary)
    {
        File.WriteAllText(_file,
            $"""
            <EmaConfig>
              <ConsumerGroup><ConsumerList><Consumer><Name value="C"/>{consumer}</Consumer></ConsumerList></ConsumerGroup>
              <DictionaryGroup><DictionaryList><Dictionary><Name value="D"/>{dictionary}</Dictionary></DictionaryList></DictionaryGroup>
            </EmaConfig>
            """, Encoding.UTF8);
        return ConsPerfOptionTable.Instance.ParseWithFile(["-emaConfig", _file, "-consumerName", "C"]).Options!.Session;
    }
}
