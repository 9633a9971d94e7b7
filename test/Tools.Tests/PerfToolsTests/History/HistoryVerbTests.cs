using System.Xml.Linq;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

public sealed class HistoryVerbTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void History_OfFortyRuns_WritesPageAndCsvAsExpected()
    {
        Write(new SimulatedRuns(7).Make(40, i => i < 20 ? 1 : 1.08));
        Assert.Equal(0, Run("--html", _folder.PathOf("page.html"), "--csv", _folder.PathOf("all.csv")));
        ExpectedText.AssertEquals("history.txt", Neutral(_output.ToString()));
        ExpectedText.AssertEquals("history.csv", File.ReadAllText(_folder.PathOf("all.csv")));
        string page = Neutral(File.ReadAllText(_folder.PathOf("page.html")));
        ExpectedText.AssertEquals("history.html", page);
        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("http:", page, StringComparison.Ordinal);
    }

    [Fact]
    public void History_Fail_IsSixForTheWorseAndZeroForTheBetter()
    {
        Write(new SimulatedRuns(7).Make(40, i => i < 20 ? 1 : 1.08));
        Assert.Equal(0, Run());
        Assert.Equal(6, Run("--fail", "--junit", _folder.PathOf("junit.xml")));
        Assert.Matches("^perftools: history: direct: latency [^:]+: ?", _error.ToString().Replace(" us", ": us", StringComparison.Ordinal));
        XElement suite = XDocument.Load(_folder.PathOf("junit.xml")).Root!;
        Assert.InRange(suite.Descendants("failure").Count(), 1, 11);
        Write(new SimulatedRuns(7).Make(40, i => i < 20 ? 1 : 0.9));
        Assert.Equal(0, Run("--fail"));
        Assert.Contains("\nBETTER\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void History_NestedRunsAndRanks_CountsEachOnce()
    {
        IReadOnlyList<RunDocument> runs = new SimulatedRuns(8).Make(5);
        Write("before/run-1", runs[0]);
        Write("before/run-2", runs[1]);
        Write("duel/a/run-1", runs[2]);
        Write("ramp", runs[3]);
        Write("ramp/rank-0", runs[4]);
        Assert.Equal(0, Run());
        Assert.StartsWith("direct  4 runs, ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\nNOT COMPARABLE  a change needs 6 runs of a series\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void History_ABrokenRun_IsNamedAndLeftOut()
    {
        Write(new SimulatedRuns(9).Make(3));
        File.WriteAllText(Path.Combine(_folder.FullPath, "runs", "run-1", "run.json"), "{");
        Assert.Equal(0, Run());
        Assert.StartsWith("direct  2 runs, ", _output.ToString(), StringComparison.Ordinal);
        Assert.Matches("\nleft out  unreadable: .*run-1/run.json: not whole, or no JSON, in line 1\n", _output.ToString());
    }

    [Fact]
    public void History_NoRunThatCanBeRead_IsThree()
    {
        Directory.CreateDirectory(_folder.PathOf("runs/other"));
        Assert.Equal(3, Run());
        Assert.EndsWith("runs: no folder with run.json or search.json is in it\n", _error.ToString(), StringComparison.Ordinal);
        Directory.Delete(_folder.PathOf("runs"), recursive: true);
        Assert.Equal(3, Run());
        Assert.EndsWith("runs: no such folder\n", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--keep 0", "perftools: --keep: '0' is not a number of runs from 1, such as 50, or of days, such as 30d\n")]
    [InlineData("--last 0", "perftools: --last must be at least 1\n")]
    [InlineData("more", "perftools: history: name one folder\n")]
    public void History_WrongCommandLine_IsTwo(string arguments, string expected)
    {
        Assert.Equal(2, Run(arguments.Split(' ')));
        Assert.Equal(expected, _error.ToString());
    }

    [Fact]
    public void History_RunsWithoutAChange_IsTheSame()
    {
        Write(new SimulatedRuns(11).Make(12));
        Assert.Equal(0, Run("--fail"));
        Assert.Contains("\nSAME  no change beyond the noise between runs\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void History_Keep_DeletesTheOlderAndListsTheOther()
    {
        IReadOnlyList<RunDocument> runs = new SimulatedRuns(10).Make(3);
        Write(runs);
        Assert.Equal(0, Run("--keep", "1"));
        Assert.Equal([$"deleted  {_folder.PathOf("runs/run-0")}", $"deleted  {_folder.PathOf("runs/run-1")}"],
            _output.ToString().Split('\n').Where(line => line.StartsWith("deleted", StringComparison.Ordinal)));
        Assert.Equal(["history.csv", "history.html", "index.html", "run-2"],
            Directory.GetFileSystemEntries(_folder.PathOf("runs")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void History_OtherIndexHtml_StaysAsItIs()
    {
        Write(new SimulatedRuns(10).Make(2));
        File.WriteAllText(_folder.PathOf("runs/index.html"), "mine");
        Assert.Equal(0, Run());
        Assert.Equal("mine", File.ReadAllText(_folder.PathOf("runs/index.html")));
    }

    private string Neutral(string text) => text.Replace(_folder.FullPath + "/", "", StringComparison.Ordinal);

    private int Run(params string[] arguments)
    {
        _output.GetStringBuilder().Clear();
        _error.GetStringBuilder().Clear();
        return PerfTools.Program.Run(["history", _folder.PathOf("runs"), .. arguments], _output, _error);
    }

    private void Write(IReadOnlyList<RunDocument> runs)
    {
        for (int i = 0; i < runs.Count; i++)
            Write($"run-{i}", runs[i]);
    }

    private void Write(string name, RunDocument run)
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder.FullPath, "runs", name)).FullName;
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(run));
    }
}
