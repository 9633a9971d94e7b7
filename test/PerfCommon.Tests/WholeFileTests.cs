using Xunit;

namespace PerfCommon.Tests;

/// <summary>Links in the place of a file that is written atomically.</summary>
public sealed class WholeFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perftools-whole-").FullName;

    [Theory]
    [InlineData("run.json")]
    [InlineData("run.json.new")]
    public void TryWrite_WhereALinkIs_ReplacesItAndWritesNothingThroughIt(string link)
    {
        string elsewhere = Write("elsewhere", "of somebody else");
        File.CreateSymbolicLink(PathOf(link), elsewhere);
        ExpectWritten();
        Assert.Equal("of somebody else", File.ReadAllText(elsewhere));
    }

    [Fact]
    public void TryWrite_WhereALinkToNothingIs_CreatesNothingThere()
    {
        File.CreateSymbolicLink(PathOf("run.json.new"), PathOf("elsewhere"));
        ExpectWritten();
        Assert.False(File.Exists(PathOf("elsewhere")));
    }

    [Fact]
    public void TryWrite_WhatAKilledProgramLeft_IsReplaced()
    {
        Write("run.json.new", "half of somethi");
        ExpectWritten();
    }

    [Fact]
    public void TryWrite_ThatFailsInTheMiddle_LeavesTheOldFileAndNothingBeside()
    {
        Write("run.json", "old");
        string? problem = WholeFile.TryWrite(PathOf("run.json"), writer =>
        {
            writer.Write("half");
            throw new IOException("no space");
        });
        Assert.Equal($"{PathOf("run.json")}: cannot be written: no space", problem);
        Assert.Equal("old", File.ReadAllText(PathOf("run.json")));
        Assert.Single(Directory.GetFiles(_folder));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private void ExpectWritten()
    {
        Assert.Null(WholeFile.TryWrite(PathOf("run.json"), writer => writer.WriteLine("ours")));
        Assert.Equal("ours\n", File.ReadAllText(PathOf("run.json")));
        Assert.Null(new FileInfo(PathOf("run.json")).LinkTarget);
        Assert.False(Path.Exists(PathOf("run.json.new")));
    }

    private string Write(string name, string text)
    {
        File.WriteAllText(PathOf(name), text);
        return PathOf(name);
    }

    private string PathOf(string name) => Path.Combine(_folder, name);
}
