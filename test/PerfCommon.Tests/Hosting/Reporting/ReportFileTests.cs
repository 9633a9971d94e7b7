using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace PerfCommon.Tests.Hosting.Reporting;

public sealed class ReportFileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("reports");

    private string FilePath => Path.Combine(_folder.FullName, "report.csv");

    [Fact]
    public void Append_Pieces_AreInTheFileAtOnceAndWithoutByteOrderMark()
    {
        File.WriteAllText(FilePath, "something older and longer");
        using ReportFile file = ReportFile.Create(FilePath);
        file.Append(w => w.WriteLine("é1"));
        Assert.Equal([0xC3, 0xA9, (byte)'1', (byte)'\n'], ReadShared());
        file.AppendBytes(s => s.WriteByte(65));
        Assert.Equal(5, ReadShared().Length);
        Assert.Null(file.Failure);
    }

    [Fact]
    public void Create_FolderMissing_ThrowsWithTheExitCodeOfOutputFiles()
    {
        SetupException thrown = Assert.Throws<SetupException>(() => ReportFile.Create(Path.Combine(_folder.FullName, "none", "x.csv")));
        Assert.Equal(SetupProblem.OutputFile, thrown.Problem);
        Assert.Contains("x.csv: cannot be created: ", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Append_DiskFull_RemembersTheFailureAndGoesOn()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "needs /dev/full");
        using ReportFile file = ReportFile.Create("/dev/full");
        file.Append(w => w.Write("row\n"));
        Assert.StartsWith("/dev/full: cannot be written: ", file.Failure, StringComparison.Ordinal);
        string? first = file.Failure;
        int tried = 0;
        file.Append(_ => tried++);
        Assert.Equal((first, 0), (file.Failure, tried));
        file.Append(_ => tried++, isLast: true); // the disk may have space again
        Assert.Equal((first, 1), (file.Failure, tried));
    }

    [Fact]
    public void Delete_FileWithoutContents_ClosesIt()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs /proc");
        ReportFile file = ReportFile.Create(FilePath);
        file.Delete();
        Assert.False(File.Exists(FilePath));
        Assert.DoesNotContain(new DirectoryInfo("/proc/self/fd").GetFileSystemInfos(),
            open => open.LinkTarget?.StartsWith(FilePath, StringComparison.Ordinal) == true);
    }

    [Fact]
    public void Append_FileThatIsFull_TurnsAtAWholeLineAndBeginsAnewWithItsHead()
    {
        using ReportFile file = ReportFile.Create(FilePath, new FileRotation(1_000, 2));
        file.BeginWith(w => w.Write("head\n"));
        for (int i = 0; i < 400; i++)
            file.Append(w => w.Write($"row {i:000}\n"));

        string[][] files = [File.ReadAllLines(FilePath + ".2"), File.ReadAllLines(FilePath + ".1"), File.ReadAllLines(FilePath)];
        Assert.All(files, lines => Assert.Equal("head", lines[0]));
        Assert.All(files.Take(2), lines => Assert.Equal(1 + 124, lines.Length)); // 5 + 124 * 8 = 997 bytes
        // the first lines are removed
        Assert.Equal(Enumerable.Range(124, 400 - 124).Select(i => $"row {i:000}"), files.SelectMany(lines => lines.Skip(1)));
        Assert.False(File.Exists(FilePath + ".3"));
        Assert.Equal((3, (400 * 8) + (4 * 5), null), (file.Turns, file.BytesWritten, file.Failure));
    }

    [Fact]
    public void Append_PieceAboveTheLimit_StaysWhole()
    {
        using ReportFile file = ReportFile.Create(FilePath, new FileRotation(1_000, 1));
        file.Append(w => w.Write(new string('a', 1_500) + "\n"));
        file.Append(w => w.Write("b\n"));
        Assert.Equal((1_501, 2), (new FileInfo(FilePath + ".1").Length, ReadShared().Length));
    }

    [Fact]
    public void Append_FullFileWhosePlaceIsTaken_RemembersTheFailureAndGoesOn()
    {
        Directory.CreateDirectory(FilePath + ".1");
        using ReportFile file = ReportFile.Create(FilePath, new FileRotation(1_000, 1));
        for (int i = 0; i < 3; i++)
            file.Append(w => w.Write(new string('a', 900) + "\n"));
        Assert.StartsWith(FilePath + ": cannot be written: ", file.Failure, StringComparison.Ordinal);
        Assert.Equal(901, ReadShared().Length);
    }

    [Theory]
    [InlineData("64MB", 64_000_000, 8, "64MB,8")]
    [InlineData("64mb,3", 64_000_000, 3, "64MB,3")]
    [InlineData("1500", 1_500, 8, "1500,8")]
    [InlineData("2GB,1000", 2_000_000_000, 1_000, "2GB,1000")]
    public void Rotation_IsReadAndShown(string text, long bytes, int kept, string shown)
    {
        FileRotation rotation = FileRotation.TryParse(text)!;
        Assert.Equal((bytes, kept, shown), (rotation.Bytes, rotation.Kept, rotation.ToString()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("MB")]
    [InlineData("999")]
    [InlineData("64MB,0")]
    [InlineData("64MB,8,1")]
    [InlineData("-1MB")]
    [InlineData("64TB")]
    [InlineData("9999999999999GB")]
    public void Rotation_OfOtherForm_IsNone(string text) => Assert.Null(FileRotation.TryParse(text));

    public void Dispose() => _folder.Delete(recursive: true);

    private byte[] ReadShared()
    {
        using FileStream stream = new(FilePath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
