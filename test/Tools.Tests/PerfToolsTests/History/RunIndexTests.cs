using PerfTools.History;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

public sealed class RunIndexTests : IDisposable
{
    private static readonly string[] Days = ["2026-03-03", "2026-03-02", "2026-03-01"];
    private readonly TestFolder _folder = new();
    private readonly IReadOnlyList<RunDocument> _runs = new SimulatedRuns(0).Make(3);

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Update_ARunInRuns_ListsAllRunsTheNewestFirst()
    {
        Write("runs/old", _runs[0]);
        Write("runs/set/run-1", _runs[1]);
        RunIndex.Update(Write("runs/<new> 1", _runs[2] with { Verdict = "SLOW" }));
        string page = Index("runs");
        Assert.Contains("<td>2026-03-03 02:00<td>direct<td>SLOW<td class=r>", page, StringComparison.Ordinal);
        Assert.Contains("<a href=\"%3Cnew%3E%201/report.html\">&lt;new&gt; 1</a>", page, StringComparison.Ordinal);
        Assert.Contains("<a href=\"set/run-1/report.html\">set/run-1</a>", page, StringComparison.Ordinal);
        int[] places = [.. Days.Select(day => page.IndexOf(day, StringComparison.Ordinal))];
        Assert.Equal(places.Order(), places);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Update_RepeatedRunsInRuns_WritesTheOneIndexOfRuns()
    {
        RunIndex.Update(Write("runs/set/run-1", _runs[0]));
        Assert.Contains(">set/run-1</a>", Index("runs"), StringComparison.Ordinal);
        Assert.False(File.Exists(_folder.PathOf("runs/set/index.html")));
    }

    [Fact]
    public void Update_AFolderOfAnotherName_GetsAnIndexOnlyWhereItHasOne()
    {
        string run = Write("nights/1", _runs[0]);
        RunIndex.Update(run);
        Assert.False(File.Exists(_folder.PathOf("nights/index.html")));
        Assert.True(RunIndex.TryWrite(_folder.PathOf("nights")));
        Write("nights/2", _runs[1]);
        RunIndex.Update(run);
        Assert.Contains("2026-03-02 02:00", Index("nights"), StringComparison.Ordinal);
    }

    [Fact]
    public void Update_AnIndexOfAnotherKind_LeavesItAlone()
    {
        string run = Write("runs/1", _runs[0]);
        File.WriteAllText(_folder.PathOf("runs/index.html"), "mine");
        RunIndex.Update(run);
        Assert.Equal("mine", Index("runs"));
    }

    [Fact]
    public void Update_SpoiltRunsAndLinks_AreLeftOutAndNeverThrow()
    {
        string run = Write("runs/1", _runs[0]);
        foreach (string spoilt in (string[])["", "{", "[]", "{\"format\":7}", "{\"format\":\"perftools-run-9\"}", "\0\u0001"])
        {
            Directory.CreateDirectory(_folder.PathOf($"runs/spoilt{spoilt.Length}"));
            File.WriteAllText(_folder.PathOf($"runs/spoilt{spoilt.Length}/run.json"), spoilt);
        }

        Directory.CreateSymbolicLink(_folder.PathOf("runs/linked"), run);
        RunIndex.Update(run);
        Assert.Contains("The newest 1<", Index("runs"), StringComparison.Ordinal);
    }

    [Fact]
    public void Update_MoreRunsThanRows_ShowsTwoHundred()
    {
        for (int i = 0; i < 210; i++)
            Write($"runs/{i}", _runs[0]);
        RunIndex.Update(_folder.PathOf("runs/0"));
        Assert.Contains("The newest 200<", Index("runs"), StringComparison.Ordinal);
    }

    [Fact]
    public void Update_AFolderThatIsGone_DoesNothing() => RunIndex.Update(_folder.PathOf("runs/none"));

    private string Index(string folder) => File.ReadAllText(_folder.PathOf($"{folder}/index.html"));

    private string Write(string name, RunDocument run)
    {
        string folder = Directory.CreateDirectory(_folder.PathOf(name)).FullName;
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(run));
        File.WriteAllText(Path.Combine(folder, "report.html"), "");
        return folder;
    }
}
