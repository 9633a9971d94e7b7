using PerfCommon;

namespace PerfTools.Hosting.Reporting;

/// <summary>One output file: opened before the run starts, flushed after each piece, never the reason why a run stops.</summary>
/// <remarks>A piece is formatted in memory and handed over whole. When a later write fails the failure is remembered, the rest is
/// left out and the run goes on to its end. Main thread only.</remarks>
internal sealed class ReportFile : IDisposable
{
    private readonly string _path;
    private readonly FileStream _file; // unbuffered: closing it writes nothing
    private readonly MemoryStream _piece = new();

    private ReportFile(string path, FileStream file) => (_path, _file) = (path, file);

    /// <summary>Why a write failed, as a sentence that names the file; null while all is well.</summary>
    public string? Failure { get; private set; }

    /// <summary>Creates the file, or empties the one that is there.</summary>
    /// <exception cref="SetupException">It cannot be created.</exception>
    public static ReportFile Create(string path)
    {
        try
        {
            return new ReportFile(path, new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0));
        }
        catch (Exception cause) when (FileTrouble.IsMeantBy(cause))
        {
            throw new SetupException(SetupProblem.OutputFile, $"{PrintableText.From(path)}: cannot be created: {FileTrouble.Describe(path, cause)}", cause);
        }
    }

    /// <summary>Appends text as UTF-8 without byte order mark and flushes it; line ends are one line feed.</summary>
    public void Append(Action<TextWriter> write) => AppendBytes(piece =>
    {
        using StreamWriter writer = new(piece, leaveOpen: true) { NewLine = "\n" };
        write(writer);
    });

    /// <summary>Appends bytes and flushes them.</summary>
    public void AppendBytes(Action<Stream> write)
    {
        if (Failure is not null)
            return;

        _piece.SetLength(0);
        write(_piece);
        try
        {
            _file.Write(_piece.GetBuffer(), 0, (int)_piece.Length);
            _file.Flush();
        }
        catch (Exception cause) when (FileTrouble.IsMeantBy(cause))
        {
            Failure = $"{PrintableText.From(_path)}: cannot be written: {FileTrouble.Describe(_path, cause)}";
        }
    }

    public void Dispose()
    {
        _file.Dispose();
        _piece.Dispose();
    }
}
