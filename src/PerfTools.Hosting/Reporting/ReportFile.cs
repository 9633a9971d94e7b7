using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>One output file: opened before the run starts, flushed after each piece; its failures never stop a run.</summary>
/// <remarks>
/// The contents of an earlier run stay until this one begins: a refused start does not change them. A piece is formatted in memory and written whole.
/// When a write fails the failure is stored, half a piece is removed, the rest but the last piece is left out, and the run goes on to its end. A
/// second program that would write the same file is refused. Main thread only.
/// </remarks>
internal sealed class ReportFile : IDisposable
{
    private const string Devices = "/dev/";

    private readonly string _path;
    private readonly FileRotation? _rotation;
    private readonly MemoryStream _chunk = new();
    private FileStream _file; // unbuffered: closing it writes nothing
    private byte[] _head = [];
    private long _wholeBytes; // end of the last piece
    private bool _isLost;
    private bool _isUnused; // created by us, and nothing written yet

    private ReportFile(string path, FileStream file, bool isNew, FileRotation? rotation)
    {
        (_path, _file, FullPath, IsRegular) = (path, file, Path.GetFullPath(path), IsFile(path, file));
        _isUnused = isNew;
        _rotation = IsRegular ? rotation : null;
    }

    /// <summary>Bytes of all pieces.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>Number of full files that were replaced by a new one.</summary>
    public int Turns { get; private set; }

    /// <summary>Its name, as it was given.</summary>
    public string Name => _path;

    public string FullPath { get; }

    /// <summary>False for a device or a pipe, which several may share.</summary>
    public bool IsRegular { get; }

    /// <summary>The first write failure, as the end of a sentence about the file; null while there is none.</summary>
    public string? Trouble { get; private set; }

    /// <summary>The first write failure, as a sentence that names the file; null while there is none.</summary>
    public string? Failure => DescribeFailure([this]);

    /// <summary>Describes which of these files could not be written to their ends, and why, as a sentence; null when all were.</summary>
    public static string? DescribeFailure(IEnumerable<ReportFile> files)
    {
        string[] sentences =
        [
            .. from file in files
               where file.Trouble is not null
               group PrintableText.From(file._path) by file.Trouble into failed
               select $"{string.Join(", ", failed)}: cannot be written: {failed.Key}",
        ];
        return sentences is [] ? null : string.Join("; ", sentences);
    }

    /// <summary>Creates the file, or opens an existing one; <see cref="Begin"/> empties it.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="rotation">When it is full and replaced by another; null for never.</param>
    /// <exception cref="SetupException">It cannot be created, or another program writes it.</exception>
    public static ReportFile Open(string path, FileRotation? rotation = null)
    {
        try
        {
            bool isNew = new FileInfo(path) is { Exists: false, LinkTarget: null };
            return new ReportFile(path, OpenFile(path), isNew, rotation);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile,
                $"{PrintableText.From(path)}: cannot be created: {FileErrors.Describe(path, cause)}", cause);
        }
    }

    /// <summary>Opens and empties the file at once, for a run that can no longer be refused.</summary>
    /// <inheritdoc cref="Open"/>
    public static ReportFile Create(string path, FileRotation? rotation = null)
    {
        ReportFile file = Open(path, rotation);
        file.Begin();
        return file;
    }

    /// <summary>Empties the file: its run begins.</summary>
    /// <exception cref="SetupException">It cannot be emptied.</exception>
    public void Begin()
    {
        try
        {
            _isUnused = false;
            Empty(_file);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile,
                $"{PrintableText.From(_path)}: cannot be emptied: {FileErrors.Describe(_path, cause)}", cause);
        }
    }

    /// <summary>Writes the lines with which the file begins, and every file that replaces it.</summary>
    public void BeginWith(Action<TextWriter> write)
    {
        using MemoryStream head = new();
        Bytes(write)(head);
        _head = head.ToArray();
        AppendBytes(piece => piece.Write(_head));
    }

    /// <summary>Appends text as UTF-8 without byte order mark and flushes it; line ends are one line feed.</summary>
    public void Append(Action<TextWriter> write, bool isLast = false) => AppendBytes(Bytes(write), isLast);

    /// <summary>Appends bytes and flushes them.</summary>
    /// <param name="write">Writes the piece.</param>
    /// <param name="isLast">
    /// True for the file's main contents: it is tried even when an earlier piece failed, because the disk may have space again.
    /// </param>
    public void AppendBytes(Action<Stream> write, bool isLast = false)
    {
        if (_isLost || (Trouble is not null && !isLast))
            return;

        _chunk.SetLength(0);
        write(_chunk);
        if (_rotation is not null && _wholeBytes > _head.Length && _wholeBytes + _chunk.Length > _rotation.Bytes)
            Turn(_rotation);
        WriteChunk();
    }

    /// <summary>Closes and deletes the file, because it has no contents; a device stays.</summary>
    public void Delete()
    {
        Close();
        try
        {
            if (IsRegular)
                File.Delete(FullPath);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // then it stays, without samples
        }
    }

    /// <summary>Closes the file; one that was created for a run that did not begin is deleted.</summary>
    public void Dispose()
    {
        if (_isUnused)
            Delete();
        else
            Close();
    }

    private void Close()
    {
        _isUnused = false;
        _file.Dispose();
        _chunk.Dispose();
    }

    private static void Empty(FileStream file)
    {
        if (file.CanSeek && file.Length > 0)
            file.SetLength(0);
    }

    // Another program may be writing it. Windows itself refuses a second writer.
    private static FileStream OpenFile(string path)
    {
        FileStream file = new(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.Read, bufferSize: 0);
        try
        {
            if (OperatingSystem.IsLinux() && IsFile(path, file))
                file.Lock(0, long.MaxValue);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static Action<Stream> Bytes(Action<TextWriter> write) => piece =>
    {
        using StreamWriter writer = new(piece, leaveOpen: true) { NewLine = "\n" };
        write(writer);
    };

    private static bool IsFile(string path, FileStream file) =>
        file.CanSeek && !Path.GetFullPath(path).StartsWith(Devices, StringComparison.Ordinal);

    private void WriteChunk()
    {
        if (_isLost)
            return;
        try
        {
            _file.Write(_chunk.GetBuffer(), 0, (int)_chunk.Length);
            _file.Flush();
            _wholeBytes += _chunk.Length;
            BytesWritten += _chunk.Length;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            RemovePartial();
            Trouble ??= FileErrors.Describe(_path, cause);
        }
    }

    // Renames the full file to .1, the former .1 to .2; the oldest is deleted.
    private void Turn(FileRotation rotation)
    {
        try
        {
            _file.Dispose();
            for (int number = rotation.Kept; number > 0; number--)
            {
                string younger = number == 1 ? FullPath : Numbered(number - 1);
                if (File.Exists(younger))
                    File.Move(younger, Numbered(number), overwrite: true);
            }

            _file = OpenFile(FullPath);
            Empty(_file);
            _file.Write(_head);
            _wholeBytes = _head.Length;
            BytesWritten += _head.Length;
            Turns++;
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            _isLost = true;
            Trouble ??= FileErrors.Describe(_path, cause);
        }
    }

    private string Numbered(int number) => string.Create(CultureInfo.InvariantCulture, $"{FullPath}.{number}");

    private void RemovePartial()
    {
        try
        {
            if (!_file.CanSeek)
                return;
            _file.Position = _wholeBytes;
            if (_file.Length > _wholeBytes)
                _file.SetLength(_wholeBytes);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            // the first failure is the one reported
        }
    }
}
