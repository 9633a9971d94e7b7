using System.Runtime.InteropServices;

namespace Fuzz;

/// <summary>
/// Bytes that end at the end of accessible memory: a guard page follows them, so that an access one byte beyond ends the process.
/// </summary>
/// <remarks>Without mmap the bytes are a separate array, which at least its own bounds guard.</remarks>
internal sealed unsafe partial class GuardedBytes
{
    private const int CapacityBytes = 4 * 1024 * 1024;
    private const int ProtectNone = 0;
    private const int ProtectReadWrite = 3;
    private const int MapPrivate = 2;

    private readonly byte* _end;

    public GuardedBytes()
    {
        if (OperatingSystem.IsWindows())
            return;
        int pageBytes = Environment.SystemPageSize;
        int mapAnonymous = OperatingSystem.IsMacOS() ? 0x1000 : 0x20;
        nint start = MemoryMap(0, (nuint)(CapacityBytes + pageBytes), ProtectReadWrite, MapPrivate | mapAnonymous, -1, 0);
        if (start == -1 || MemoryProtect(start + CapacityBytes, (nuint)pageBytes, ProtectNone) != 0)
            throw new InvalidOperationException("there are no pages to guard with");
        _end = (byte*)start + CapacityBytes; // kept to the end of the process: one for each thread
    }

    /// <summary>Returns a buffer of the given size before the guard page; the next call reuses it.</summary>
    public Span<byte> Room(int bytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bytes, CapacityBytes);
        return _end is null ? new byte[bytes] : new Span<byte>(_end - bytes, bytes);
    }

    /// <summary>Copies bytes to the end of the buffer before the guard page.</summary>
    public ReadOnlySpan<byte> Place(ReadOnlySpan<byte> bytes)
    {
        Span<byte> room = Room(bytes.Length);
        bytes.CopyTo(room);
        return room;
    }

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint MemoryMap(nint address, nuint bytes, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect")]
    private static partial int MemoryProtect(nint address, nuint bytes, int protection);
}
