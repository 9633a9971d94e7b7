using System.Runtime.InteropServices;
using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Files of shared memory in a folder that is open to other users, and memory that a process which may open it truncates.</summary>
[Trait("Category", "Fast")]
public sealed partial class SharedMemorySafetyTests : IDisposable
{
    private const int OtherUser = 65_534;
    private const string Kept = "somebody's file";

    private readonly RunDirectory _folder = new();
    private readonly SharedPlace _place = new(RoundtripRuns.NextDomain);
    private readonly string _memory; // in no domain: publishers that start delete files without a holder

    public SharedMemorySafetyTests() => _memory = _folder.File("memory");

    public void Dispose()
    {
        foreach (string path in new[] { _place.MemoryPath, _place.LifePathOf(0), _place.LifePathOf(1) })
            File.Delete(path);
        _folder.Dispose();
    }

    [Fact]
    public void TryHold_LinkInItsPlace_IsRefusedAndLeftAlone()
    {
        string target = CreateLink(_place.LifePathOf(0));
        SetupException problem = Assert.Throws<SetupException>(() => _place.TryHold(0));
        Assert.Equal((SetupProblem.NotStarted, $"{_place.LifePathOf(0)}: it is a link"), (problem.Problem, problem.Message));
        Assert.Equal(Kept, File.ReadAllText(target));
    }

    [Fact]
    public void Publisher_LinkInPlaceOfTheMemory_TakesItAwayWithoutFollowing()
    {
        string target = CreateLink(_place.MemoryPath);
        using (SharedMemoryLink publisher = new(_place, IDatagramOutput.Publisher, new SharedLayout(64, 256, 1)))
            Assert.Null(new FileInfo(_place.MemoryPath).LinkTarget);
        Assert.Equal(Kept, File.ReadAllText(target));
    }

    [Fact]
    public void Open_Link_IsRefused()
    {
        CreateLink(_memory);
        Assert.Equal("it is a link", Assert.ThrowsAny<IOException>(() => SharedRegion.Open(_memory)).Message);
        Assert.Equal("it is a link", Assert.ThrowsAny<IOException>(() => SharedRegion.OpenFile(_memory)).Message);
    }

    [Fact]
    public void TryHold_FileOfAnotherUser_IsRefused()
    {
        SkipUnlessGuarded();
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "only root can give files away");
        foreach (string path in new[] { _place.LifePathOf(0), _place.MemoryPath })
        {
            string made = Path.Combine(Path.GetDirectoryName(path)!, $"made-{Guid.NewGuid():N}"); // given away before others look for it
            File.WriteAllText(made, "");
            Assert.Equal(0, ChangeOwner(made, OtherUser, OtherUser));
            File.Move(made, path);
        }

