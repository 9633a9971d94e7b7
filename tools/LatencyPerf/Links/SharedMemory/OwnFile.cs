using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>
/// Opens files of this user in a folder where other users may create files, too: no link is followed, and files of other users are refused.
/// </summary>
/// <remarks>It uses system calls of Linux; elsewhere the folder is this user's alone, and a link is refused before the file is opened.</remarks>
internal static partial class OwnFile
{
    private const int LockExclusive = 2, LockWithoutWait = 4;

    /// <summary>True where the system calls of Linux are used.</summary>
    public static bool IsGuarded => LinuxFile.IsUsed;

    /// <summary>Creates a new file, for this user alone.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="reservedBytes">The space to reserve, where that is possible.</param>
    /// <exception cref="IOException">It exists already, or cannot be created.</exception>
    public static FileStream CreateNew(string path, long reservedBytes = 0) => IsGuarded && reservedBytes == 0
        ? new(Open(path, LinuxFile.ReadWrite | LinuxFile.Create | LinuxFile.Exclusive), FileAccess.ReadWrite, bufferSize: 0)
        : OpenPortable(path, FileMode.CreateNew, FileShare.ReadWrite | FileShare.Delete, reservedBytes);

    /// <summary>Opens an existing file.</summary>
    /// <exception cref="IOException">It does not exist, is a link, is no file, or belongs to another user.</exception>
    public static FileStream OpenExisting(string path) => IsGuarded
        ? new(Open(path, LinuxFile.ReadWrite), FileAccess.ReadWrite, bufferSize: 0)
        : OpenPortable(path, FileMode.Open, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Opens or creates a file and locks it; null when another process has locked it.</summary>
    /// <exception cref="IOException">It is a link, is no file, or belongs to another user.</exception>
    public static IDisposable? TryLock(string path)
    {
        if (!IsGuarded)
            return TryLockPortable(path);
        SafeFileHandle file = Open(path, LinuxFile.ReadWrite | LinuxFile.Create);
        if (FileLock(file, LockExclusive | LockWithoutWait) == 0)
            return file;
        file.Dispose();
        return null;
    }

    /// <summary>Checks that an open file is a file of this user: a sentence about the problem where it is not.</summary>
    public static string? FindProblem(SafeFileHandle file)
    {
        if (!LinuxFile.TryDescribe(file, out uint owner, out bool isRegular))
            return "its owner is unknown";
        if (owner != EffectiveUser())
            return "it belongs to another user";
        return isRegular ? null : "it is no regular file";
    }

    private static SafeFileHandle Open(string path, int flags)
    {
        SafeFileHandle file = LinuxFile.Open(path, flags);
        if (FindProblem(file) is not { } problem)
            return file;
        file.Dispose();
        throw new IOException(problem);
    }

    private static FileStream OpenPortable(string path, FileMode mode, FileShare share, long reservedBytes = 0)
    {
        if (new FileInfo(path).LinkTarget is not null)
            throw new IOException("it is a link");
        FileStreamOptions options = new()
        {
            Mode = mode,
            Access = FileAccess.ReadWrite,
            Share = share,
            BufferSize = 0,
            PreallocationSize = reservedBytes,
        };
        if (!OperatingSystem.IsWindows() && mode is not FileMode.Open)
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        return new FileStream(path, options);
    }

    private static FileStream? TryLockPortable(string path)
    {
        try
        {
            return OpenPortable(path, FileMode.OpenOrCreate, FileShare.None);
        }
        catch (IOException) when (new FileInfo(path).LinkTarget is null)
        {
            return null;
        }
    }

    [LibraryImport("libc", EntryPoint = "flock")]
    private static partial int FileLock(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint EffectiveUser();
}
