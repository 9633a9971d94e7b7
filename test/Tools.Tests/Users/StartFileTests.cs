using PerfCommon;
using PerfTools.Hosting.Options;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public sealed class StartFileTests
{
    [Fact]
    public void TryRead_NoFileOrNoWholeLine_IsNotYet()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        Assert.Null(StartFile.TryRead(path));
        File.WriteAllText(path, "");
        Assert.Null(StartFile.TryRead(path));
        File.WriteAllText(path, "2026-11-22T10:00:0");
        Assert.Null(StartFile.TryRead(path));
        File.WriteAllText(path, "2026-11-22T10:00:01.25Z\n");
        Assert.Equal(new DateTime(2026, 11, 22, 10, 0, 1, 250, DateTimeKind.Utc), StartFile.TryRead(path));
        Assert.Equal(DateTimeKind.Utc, StartFile.TryRead(path)!.Value.Kind);
    }

    [Theory]
    [InlineData("soon\n", "\"soon\" is not a UTC time such as 2026-11-22T10:00:00Z")]
    [InlineData("\n", "\"\" is not a UTC time")]
    [InlineData("\u001b[2J\n", "\"\\u001B[2J\" is not a UTC time")]
    public void TryRead_SomethingElse_NamesIt(string text, string problem)
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        File.WriteAllText(path, text);
        SetupException refused = Assert.Throws<SetupException>(() => StartFile.TryRead(path));
        Assert.Equal(SetupProblem.InputFile, refused.Problem);
        Assert.StartsWith($"{path}: {problem}", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TryRead_ALongFile_ReadsItsBeginningOnly()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        File.WriteAllText(path, new string('x', 1_000_000));
        Assert.Contains("xxx\" is not a UTC time", Assert.Throws<SetupException>(() => StartFile.TryRead(path)).Message, StringComparison.Ordinal);
    }

    /// <summary>A line that is as long as what is read of it is whole, and one that is shorter may be.</summary>
    [Fact]
    public void TryRead_LineWithoutAnEnd_IsWaitedForUpToItsMaximum()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        File.WriteAllText(path, new string('x', 63));
        Assert.Null(StartFile.TryRead(path));
        File.WriteAllText(path, "2026-11-22T10:00:00Z" + new string(' ', 44)); // 64
        Assert.Equal(new DateTime(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc), StartFile.TryRead(path));
        Assert.Equal($"{path}: is over", Assert.Throws<SetupException>(() => StartFile.TryRead(path, _ => "is over")).Message);
        Assert.NotNull(StartFile.TryRead(path, time => time.Hour == 10 ? null : "another time"));
    }

    [Fact]
    public void TryRead_FileThatIsStillOpen_IsRead()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        File.WriteAllText(path, "2026-11-22T10:00:00Z\n");
        using FileStream open = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite); // the conductor's
        Assert.NotNull(StartFile.TryRead(path));
    }

    [Theory]
    [InlineData("-startAt @/tmp/start", "/tmp/start", null)]
    [InlineData("-startAt 2026-11-22T10:00:00Z", null, "2026-11-22T10:00:00Z")]
    [InlineData("", null, null)]
    public void Options_StartAt_IsATimeOrAFile(string line, string? file, string? time)
    {
        UsersPerfOptions options = OptionLines.Accept(UsersPerfOptionTable.Instance, line);
        Assert.Equal(file, options.StartFile);
        Assert.Equal(time, options.StartAt?.ToString(StartFile.TimeForm, System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task Run_WaitingForItsStart_BeginsWithTheFileAndEndsWithASecondOfTime()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start"), lines = Path.Combine(folder.Path, "users.jsonl");
        using StringWriter output = new(), error = new();
        Task<int> run = Task.Run(() => UsersPerf.Program.Run(
            ["-p", "1", "-users", "1", "-runTime", "1", "-startAt", "@" + path, "-jsonFile", lines, "-statsFile", Path.Combine(folder.Path, "s"),
                "-summaryFile", Path.Combine(folder.Path, "o")],
            output, error));
        while (!(File.Exists(lines) && ReadShared(lines).Contains("\"ready\":true", StringComparison.Ordinal)))
            await Task.Delay(20, TestContext.Current.CancellationToken);
        Assert.False(run.IsCompleted);
        File.WriteAllText(path, DateTime.UtcNow.ToString(StartFile.TimeForm, System.Globalization.CultureInfo.InvariantCulture) + "\n");

        Assert.Equal(4, await run);
        Assert.StartsWith("UsersPerf: 0 of 1 users are in: cannot connect to ", error.ToString(), StringComparison.Ordinal);
        Assert.Contains("Starting users: 1", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_StartThatIsNoTime_EndsWithItsName()
    {
        using RunDirectory folder = new();
        string path = Path.Combine(folder.Path, "start");
        File.WriteAllText(path, "now\n");
        using StringWriter output = new(), error = new();
        int code = UsersPerf.Program.Run(
            ["-p", "1", "-startAt", "@" + path, "-statsFile", Path.Combine(folder.Path, "s"), "-summaryFile", Path.Combine(folder.Path, "o")],
            output, error);
        Assert.Equal((3, $"UsersPerf: {path}: \"now\" is not a UTC time such as 2026-11-22T10:00:00Z\n"), (code, error.ToString()));
    }

    private static string ReadShared(string path)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using StreamReader reader = new(file);
        return reader.ReadToEnd();
    }
}
