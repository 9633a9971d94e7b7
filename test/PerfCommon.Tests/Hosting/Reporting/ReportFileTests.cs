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
        file.Append(w => w.Write("row\n"));
        Assert.Equal(first, file.Failure);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private byte[] ReadShared()
    {
        using FileStream stream = new(FilePath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
