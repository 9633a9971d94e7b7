using System.Globalization;
using PerfTools.Ranks;
using PerfTools.Results.Files;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The lines of a role on their way to rank 0: what is there is always the beginning of the file.</summary>
public sealed class ShownLinesTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly FolderStore _files;
    private readonly PortService _desk;
    private readonly string _written;
    private readonly string _shown;
    private readonly string _whole;

    public ShownLinesTests()
    {
        _files = new(_folder.PathOf("run/meet-a"));
        _desk = new(_files, new HashSet<string>(), _folder.PathOf("run"), 1, name => name.StartsWith("Cons", StringComparison.Ordinal));
        Directory.CreateDirectory(_folder.PathOf("own"));
        (_written, _whole) = (_folder.PathOf("own/ConsPerf.jsonl"), _folder.PathOf("run/ConsPerf.jsonl"));
        _shown = PortService.ShownPathOf(_files.Folder, 1, "ConsPerf.jsonl");
    }

    [Fact]
    public void Show_FileThatGrows_SendsWholeLinesOnce()
    {
        Show(); // there is no file yet
        Assert.False(File.Exists(_shown));
        File.WriteAllText(_written, "{\"a\":1}\n{\"a\":");
        Show();
        Assert.Equal("{\"a\":1}\n", File.ReadAllText(_shown));
        File.AppendAllText(_written, "2}\n");
        Show();
        Assert.Equal(File.ReadAllText(_written), File.ReadAllText(_shown));
    }

    /// <summary>The answer to what was sent may be lost: rank 0 says how much it has.</summary>
    [Fact]
    public void Show_LinesThatAreThereAlready_AreNotAddedAgain()
    {
        Assert.Equal("8", Send(0, "{\"a\":1}\n"[..8]).Text);
        Assert.Equal("8", Send(0, "{\"a\":1}\n"[..8]).Text);
        Assert.Equal("8", Send(100, "{}\n").Text);
        Assert.Equal("11", Send(8, "{}\n").Text);
        Assert.Equal(11, new FileInfo(_shown).Length);
    }

    [Theory]
    [InlineData("ProvPerf.jsonl")]
    [InlineData("result-1.json")]
    [InlineData("../ConsPerf.jsonl")]
    public void Show_FileOfAnother_IsRefused(string name)
    {
        Assert.EndsWith("is not for this rank", Send(0, "{}\n", name).Problem, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.GetDirectoryName(_shown)));
    }

    [Fact]
    public void Show_MoreFilesThanARankHasRoles_IsRefused()
    {
        for (int i = 0; i < RankPlacement.MaxProcesses; i++)
            Assert.Null(Send(0, "{}\n", $"Cons-{i}").Problem);
        Assert.Equal("rank 1 shows too many files", Send(0, "{}\n", "Cons-x").Problem);
        Assert.Null(Send(3, "{}\n", "Cons-0").Problem);
    }

    /// <summary>The final line counts when the file has come whole, and each line once.</summary>
    [Fact]
    public void Reader_OfWhatIsShown_GoesOnInTheWholeFile()
    {
        JsonLinesReader reader = new(_whole, _shown);
        Assert.Empty(reader.ReadNew());
        Send(0, "{\"a\":1}\n{\"final\":true}\n");
        Assert.Equal(2, reader.ReadNew().Count);
        Assert.Null(reader.Final);
        File.WriteAllText(_whole, "{\"a\":1}\n{\"final\":true}\n{\"a\":3}\n");
        Directory.Delete(Path.GetDirectoryName(_shown)!, recursive: true);
        Assert.NotNull(reader.Final);
        Assert.Equal(3, Assert.Single(reader.ReadNew()).GetProperty("a").GetInt32());
    }

    public void Dispose()
    {
        _files.Dispose();
        _folder.Dispose();
    }

    // Each call of a new one sends at once, from the beginning: rank 0 says how much it has, and the next continues there.
    private void Show()
    {
        long has = File.Exists(_shown) ? new FileInfo(_shown).Length : 0;
        new ShownLines((name, from, lines) => long.Parse(Send(has, lines[(int)has..], name).Text!, CultureInfo.InvariantCulture), [_written]).Show();
    }

    private PortReply Send(long from, string lines, string name = "ConsPerf.jsonl") => _desk.Answer(new(PortRequest.Lines, name, lines, from));
}
