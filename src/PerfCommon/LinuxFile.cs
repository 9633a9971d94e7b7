using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace PerfCommon;

/// <summary>Opens files by Linux system calls, so that no link is followed and no call waits.</summary>
internal static partial class LinuxFile
{
    /// <summary>Flags for opening a file, in addition to those that are always set.</summary>
    public const int ReadOnly = 0, ReadWrite = 2, Create = 0x40, Exclusive = 0x80;

    private const int NoWait = 0x800, CloseOnExec = 0x80000;
    private const int NoFollowOnX64 = 0x20000, NoFollowOnArm64 = 0x8000;
    private const int OwnerAlone = 0x180; // 0600
    private const int NoEntry = 2, NoDevice = 6, Denied = 13, Exists = 17, TooManyLinks = 40;

    private const int StatOnX64 = 332, StatOnArm64 = 291;
    private const int EmptyPath = 0x1000, BasicFields = 0x7FF;
    private const int StatBytes = 256, OwnerAt = 20, ModeAt = 28;
    private const int KindMask = 0xF000, RegularKind = 0x8000;

    /// <summary>True where these calls are used.</summary>
    public static bool IsUsed { get; } = OperatingSystem.IsLinux() && !PortableWay.IsRequested
        && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>Opens a file; only this user may access a new one.</summary>
    /// <exception cref="IOException">It is a link, or cannot be opened; other exceptions as <see cref="File.OpenRead"/>.</exception>
    public static SafeFileHandle Open(string path, int flags)
    {
        SafeFileHandle file = OpenFile(path, flags | NoWait | CloseOnExec | (IsX64 ? NoFollowOnX64 : NoFollowOnArm64), OwnerAlone);
        return file.IsInvalid ? throw Failed(path, Marshal.GetLastPInvokeError()) : file;
    }

    /// <summary>Returns the owner of an open file, and whether it is a regular file: no folder, pipe or device.</summary>
    /// <returns>False where the system does not report it.</returns>
    public static bool TryDescribe(SafeFileHandle file, out uint owner, out bool isRegular)
    {
        Span<byte> fields = stackalloc byte[StatBytes];
        bool isTold = Stat(IsX64 ? StatOnX64 : StatOnArm64, file, "", EmptyPath, BasicFields, fields) == 0;
        owner = MemoryMarshal.Read<uint>(fields[OwnerAt..]);
        isRegular = isTold && (MemoryMarshal.Read<ushort>(fields[ModeAt..]) & KindMask) == RegularKind;
        return isTold;
    }

    private static Exception Failed(string path, int error) => error switch
    {
        NoEntry => new FileNotFoundException("no such file", path),
        TooManyLinks => new IOException("it is a link"),
        Denied => new UnauthorizedAccessException(),
        NoDevice => new IOException("it is no regular file"), // a socket, or a pipe without a reader
        Exists => new IOException("it is there already, and cannot be deleted"),
        _ => new IOException(Marshal.GetPInvokeErrorMessage(error)),
    };

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle OpenFile(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "syscall", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint Stat(nint number, SafeFileHandle file, string path, nint flags, nint mask, Span<byte> fields);
}