        Assert.EndsWith(": it belongs to another user", Assert.Throws<SetupException>(() => _place.TryHold(0)).Message, StringComparison.Ordinal);
        Assert.Equal("it belongs to another user", Assert.ThrowsAny<IOException>(() => SharedRegion.Open(_place.MemoryPath)).Message);
    }

    [Fact]
    public void Lives_FolderInItsPlace_IsRefusedInOneSentence()
    {
        SkipUnlessGuarded();
        File.WriteAllText(_place.LifePathOf(0), "");
        Assert.False(_place.Lives(0));
        File.Delete(_place.LifePathOf(0));
        Directory.CreateDirectory(_place.LifePathOf(0));
        try
        {
            Assert.Contains("it is a folder", Assert.Throws<SetupException>(() => _place.TryHold(0)).Message, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(_place.LifePathOf(0));
        }
    }

    // Today's way of ending a process that has it mapped.
    [Fact]
    public void SetLength_OfMemoryThatIsMapped_IsRefusedByTheSystem()
    {
        SkipUnlessGuarded();
        using SharedRegion region = SharedRegion.Create(_memory, 1 << 20);
        string memory = File.ReadAllText(_memory).TrimEnd('\n');
        using FileStream opened = new(memory, FileMode.Open, FileAccess.ReadWrite);
        Assert.ThrowsAny<Exception>(() => opened.SetLength(0));
        Assert.ThrowsAny<Exception>(() => opened.SetLength(2 << 20));
        region.Word((1 << 20) - 4) = 7;
        using SharedRegion other = SharedRegion.Open(_memory);
        Assert.Equal((7u, 1L << 20, true), (other.Word((1 << 20) - 4), other.Bytes, other.IsWhole));
    }

    [Theory]
    [InlineData("", "it does not say where the memory is")]
    [InlineData("/etc/passwd\n", "it does not say where the memory is")]
    [InlineData("/proc/self/fd/0\n", "it does not say where the memory is")]
    [InlineData("/proc/1/fd/../../1/mem\n", "it does not say where the memory is")]
    [InlineData("/proc/99999999/fd/3\n", "/proc/99999999/fd/3 cannot be opened")]
    public void Open_FileThatSaysSomethingElse_IsRefused(string line, string problem)
    {
        SkipUnlessGuarded();
        File.WriteAllText(_memory, line);
        Assert.StartsWith(problem, Assert.ThrowsAny<IOException>(() => SharedRegion.Open(_memory)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_MemoryThatCouldBeCutShort_IsRefused()
    {
        SkipUnlessGuarded();
        using FileStream plain = new(_folder.File("plain"), FileMode.Create, FileAccess.ReadWrite);
        plain.SetLength(1 << 16);
        File.WriteAllText(_memory, $"/proc/{Environment.ProcessId}/fd/{plain.SafeFileHandle.DangerousGetHandle()}\n");
        Assert.Equal("it names no memory that cannot shrink",
            Assert.ThrowsAny<IOException>(() => SharedRegion.Open(_memory)).Message);
    }

    [Fact]
    public void IsWhole_FileCutShort_SaysSo()
    {
        string path = _folder.File("file");
        using SharedRegion region = SharedRegion.CreateFile(path, 1 << 16);
        Assert.True(region.IsWhole);
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a file that is mapped cannot be cut short there");
        using (FileStream opened = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete))
            opened.SetLength(1 << 12);
        Assert.False(region.IsWhole);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Run_WhileTheFileOfTheMemoryIsCutShort_GoesOn(bool isReliable)
    {
        SkipUnlessGuarded();
        using CancellationTokenSource stop = new();
        TestThread cutter = new(() => CutShort(stop.Token));
        cutter.Start();
        string all = $"-domainId {_place.DomainId} -transport 2{(isReliable ? " -reliable" : "")}";
        RoundtripRuns runs = RoundtripRuns.Run($"{all} -numIter 2000 -maxSize 16", all);
        stop.Cancel();
        cutter.Join();
        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        Assert.Equal("Test successful: 2002 messages received, 2002 replies sent.", runs.Sides[1].LastLine);
    }

    // Once the subscriber has it mapped: who finds no memory does not take part. A publisher that has ended leaves the number of its file to any other
    // file of this process, which is looked at after opening.
    private void CutShort(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            try
            {
                string memory = File.ReadAllText(_place.MemoryPath).TrimEnd('\n');
                using FileStream opened = new(memory, FileMode.Open, FileAccess.ReadWrite);
                string own = $"/proc/self/fd/{opened.SafeFileHandle.DangerousGetHandle()}";
                if (File.ResolveLinkTarget(own, returnFinalTarget: false) is { } target && target.FullName.Contains("/memfd:", StringComparison.Ordinal))
                    opened.SetLength(0);
            }
            catch (Exception problem) when (FileErrors.IsMeantBy(problem))
            {
                Thread.Yield(); // not there, or refused
            }
        }
    }

    private string CreateLink(string path)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "links need a privilege there");
        string target = _folder.File("target");
        File.WriteAllText(target, Kept);
        File.CreateSymbolicLink(path, target);
        return target;
    }

    private static void SkipUnlessGuarded() => Assert.SkipUnless(OwnFile.IsGuarded, "sealed memory is Linux's");

    [LibraryImport("libc", EntryPoint = "chown", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwner(string path, int user, int group);
}
