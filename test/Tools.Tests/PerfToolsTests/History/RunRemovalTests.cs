using PerfTools.History;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

public sealed class RunRemovalTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly IReadOnlyList<RunDocument> _runs = new SimulatedRuns(0).Make(6);

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Remove_ANumber_KeepsTheNewestAndNamesTheRest()
    {
        string[] folders = [.. _runs.Select((run, i) => Write($"r{5 - i}", run))];
        Assert.Equal([$"deleted  {folders[0]}", $"deleted  {folders[1]}"], Remove("4"));
        Assert.Equal([false, false, true, true, true, true], folders.Select(Directory.Exists));
        Assert.Empty(Remove("4"));
    }

    [Fact]
    public void Remove_Days_KeepsThoseOfTheLastDays()
    {
        string[] folders = [.. _runs.Select((run, i) => Write($"r{i}", run))];
        Assert.Equal(3, RunRemoval.Remove(_folder.FullPath, RetainedRuns.TryParse("2d")!, _runs[5].StartUtc).Count);
        Assert.Equal([false, false, false, true, true, true], folders.Select(Directory.Exists));
    }

    [Fact]
    public void Remove_AFolderWithAFileOfTheUser_KeepsAllOfIt()
    {
        string folder = Write("old", _runs[0]);
        Write("new", _runs[1]);
        File.WriteAllText(Path.Combine(folder, "notes.txt"), "mine");
        Assert.Equal([$"kept     {folder}: notes.txt in it is no file of a run"], Remove("1"));
        Assert.True(File.Exists(Path.Combine(folder, "consumer.jsonl")));
    }

    [Fact]
    public void Remove_FoldersOfOtherThings_AreNotTouched()
    {
        Directory.CreateDirectory(_folder.PathOf("other"));
        File.WriteAllText(_folder.PathOf("other/report.html"), "");
        File.WriteAllText(_folder.PathOf("index.html"), "");
        Directory.CreateDirectory(_folder.PathOf("spoilt"));
        File.WriteAllText(_folder.PathOf("spoilt/run.json"), "{}");
        Write("new", _runs[1]);
        Assert.Empty(Remove("1"));
        Assert.True(File.Exists(_folder.PathOf("other/report.html")) && File.Exists(_folder.PathOf("spoilt/run.json")));
    }

    [Fact]
    public void Remove_Links_AreNeverFollowed()
    {
        using TestFolder elsewhere = new();
        Directory.CreateDirectory(elsewhere.PathOf("run"));
        File.WriteAllText(elsewhere.PathOf("run/run.json"), RunFile.CreateText(_runs[0]));
        Directory.CreateSymbolicLink(_folder.PathOf("linked"), elsewhere.PathOf("run"));
        string inside = Write("inside", _runs[1]);
        Directory.CreateSymbolicLink(Path.Combine(inside, "rank-0"), elsewhere.PathOf("run"));
        Write("new", _runs[2]);
        Assert.Equal([$"kept     {inside}: rank-0 in it is no file of a run"], Remove("1"));
        Assert.True(File.Exists(elsewhere.PathOf("run/run.json")));
    }

    [Fact]
    public void Remove_RepeatedRuns_TakesTheEmptyFolderTooAndNeverTheRoot()
    {
        Write("set/run-1", _runs[0]);
        Write("set/run-2", _runs[1]);
        Write("new", _runs[2]);
        Assert.Equal(2, Remove("1").Count);
        Assert.False(Directory.Exists(_folder.PathOf("set")));
        Assert.True(Directory.Exists(_folder.PathOf("new")));
    }

    [Fact]
    public void Remove_RankFoldersOfARun_GoWithIt()
    {
        string folder = Write("ramp", _runs[0]);
        Write("ramp/rank-0", _runs[0]);
        Write("new", _runs[1]);
        Assert.Equal([$"deleted  {folder}"], Remove("1"));
        Assert.False(Directory.Exists(folder));
    }

    private IReadOnlyList<string> Remove(string keep) =>
        RunRemoval.Remove(_folder.FullPath, RetainedRuns.TryParse(keep)!, new(2026, 12, 1, 0, 0, 0, DateTimeKind.Utc));

    private string Write(string name, RunDocument run)
    {
        string folder = Directory.CreateDirectory(_folder.PathOf(name)).FullName;
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(run));
        foreach (string file in (string[])["report.html", "intervals.csv", "ProvPerf.log", "ConsStats1.csv", "consumer.jsonl", "consumer-updates.hlog"])
            File.WriteAllText(Path.Combine(folder, file), "");
        return folder;
    }
}
