using System.Globalization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Guide;

/// <summary>A statistics file of one of the guide's programs, of any edition: its program, and its rows.</summary>
/// <remarks>
/// Columns are found by name, ignoring spaces and case, because editions write them differently. An invalid row is left out.
/// </remarks>
internal sealed class GuideFile
{
    private const long MaxBytes = 256 * 1024 * 1024;
    private const int MaxLineChars = 64 * 1024;
    private const double MaxValue = 1e16;
    private const string Utc = "utc";
    private static readonly string[] TimeForms = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd HH:mm:ss.fff"];

    private readonly string[] _columns;
    private readonly List<string[]> _rows;

    private GuideFile(string name, string[] columns, List<string[]> rows) => (Name, _columns, _rows) = (name, columns, rows);

    /// <summary>Its name without folder and extension.</summary>
    public string Name { get; }

    /// <summary>The time of each row; a row without a readable time is the usual interval after the one before.</summary>
    public IReadOnlyList<DateTime> Times => field ??= ReadTimes();

    /// <summary>Reads a file; null for one that is no statistics file.</summary>
    /// <exception cref="PerfCommon.SetupException">It cannot be read (exit code 3).</exception>
    public static GuideFile? TryRead(string path)
    {
        using IEnumerator<string> lines = ResultFile.ReadLines(path, isWhole: false, MaxBytes, MaxLineChars).GetEnumerator();
        if (!lines.MoveNext() || lines.Current.Split(',') is not [var first, _, ..] header || Normalize(first) != Utc)
            return null;
        List<string[]> rows = [];
        while (lines.MoveNext())
        {
            string line = lines.Current;
            string[] cells = line.Split(',', StringSplitOptions.TrimEntries);
            // some editions write one count more than NIProvPerf's header has columns, directly after the time
            if (cells.Length == header.Length + 1)
                cells = [cells[0], .. cells[2..]];
            if (cells.Length == header.Length)
                rows.Add(cells);
        }

        return new(Path.GetFileNameWithoutExtension(path), [.. header.Select(Normalize)], rows);
    }

    /// <summary>True when it has this column.</summary>
    public bool Has(string column) => Array.IndexOf(_columns, Normalize(column)) >= 0;

    /// <summary>Returns the values of a column, null where a row has none; nothing but nulls where the file has no such column.</summary>
    public IReadOnlyList<double?> Values(string column)
    {
        int at = Array.IndexOf(_columns, Normalize(column));
        return [.. _rows.Select(row =>
            at >= 0 && double.TryParse(row[at], NumberStyles.Float, CultureInfo.InvariantCulture, out double value)
            && Math.Abs(value) <= MaxValue ? value : (double?)null)];
    }

    /// <summary>Returns a column's name without spaces, in small letters.</summary>
    internal static string Normalize(string column) =>
        string.Concat(column.Where(letter => !char.IsWhiteSpace(letter) && letter != '\uFEFF')).ToLowerInvariant();

    private List<DateTime> ReadTimes()
    {
        List<DateTime> times = [];
        foreach (string[] row in _rows)
        {
            bool isKnown = DateTime.TryParseExact(row[0], TimeForms, CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out DateTime time) && ResultTime.CanBe(time);
            times.Add(isKnown ? time : times.Count > 1 ? times[^1] + (times[^1] - times[^2]) : times.LastOrDefault());
        }

        return times;
    }
}
