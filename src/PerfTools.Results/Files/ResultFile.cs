using System.Text;
using PerfCommon;

namespace PerfTools.Results.Files;

/// <summary>
/// Reads result files, which may be from another source: regular files inside their folder, never through a link, up to a limit of size. Any error in
/// one ends the program with exit code 3 and a line that names the file.
/// </summary>
internal static class ResultFile
{
    /// <summary>Maximum bytes of a file that is read whole: run.json, the descriptions of ranks.</summary>
    public const int MaxWholeBytes = 64 * 1024 * 1024;

    /// <summary>Maximum bytes of a file that is read line by line: JSON lines, histograms, statistics.</summary>
    public const long MaxLinesBytes = 1024L * 1024 * 1024;

    /// <summary>Maximum characters of one of its lines.</summary>
    public const int MaxLineChars = LimitedLines.MaxChars;

    private const string Upwards = "..";
    private const byte LineFeed = (byte)'\n';

    /// <summary>Returns the path of a file that a result file names.</summary>
    /// <param name="folder">The folder of the results.</param>
    /// <param name="name">The file's name, or its path from there.</param>
    /// <exception cref="SetupException">It leads out of the folder.</exception>
    public static string PathIn(string folder, string name)
    {
        string path = Path.Combine(folder, name);
        string[] steps = name.Split('/', Path.DirectorySeparatorChar);
        if (name.Length == 0 || name.Contains('\0', StringComparison.Ordinal) || Path.IsPathRooted(name) || steps.Contains(Upwards))
            throw FileErrors.Input(folder, $"\"{PrintableText.From(name)}\" is no name of a file in it");
        for (string? above = Path.GetDirectoryName(path); above?.Length > folder.Length; above = Path.GetDirectoryName(above))
        {
            if (new DirectoryInfo(above).LinkTarget is not null)
                throw FileErrors.Input(above, "it is a link");
        }

        return path;
    }

    /// <summary>True where this name exists, whether as a file or not.</summary>
    public static bool IsThere(string path) => Path.Exists(path) || new FileInfo(path).LinkTarget is not null;

    /// <summary>Reads a file whole as UTF-8.</summary>
    /// <exception cref="SetupException">It cannot be read.</exception>
    public static string ReadText(string path, int maxBytes = MaxWholeBytes)
    {
        try
        {
            using Stream file = RegularFile.OpenRead(path);
            return Encoding.UTF8.GetString(LimitedFile.Read(file, maxBytes)).TrimStart('\uFEFF');
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    /// <summary>Reads the bytes that another program has appended to a file, at most <see cref="MaxWholeBytes"/>.</summary>
    /// <exception cref="SetupException">It cannot be read.</exception>
    public static byte[] ReadChunk(string path, long from)
    {
        try
        {
            using Stream file = RegularFile.OpenRead(path);
            byte[] piece = new byte[Math.Clamp(file.Length - from, 0, MaxWholeBytes)];
            file.Position = from;
            return piece.AsSpan(0, file.ReadAtLeast(piece, piece.Length, throwOnEndOfStream: false)).ToArray();
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    /// <summary>Opens a file that is read line by line.</summary>
    /// <exception cref="SetupException">It cannot be read.</exception>
    public static Stream Open(string path, long maxBytes = MaxLinesBytes)
    {
        try
        {
            Stream file = RegularFile.OpenRead(path);
            if (file.Length <= maxBytes)
                return file;
            file.Dispose();
            throw new IOException(FormattableString.Invariant($"more than {maxBytes} bytes"));
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    /// <summary>Reads the lines of a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="isWhole">True for complete lines only: the last one of a killed program may be incomplete.</param>
    /// <param name="maxBytes">Maximum bytes of the file.</param>
    /// <param name="maxLineChars">Maximum characters of a line.</param>
    /// <exception cref="SetupException">It cannot be read, or a line is too long.</exception>
    public static IEnumerable<string> ReadLines(
        string path, bool isWhole, long maxBytes = MaxLinesBytes, int maxLineChars = MaxLineChars)
    {
        using Stream file = Open(path, maxBytes);
        using StreamReader text = new(isWhole ? WholeLinesOf(file) : file);
        using IEnumerator<string> lines = LimitedLines.Read(text, maxLineChars).GetEnumerator();
        while (TryMove(lines, path))
            yield return lines.Current;
    }

    /// <summary>Returns the part of a file that consists of complete lines.</summary>
    public static Stream WholeLinesOf(Stream file)
    {
        byte[] piece = new byte[64 * 1024];
        for (long from = file.Length; from > 0;)
        {
            int length = (int)Math.Min(piece.Length, from);
            file.Position = from -= length;
            file.ReadExactly(piece, 0, length);
            if (piece.AsSpan(0, length).LastIndexOf(LineFeed) is >= 0 and int last)
            {
                file.Position = 0;
                return new BeginOfStream(file, from + last + 1);
            }
        }

        return Stream.Null;
    }

    /// <summary>Creates the exception for a line.</summary>
    public static SetupException Malformed(string path, int line, string what, Exception? cause = null) =>
        FileErrors.Input(path, FormattableString.Invariant($"line {line}: {what}"), cause);

    private static bool TryMove(IEnumerator<string> lines, string path)
    {
        try
        {
            return lines.MoveNext();
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            throw FileErrors.Unreadable(path, cause);
        }
    }

    // The first bytes of another stream.
    private sealed class BeginOfStream(Stream whole, long length) : Stream
    {
        private long _rest = length;

        public override bool CanRead => true;
        public override bool CanSeek => false;
        public override bool CanWrite => false;
        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = whole.Read(buffer, offset, (int)Math.Min(count, _rest));
            _rest -= read;
            return read;
        }

        public override void Flush() => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
