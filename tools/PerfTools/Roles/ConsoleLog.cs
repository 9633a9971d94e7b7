using System.Globalization;

namespace PerfTools.Roles;

/// <summary>Keeps what a role prints: every line into a file, and the two lines a run needs to know.</summary>
/// <remarks>Lines come from two threads, one for each stream.</remarks>
internal sealed class ConsoleLog(string path) : IDisposable
{
    private const string PortLine = "Listening on port ";

    private readonly Lock _lock = new();
    private readonly StreamWriter _file = new(path) { AutoFlush = true, NewLine = "\n" };
    private bool _closed;
    private int? _port;

    /// <summary>The last line that was not empty on stderr.</summary>
    public string? LastErrorLine { get; private set; }

    /// <summary>The port of the first line <c>Listening on port n</c>.</summary>
    public int? Port
    {
        get
        {
            lock (_lock)
                return _port;
        }
    }

    /// <summary>Takes one line.</summary>
    /// <returns>True when it named the port.</returns>
    public bool Add(string line, bool isError)
    {
        lock (_lock)
        {
            if (_closed)
                return false;
            _file.WriteLine(line);
            if (isError && !string.IsNullOrWhiteSpace(line))
                LastErrorLine = line.Trim();
            if (isError || _port is not null || !TryReadPort(line, out int port))
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

    /// <summary>Reads <c>Listening on port n</c>, with anything behind the number that is no digit.</summary>
    internal static bool TryReadPort(string line, out int port)
    {
        port = 0;
        ReadOnlySpan<char> text = line.AsSpan().Trim();
        if (!text.StartsWith(PortLine, StringComparison.Ordinal))
            return false;
        text = text[PortLine.Length..];
        int digits = text.IndexOfAnyExceptInRange('0', '9');
        return int.TryParse(digits < 0 ? text : text[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is > 0 and <= ushort.MaxValue;
    }
}
