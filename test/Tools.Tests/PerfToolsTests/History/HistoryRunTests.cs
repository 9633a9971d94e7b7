using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

/// <summary>The history of runs that were measured.</summary>
public sealed class HistoryRunTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
    }

    [Fact]
    public async Task History_KeepAfterRealRuns_DeletesTheOlderWholeAndListsTheOther()
    {
        string[] small = ["--items", "100", "--rate", "1000", "--seconds", "10"];
        foreach (string[] one in (string[][])[["--connection", "encrypted", "--out", _folder.PathOf("runs/old")], ["--out", _folder.PathOf("runs/new")]])
        {
            (int code, _, string error) = await PerfToolsRuns.Run(["run", "direct", .. small, .. one]);
            Assert.True(code is 0 or 6, error); // 6: the machine was too busy for the rate
        }

        Assert.Matches(">new</a>(.|\n)*>old</a>", File.ReadAllText(_folder.PathOf("runs/index.html")));
        Assert.Equal(0, PerfTools.Program.Run(["history", _folder.PathOf("runs"), "--keep", "1"], _output, TextWriter.Null));
        Assert.StartsWith($"deleted  {_folder.PathOf("runs/old")}\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(["history.csv", "history.html", "index.html", "new"],
            Directory.GetFileSystemEntries(_folder.PathOf("runs")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }
}
