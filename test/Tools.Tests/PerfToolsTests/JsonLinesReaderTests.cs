using System.Text.Json;
using PerfTools.Results.Files;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class JsonLinesReaderTests
{
    [Fact]
    public void ReadNew_FileThatIsNotThereYet_IsEmpty()
    {
        using TestFolder folder = new();
        JsonLinesReader reader = new(folder.PathOf("none.jsonl"));
        Assert.Empty(reader.ReadNew());
        Assert.Null(reader.Last);
        Assert.Null(reader.Final);
    }

    [Fact]
    public void ReadNew_GrowingFile_GivesEveryLineOnceItIsWhole()
    {
        using TestFolder folder = new();
        string path = folder.PathOf("role.jsonl");
        JsonLinesReader reader = new(path);
        File.AppendAllText(path, "{\"second\":1}\n{\"seco");
        Assert.Equal([1], Seconds(reader.ReadNew()));
        File.AppendAllText(path, "nd\":2}\n{\"second\":3}\n");
        Assert.Equal([2, 3], Seconds(reader.ReadNew()));
        Assert.Empty(reader.ReadNew());
        Assert.Null(reader.Final);
        File.AppendAllText(path, "{\"second\":4,\"final\":true}\n");
        reader.ReadNew();
        Assert.Equal(4, reader.Final!.Value.GetProperty("second").GetInt32());
    }

    [Fact]
    public void ReadNew_DamagedLines_ArePassedOver()
    {
        using TestFolder folder = new();
        string path = folder.PathOf("role.jsonl");
        File.WriteAllText(path, "{\"second\":\n[1]\nnonsense\n\n{\"second\":5}\n");
        JsonLinesReader reader = new(path);
        Assert.Equal([5], Seconds(reader.ReadNew()));
    }

    private static IEnumerable<int> Seconds(IEnumerable<JsonElement> lines) => lines.Select(l => l.GetProperty("second").GetInt32());
}
