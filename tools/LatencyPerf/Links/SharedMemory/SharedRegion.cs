using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace LatencyPerf.Links;

/// <summary>Memory that processes of one user share: a mapped file. Every access is checked against its size.</summary>
/// <remarks>A process that breaks the layout can make a reader read nonsense, but never leave the memory.</remarks>
internal sealed unsafe class SharedRegion : IDisposable
{
    private readonly SafeFileHandle _memory;
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private readonly bool _isSealed;
    private bool _isDisposed;

    private SharedRegion(SafeFileHandle memory, long bytes, bool isSealed)
    {
        (_memory, Bytes, _isSealed) = (memory, bytes, isSealed);
        _file = MemoryMappedFile.CreateFromFile(memory, null, bytes, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None,
            leaveOpen: false);
        _view = _file.CreateViewAccessor(0, bytes);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        _start += _view.PointerOffset;
    }

    /// <summary>Its size in bytes.</summary>
    public long Bytes { get; }

    /// <summary>False when the file was truncated: the system ends a process that touches the missing part.</summary>
    public bool IsWhole => _isSealed || RandomAccess.GetLength(_memory) >= Bytes;

    /// <summary>Creates the memory with its space reserved: no later access fails for lack of space.</summary>
    /// <param name="path">The path for other processes, of this user only.</param>
    /// <param name="bytes">Its size.</param>
    /// <exception cref="IOException">There is no such space.</exception>
    public static SharedRegion Create(string path, long bytes) =>
        OwnFile.IsGuarded ? SealedMemory.Create(path, bytes) : CreateFile(path, bytes);

    /// <summary>Maps the memory that another process has created.</summary>
    /// <exception cref="IOException">It does not exist, or is not this user's.</exception>
    public static SharedRegion Open(string path) => OwnFile.IsGuarded ? SealedMemory.Open(path) : OpenFile(path);

    /// <summary>The same where its file is not sealed.</summary>
    /// <exception cref="IOException">It does not exist, is empty, or is a link.</exception>
    public static SharedRegion OpenFile(string path)
    {
        FileStream file = OwnFile.OpenExisting(path);
        if (file.Length > 0)
            return Map(file.SafeFileHandle, file.Length, isSealed: false);
        file.Dispose();
        throw new IOException("it is empty");
    }

    /// <summary>Creates a file that is not sealed.</summary>
    /// <exception cref="IOException">It exists already, or there is no such space.</exception>
    public static SharedRegion CreateFile(string path, long bytes)
    {
        FileStream file = OwnFile.CreateNew(path, bytes);
        try
        {
            file.SetLength(bytes);
            return Map(file.SafeFileHandle, bytes, isSealed: false);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Maps open memory; the region closes it.</summary>
    public static SharedRegion Map(SafeFileHandle memory, long bytes, bool isSealed) => new(memory, bytes, isSealed);

    /// <summary>A number of 32 bits at an offset.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is outside of the memory.</exception>
    public ref uint Word(long at) => ref Unsafe.AsRef<uint>(At(at, sizeof(uint)));

    /// <summary>A number of 64 bits at an offset.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is outside of the memory.</exception>
    public ref ulong Long(long at) => ref Unsafe.AsRef<ulong>(At(at, sizeof(ulong)));

    /// <summary>Bytes at an offset.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Some of them are outside of the memory.</exception>
    public Span<byte> Slice(long at, int bytes) => new(At(at, bytes), bytes);

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }

    private byte* At(long at, int bytes)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (at < 0 || bytes < 0 || at > Bytes - bytes)
            throw new ArgumentOutOfRangeException(nameof(at), at, "outside of the shared memory");
        return _start + at;
    }
}
