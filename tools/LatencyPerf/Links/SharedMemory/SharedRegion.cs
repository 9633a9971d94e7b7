using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace LatencyPerf.Links;

/// <summary>Memory that processes of one user share: a file, mapped. Every access is checked against its size.</summary>
/// <remarks>Who writes beside the rules can make a reader read nonsense, never leave the memory.</remarks>
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

    /// <summary>Its size.</summary>
    public long Bytes { get; }

    /// <summary>False when the file was cut short: who touches what is not there any more is ended by the system.</summary>
    public bool IsWhole => _isSealed || RandomAccess.GetLength(_memory) >= Bytes;

    /// <summary>Makes the memory, its space reserved: no access finds later that there is none.</summary>
    /// <param name="path">Where others find it; nobody but this user.</param>
    /// <param name="bytes">Its size.</param>
    /// <exception cref="IOException">There is no such space.</exception>
    public static SharedRegion Create(string path, long bytes) =>
        OwnFile.IsGuarded ? SealedMemory.Create(path, bytes) : CreateFile(path, bytes);

    /// <summary>Maps the memory that somebody else has made.</summary>
    /// <exception cref="IOException">It is not there, or is not this user's.</exception>
    public static SharedRegion Open(string path) => OwnFile.IsGuarded ? SealedMemory.Open(path) : OpenFile(path);

    /// <summary>The same where its file is not sealed.</summary>
    /// <exception cref="IOException">It is not there, is empty, or is a link.</exception>
    public static SharedRegion OpenFile(string path)
    {
        FileStream file = OwnFile.OpenExisting(path);
        if (file.Length > 0)
            return Map(file.SafeFileHandle, file.Length, isSealed: false);
        file.Dispose();
        throw new IOException("it is empty");
    }

    /// <summary>Makes a file that is not sealed.</summary>
    /// <exception cref="IOException">It is there already, or there is no such space.</exception>
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

    /// <summary>Maps memory that is open; it is the region's to close.</summary>
    public static SharedRegion Map(SafeFileHandle memory, long bytes, bool isSealed) => new(memory, bytes, isSealed);

    /// <summary>A number of 32 bits at a place.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is outside.</exception>
    public ref uint Word(long at) => ref Unsafe.AsRef<uint>(At(at, sizeof(uint)));

    /// <summary>A number of 64 bits at a place.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is outside.</exception>
    public ref ulong Long(long at) => ref Unsafe.AsRef<ulong>(At(at, sizeof(ulong)));

    /// <summary>Bytes at a place.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Some of them are outside.</exception>
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
