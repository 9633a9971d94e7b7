using System.Globalization;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Processes;

/// <summary>Writes every line that a role prints into a file, and keeps the two lines that a run needs.</summary>
/// <remarks>
/// Lines arrive on two threads, one for each stream. The ready line is the text before the port in the line that names it; null
/// when the role listens on none.
/// </remarks>
/// <exception cref="PerfCommon.SetupException">The file cannot be created (exit code 7).</exception>
internal sealed class ConsoleLog(string path, string? readyLine) : IDisposable
{
    private readonly Lock _lock = new();
    private readonly ReportFile _file = ReportFile.Create(path);
    private bool _closed;
    private volatile int _port; // 0 until known

    /// <summary>The last line that was not empty on stderr.</summary>
    public string? LastErrorLine { get; private set; }

    /// <summary>The last line that was not empty, of both streams.</summary>
    public string? LastLine { get; private set; }

    /// <summary>The port of the first line that names one.</summary>
    public int? Port => _port is > 0 and int port ? port : null;

    /// <summary>Why a line could not be written, as a sentence that names the file; null without a failure.</summary>
    public string? Failure
    {
        get
        {
            lock (_lock)
                return _file.Failure;
        }
    }

    /// <summary>Adds one line; true when it named the port.</summary>
    public bool Add(string line, bool isError)
    {
        lock (_lock)
        {
            if (_closed)
                return false;
            _file.Append(writer => writer.WriteLine(line));
            if (!string.IsNullOrWhiteSpace(line))
                LastLine = line.Trim();
            if (isError && !string.IsNullOrWhiteSpace(line))
                LastErrorLine = line.Trim();
            if (isError || _port > 0 || readyLine is null || !TryReadPort(line, readyLine, out int port))
                return false;
            _port = port;
            return true;
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _closed = true;
            _file.Dispose();
        }
    }

    /// <summary>Parses a line as <c>Listening on port n</c>; the number ends at the first character that is no digit.</summary>
    internal static bool TryReadPort(string line, string readyLine, out int port)
    {
        port = 0;
        ReadOnlySpan<char> text = line.AsSpan().Trim();
        if (!text.StartsWith(readyLine, StringComparison.Ordinal))
            return false;
        text = text[readyLine.Length..];
        int digits = text.IndexOfAnyExceptInRange('0', '9');
        return int.TryParse(digits < 0 ? text : text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is > 0 and <= ushort.MaxValue;
    }
}
