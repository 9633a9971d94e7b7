using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;

namespace LatencyPerf.Links;

/// <summary>Memory that processes of one user share: a file, mapped. Every access is checked against its size.</summary>
/// <remarks>Who writes beside the rules can make a reader read nonsense, never leave the memory.</remarks>
internal sealed unsafe class SharedRegion : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private bool _isDisposed;

    private SharedRegion(MemoryMappedFile file, long bytes)
    {
        _file = file;
        _view = file.CreateViewAccessor(0, bytes);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
        _start += _view.PointerOffset;
        Bytes = bytes;
    }

    /// <summary>Its size.</summary>
    public long Bytes { get; }

    /// <summary>Makes the file, its space reserved: no access finds later that there is none.</summary>
    /// <param name="path">For nobody else to read or write.</param>
    /// <param name="bytes">Its size.</param>
    /// <exception cref="IOException">There is no such space.</exception>
    public static SharedRegion Create(string path, long bytes)
    {
        FileStreamOptions options = new()
        {
            Mode = FileMode.Create,
            Access = FileAccess.ReadWrite,
            Share = FileShare.ReadWrite | FileShare.Delete,
            PreallocationSize = bytes,
        };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        FileStream stream = new(path, options);
        stream.SetLength(bytes);
        return Map(stream, bytes);
    }

    /// <summary>Maps the file of somebody else.</summary>
    /// <exception cref="IOException">It is not there.</exception>
    public static SharedRegion Open(string path)
    {
        FileStream stream = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        return stream.Length > 0 ? Map(stream, stream.Length) : throw Empty(stream);
    }

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

    private static SharedRegion Map(FileStream stream, long bytes) =>
        new(MemoryMappedFile.CreateFromFile(stream, null, bytes, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None,
            leaveOpen: false), bytes);

    private static IOException Empty(FileStream stream)
    {
        stream.Dispose();
        return new IOException("it is empty");
    }

    private byte* At(long at, int bytes)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (at < 0 || bytes < 0 || at > Bytes - bytes)
            throw new ArgumentOutOfRangeException(nameof(at), at, "outside of the shared memory");
        return _start + at;
    }
}
