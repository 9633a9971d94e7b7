using System.Globalization;
using System.Runtime.InteropServices;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>A socket on which another process listens, taken out of it, so that a test can break it. Needs Linux 5.6.</summary>
internal static partial class ForeignListener
{
    private const int OpenProcess = 434; // system calls, the same on every processor
    private const int TakeFile = 438;
    private const int Both = 2; // directions

    /// <summary>Ends the listening on a port of loopback: who waits there for a connection gets an error.</summary>
    public static void Break(int processId, int port)
    {
        string socket = $"socket:[{FindInode(port)}]";
        int number = Directory.GetFileSystemEntries($"/proc/{processId}/fd")
            .Where(path => new FileInfo(path).LinkTarget == socket).Select(path => int.Parse(Path.GetFileName(path), CultureInfo.InvariantCulture)).First();
        int process = (int)Call(OpenProcess, processId, 0, 0);
        int file = (int)Call(TakeFile, process, number, 0);
        Assert.True(process > 0 && file > 0, $"no access to the files of process {processId}");
        Assert.Equal(0, Shutdown(file, Both));
        Assert.Equal((0, 0), (Close(file), Close(process)));
    }

    // local address, peer and state are columns 1 to 3, the inode is column 9; 0A is listening
    private static string FindInode(int port) => File.ReadLines("/proc/net/tcp").Concat(File.ReadLines("/proc/net/tcp6"))
        .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        .First(columns => columns[1].EndsWith(port.ToString("X4", CultureInfo.InvariantCulture), StringComparison.Ordinal) && columns[3] == "0A")[9];

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Call(nint number, nint first, nint second, nint third);

    [LibraryImport("libc", EntryPoint = "shutdown")]
    private static partial int Shutdown(int file, int how);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int file);
}
