using System.Diagnostics;
using PerfCommon;
using PerfTools;
using PerfTools.Results.Files;
using Tools.Tests.PerfToolsTests.Reports;
using Tools.Tests.Users;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The files that are accepted as results: regular, inside their folder, not larger than a limit. Nothing is waited for.</summary>
public sealed class ResultFileTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _error = new();

    public static TheoryData<string, string> Odd
    {
        get
        {
            TheoryData<string, string> all = [];
            foreach (string file in (string[])["run.json", "ConsPerf.jsonl", "Cons-updates.hlog"])
            {
                all.Add(file, "link");
                all.Add(file, "pipe");
                all.Add(file, "folder link");
            }

            return all;
        }
    }

    [Theory, MemberData(nameof(Odd))]
    public void Report_FileOfARunThatIsNone_IsRefusedByItsName(string file, string kind)
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        string path = Replace(file, kind);
        Assert.Equal(3, Run("report", _folder.FullPath));
        Assert.StartsWith($"perftools: {path}: ", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(3, Run("compare", _folder.FullPath, _folder.FullPath));
    }

    [Theory]
    [InlineData("ConsStats1.csv", "link")]
    [InlineData("ConsStats1.csv", "pipe")]
    [InlineData("ConsLatency1.csv", "link")]
    [InlineData("ConsLatency1.csv", "pipe")]
    [InlineData("ConsSummary.out", "link")]
    [InlineData("ConsSummary.out", "pipe")]
    public void Report_FileOfTheGuideThatIsNone_IsRefusedByItsName(string file, string kind)
    {
        GuidePageTests.WriteSamples(_folder.FullPath);
        string path = Replace(file, kind);
        Assert.Equal(3, Run("report", _folder.FullPath));
        Assert.StartsWith($"perftools: {path}: cannot be read: it is ", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_OtherPipesAndLinksInAFolder_ArePassedOver()
    {
        GuidePageTests.WriteSamples(_folder.FullPath);
        MakePipe(_folder.PathOf("control"));
        File.CreateSymbolicLink(_folder.PathOf("zero"), "/dev/zero");
        Assert.Equal(0, Run("report", _folder.FullPath));
    }

    [Theory]
    [InlineData("users.jsonl", "link")]
    [InlineData("users.jsonl", "pipe")]
    [InlineData("users-steps.hlog", "link")]
    [InlineData("users-steps.hlog", "pipe")]
    public void Merge_FileOfAPartThatIsNone_IsRefusedByItsName(string file, string kind)
    {
        RampMergeTests.WritePart(_folder.FullPath, RampMergeTests.CreatePeriods(), 1);
        string path = Replace(file, kind);
        Assert.Equal(3, Run("merge", _folder.FullPath, "--out", _folder.PathOf("merged")));
        Assert.StartsWith($"perftools: {path}: cannot be read: it is ", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("../x.jsonl")]
    [InlineData("a/../../x.jsonl")]
    [InlineData("/dev/zero")]
    [InlineData("")]
    [InlineData("a\0b")]
    public void Report_NameThatLeadsOut_IsRefused(string name)
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5, run => run with
        {
            Roles = [run.Roles[0], run.Roles[1] with { Files = new("log", name, "Cons") }],
        });
        Assert.Equal(3, Run("report", _folder.FullPath));
        Assert.StartsWith($"perftools: {_folder.FullPath}: \"{PrintableText.From(name)}\" is no name of a file in it", _error.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void ReadText_LargerThanItsLimit_IsRefused()
    {
        File.WriteAllText(_folder.PathOf("x"), new string('x', 101));
        Assert.Equal($"{_folder.PathOf("x")}: cannot be read: more than 100 bytes",
            Assert.Throws<SetupException>(() => ResultFile.ReadText(_folder.PathOf("x"), 100)).Message);
        Assert.Equal(101, ResultFile.ReadText(_folder.PathOf("x"), 101).Length);
    }

    [Fact]
    public void ReadLines_LargerThanALimit_IsRefused()
    {
        string path = _folder.PathOf("x");
        File.WriteAllText(path, "short\n" + new string('x', 101) + "\n");
        Assert.Equal($"{path}: cannot be read: more than 100 bytes", Refuse(() => ResultFile.ReadLines(path, true, maxBytes: 100)));
        Assert.Equal($"{path}: cannot be read: line 2 has more than 100 characters", Refuse(() => ResultFile.ReadLines(path, true, maxLineChars: 100)));
        Assert.Equal(2, ResultFile.ReadLines(path, true, 108, 101).Count());
    }

    // Sparse: nothing of it is on the disk, and nothing of it is read.
    [Fact]
    public void Report_FileBeyondTheLimit_IsRefusedWithoutReadingIt()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        foreach ((string file, long limit) in ((string, long)[])[("Cons-updates.hlog", ResultFile.MaxLinesBytes), ("ConsPerf.jsonl", ResultFile.MaxLinesBytes)])
        {
            using (FileStream large = File.OpenWrite(_folder.PathOf(file)))
                large.SetLength(limit + 1);
            Assert.Equal(3, Run("report", _folder.FullPath));
            Assert.Equal($"perftools: {_folder.PathOf(file)}: cannot be read: more than {limit} bytes\n", _error.ToString());
        }
    }

    [Fact]
    public void ReadLines_LastWithoutItsEnd_IsLeftOutWhereLinesMustBeWhole()
    {
        string path = _folder.PathOf("x");
        File.WriteAllText(path, "a\nb\nhalf");
        Assert.Equal(["a", "b"], ResultFile.ReadLines(path, isWhole: true));
        Assert.Equal(["a", "b", "half"], ResultFile.ReadLines(path, isWhole: false));
        File.WriteAllText(path, "half");
        Assert.Empty(ResultFile.ReadLines(path, isWhole: true));
    }

    // After a kill: half a line at the end is none of the results, a spoilt one in the middle is refused.
    [Fact]
    public void Report_HalfALineAtTheEnd_IsLeftOut()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        foreach (string file in (string[])["ConsPerf.jsonl", "Cons-updates.hlog"])
            File.AppendAllText(_folder.PathOf(file), "{\"utc\":\"20");
        Assert.Equal(0, Run("report", _folder.FullPath));
        File.AppendAllText(_folder.PathOf("ConsPerf.jsonl"), "\n");
        Assert.Equal(3, Run("report", _folder.FullPath));
        Assert.Equal($"perftools: {_folder.PathOf("ConsPerf.jsonl")}: line 6: no JSON object\n", _error.ToString());
    }

    [Fact]
    public void Read_LogsOfOtherUnits_AreRefusedByTheirFolder()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 12);
        string path = _folder.PathOf("Cons-updates.hlog");
        string[] lines = File.ReadAllLines(path);
        int middle = lines.Length - 3;
        File.WriteAllLines(path, [.. lines[..middle], "#[Unit: ns]", .. lines[middle..]]);
        Assert.Equal(3, Run("report", _folder.FullPath));
        Assert.StartsWith($"perftools: {_folder.FullPath}: histograms that do not fit together: ", _error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _error.Dispose();
        _folder.Dispose();
    }

    private static string Refuse(Func<IEnumerable<string>> read) => Assert.Throws<SetupException>(() => read().Count()).Message;

    private int Run(params string[] args)
    {
        _error.GetStringBuilder().Clear();
        using StringWriter output = new();
        return Program.Run(args, output, _error);
    }

    private string Replace(string file, string kind)
    {
        string path = _folder.PathOf(file), beside = _folder.PathOf("elsewhere");
        File.Move(path, beside);
        if (kind == "pipe")
            MakePipe(path);
        else if (kind == "link")
            File.CreateSymbolicLink(path, beside);
        else
            File.CreateSymbolicLink(path, Directory.CreateDirectory(_folder.PathOf("other")).FullName);
        return path;
    }

    private static void MakePipe(string path)
    {
        using Process made = Process.Start("mkfifo", [path]);
        made.WaitForExit();
        Assert.Equal(0, made.ExitCode);
    }
}
