using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>
/// Opens files of this user in a folder where others may make some, too: no link is followed, and what belongs to somebody else is refused.
/// </summary>
/// <remarks>By calls of Linux; elsewhere the folder is this user's alone, and a link is refused before the file is opened.</remarks>
internal static partial class OwnFile
{
    private const int ReadWrite = 2, Create = 0x40, Exclusive = 0x80, CloseOnExec = 0x80000;
    private const int NoFollowOnX64 = 0x20000, NoFollowOnArm64 = 0x8000;
    private const int OwnerAlone = 0x180; // 0600
    private const int LockExclusive = 2, LockWithoutWait = 4;
    private const int NoEntry = 2, Exists = 17, TooManyLinks = 40;

    private const int StatOnX64 = 332, StatOnArm64 = 291;
    private const int EmptyPath = 0x1000, BasicFields = 0x7FF;
    private const int StatBytes = 256, OwnerAt = 20, ModeAt = 28;
    private const int KindMask = 0xF000, RegularKind = 0x8000;

    /// <summary>True where the calls of Linux are used.</summary>
    public static bool IsGuarded { get; } = OperatingSystem.IsLinux() && !PortableWay.IsAsked
        && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>Makes a file that is not there, for this user alone.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="reservedBytes">Space that it will need, where that can be reserved.</param>
    /// <exception cref="IOException">It is there, or cannot be made.</exception>
    public static FileStream CreateNew(string path, long reservedBytes = 0) => IsGuarded && reservedBytes == 0
        ? new(Open(path, ReadWrite | Create | Exclusive), FileAccess.ReadWrite, bufferSize: 0)
        : OpenPortable(path, FileMode.CreateNew, FileShare.ReadWrite | FileShare.Delete, reservedBytes);

    /// <summary>Opens a file that is there.</summary>
    /// <exception cref="IOException">It is not there, is a link, is no file, or belongs to another user.</exception>
    public static FileStream OpenExisting(string path) => IsGuarded
        ? new(Open(path, ReadWrite), FileAccess.ReadWrite, bufferSize: 0)
        : OpenPortable(path, FileMode.Open, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Opens or makes a file and locks it; null when somebody else has it locked.</summary>
    /// <exception cref="IOException">It is a link, is no file, or belongs to another user.</exception>
    public static IDisposable? TryLock(string path)
    {
        if (!IsGuarded)
            return TryLockPortable(path);
        SafeFileHandle file = Open(path, ReadWrite | Create);
        if (FileLock(file, LockExclusive | LockWithoutWait) == 0)
            return file;
        file.Dispose();
        return null;
    }

    /// <summary>Whether an open file is this user's, and a file at all: a sentence about it where it is not.</summary>
    public static string? FindProblem(SafeFileHandle file)
    {
        Span<byte> fields = stackalloc byte[StatBytes];
        if (Stat(IsX64 ? StatOnX64 : StatOnArm64, file, "", EmptyPath, BasicFields, fields) != 0)
            return "whose it is cannot be told";
        if (MemoryMarshal.Read<uint>(fields[OwnerAt..]) != EffectiveUser())
            return "it belongs to another user";
        return (MemoryMarshal.Read<ushort>(fields[ModeAt..]) & KindMask) == RegularKind ? null : "it is no regular file";
    }

    private static SafeFileHandle Open(string path, int flags)
    {
        SafeFileHandle file = OpenFile(path, flags | CloseOnExec | (IsX64 ? NoFollowOnX64 : NoFollowOnArm64), OwnerAlone);
        if (file.IsInvalid)
            throw Failed(path, Marshal.GetLastPInvokeError());
        if (FindProblem(file) is not { } problem)
            return file;
        file.Dispose();
        throw new IOException(problem);
    }

    private static IOException Failed(string path, int error) => error switch
    {
        NoEntry => new FileNotFoundException(null, path),
        TooManyLinks => new IOException("it is a link"),
        Exists => new IOException("it is there already, and cannot be deleted"),
        _ => new IOException(Marshal.GetPInvokeErrorMessage(error)),
    };

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

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle OpenFile(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "flock")]
    private static partial int FileLock(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "syscall", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint Stat(nint number, SafeFileHandle file, string path, nint flags, nint mask, Span<byte> fields);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint EffectiveUser();
}
