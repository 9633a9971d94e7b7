using System.Buffers.Text;
using System.Text;
using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Guide;

/// <summary>A latency file of one of the guide's programs, of any edition: statistics of its rows, one for each stamped message.</summary>
/// <remarks>
/// Read once from front to back, in memory that does not grow with the file. Columns are found by name, ignoring spaces and case, because editions
/// write them differently. An invalid row is left out.
/// </remarks>
internal sealed class LatencyFile
{
    private const double MicrosPerSecond = 1_000_000;
    private const long MaxBytes = 16L * 1024 * 1024 * 1024;
    private static readonly (string Word, string Label)[] Kinds = [("upd", "updates"), ("pst", "posts"), ("gen", "generic")];

    private readonly LatencyColumns _columns;
    private readonly LatencyRows?[] _rows = new LatencyRows?[Kinds.Length + 1];
    private readonly int _capacity;
    private readonly TimeSpan _skipped;
    private long _firstAt = long.MaxValue;
    private double _unitsPerSecond = MicrosPerSecond;

    private LatencyFile(string name, LatencyColumns columns, int capacity, TimeSpan skipped) =>
        (Name, _columns, _capacity, _skipped) = (name, columns, capacity, skipped);

    /// <summary>Its name without folder and extension.</summary>
    public string Name { get; }

    /// <summary>The rows of each kind of message; kinds without rows are left out.</summary>
    public IEnumerable<LatencyRows> Rows => _rows.OfType<LatencyRows>();

    /// <summary>Reads a file; null for one that is no latency file, or has no row.</summary>
    /// <param name="path">The file.</param>
    /// <param name="maxPoints">Maximum points kept of each kind.</param>
    /// <param name="skipped">Time from the first message on whose rows are left out: an edition's programs warm up in it.</param>
    /// <exception cref="PerfCommon.SetupException">It cannot be read (exit code 3).</exception>
    public static LatencyFile? TryRead(string path, int maxPoints, TimeSpan skipped = default)
    {
        using Stream stream = ResultFile.Open(path, MaxBytes);
        ShortLines lines = new(stream);
        if (!lines.TryRead(out ReadOnlySpan<byte> header) || LatencyColumns.TryFind(Encoding.UTF8.GetString(header)) is not { } columns)
            return null;
        LatencyFile file = new(Path.GetFileNameWithoutExtension(path), columns, maxPoints, skipped);
        while (lines.TryRead(out ReadOnlySpan<byte> line))
            file.Add(line);
        return file.Rows.Any() ? file : null;
    }

    /// <summary>Returns the seconds since the first message of the file.</summary>
    public double SecondsOf(SampledPoint point) => (point.At - _firstAt) / _unitsPerSecond;

    private void Add(ReadOnlySpan<byte> line)
    {
        Span<Range> cells = stackalloc Range[LatencyColumns.MaxCells];
        if (!TrySplit(line, cells[.._columns.Count]) || !TryReadNumber(line[cells[_columns.Sent]], out long sent)
            || !TryReadNumber(line[cells[_columns.Received]], out long received)
            || !TryReadDecimal(line[cells[_columns.Latency]], out double latency)
            || FindKind(_columns.Kind is { } kind ? line[cells[kind]] : default) is not { } at)
        {
            return;
        }

        double micros = _columns.IsInNanos ? latency / Clock.NanosPerMicro : latency;
        DetectUnit(received - sent, micros);
        _firstAt = Math.Min(_firstAt, received);
        if (received - _firstAt < _skipped.TotalSeconds * _unitsPerSecond)
            return;
        LatencyRows rows = _rows[at] ??= new LatencyRows(at < Kinds.Length ? Kinds[at].Label : "messages", _capacity);
        rows.Add(new SampledPoint(received, micros));
    }

    private static bool TrySplit(ReadOnlySpan<byte> line, Span<Range> cells)
    {
        int count = 0;
        foreach (Range cell in line.Split((byte)','))
        {
            if (count == cells.Length)
                return false;
            cells[count++] = cell;
        }

        return count == cells.Length;
    }

    // With -nanoTime times are in nanoseconds while latencies stay in microseconds.
    private void DetectUnit(long difference, double micros)
    {
        if (_columns.IsInNanos || (micros != 0 && Math.Abs(difference / micros) > Clock.NanosPerMicro / 2))
            _unitsPerSecond = Clock.NanosPerSecond;
    }

    private static int? FindKind(ReadOnlySpan<byte> word)
    {
        if (word.IsEmpty)
            return Kinds.Length;
        Span<byte> lower = stackalloc byte[4];
        word = word.Trim((byte)' ');
        if (word.Length >= lower.Length || Ascii.ToLower(word, lower, out int length) != System.Buffers.OperationStatus.Done)
            return null;
        for (int i = 0; i < Kinds.Length; i++)
        {
            if (Ascii.Equals(lower[..length], Kinds[i].Word))
                return i;
        }

        return null;
    }

    private static bool TryReadNumber(ReadOnlySpan<byte> cell, out long value)
    {
        ReadOnlySpan<byte> text = cell.Trim(" \r"u8);
        return Utf8Parser.TryParse(text, out value, out int used) && used == text.Length;
    }

    private static bool TryReadDecimal(ReadOnlySpan<byte> cell, out double value)
    {
        ReadOnlySpan<byte> text = cell.Trim(" \r"u8);
        return Utf8Parser.TryParse(text, out value, out int used) && used == text.Length && double.IsFinite(value);
    }
}

/// <summary>The positions of a latency file's columns, by its header.</summary>
/// <param name="Count">The number of columns.</param>
/// <param name="Kind">Position of the kind of message; null for a file of messages of one kind.</param>
/// <param name="Sent">Position of the time of sending.</param>
/// <param name="Received">Position of the time of receiving.</param>
/// <param name="Latency">Position of the latency.</param>
/// <param name="IsInNanos">True when everything is in nanoseconds.</param>
internal sealed record LatencyColumns(int Count, int? Kind, int Sent, int Received, int Latency, bool IsInNanos)
{
    public const int MaxCells = 8;

    /// <summary>Finds the columns in a header; null for the header of another file.</summary>
    public static LatencyColumns? TryFind(string header)
    {
        string[] names = [.. header.Split(',').Select(GuideFile.Normalize)];
        int kind = Array.IndexOf(names, "messagetype"), sent = Array.IndexOf(names, "sendtime"), received = Array.IndexOf(names, "receivetime");
        int latency = Array.FindIndex(names, name => name is "latency(usec)" or "latency(nsec)");
        return names.Length <= MaxCells && sent >= 0 && received >= 0 && latency >= 0
            ? new(names.Length, kind < 0 ? null : kind, sent, received, latency, names[latency] == "latency(nsec)") : null;
    }
}
