using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Results;

/// <summary>A run as its folder tells it: <c>run.json</c>, the collections of its roles, their histograms.</summary>
internal sealed class RecordedRun
{
    private RecordedRun(string folder, RunDocument document) => (Folder, Document) = (folder, document);

    public string Folder { get; }

    public RunDocument Document { get; }

    /// <summary>The roles that were started, in the order of the run; what they left is read when it is asked for.</summary>
    public IReadOnlyList<RecordedRole> Roles =>
        field ??= [.. Document.Roles.Where(role => role.Files is not null).Select(role => new RecordedRole(Folder, role))];

    /// <summary>True where there is a run to read.</summary>
    public static bool IsIn(string folder) => File.Exists(Path.Combine(folder, RunFile.Name));

    /// <summary>Opens the folder of a run.</summary>
    /// <exception cref="SetupException">There is no run.json of the present format (exit code 3).</exception>
    public static RecordedRun Read(string folder) => new(folder, RunFile.Read(Path.Combine(folder, RunFile.Name)));
}

/// <summary>What one role left in the folder of a run.</summary>
internal sealed class RecordedRole(string folder, RoleResult result)
{
    /// <summary>The tag of the line of a log that has the whole steady state (docs/histograms.md).</summary>
    private const string SteadyTag = "steady";
    private const string LogExtension = ".hlog";

    public RoleResult Result => result;

    /// <summary>Its collections, in order; none where it left none.</summary>
    public IReadOnlyList<RoleInterval> Intervals => field ??= [.. ReadLines().Select(RoleInterval.TryRead).OfType<RoleInterval>()];

    /// <summary>The series that it left histograms of, all threads together.</summary>
    public IReadOnlyList<string> Series => field ??= FindSeries();

    /// <summary>The samples of each collection, in the order of <see cref="Intervals"/>; none where there is no such log.</summary>
    /// <remarks>
    /// Read line by line into one histogram, which is valid until the next is asked for. What is damaged, as after a cut, ends it.
    /// </remarks>
    public IEnumerable<LongHistogram> ReadIntervals(string series) =>
        ReadLog(series).Where(interval => interval.Tag is null).Select(interval => interval.Histogram);

    /// <summary>All samples of the steady state, or of the whole run where it has no start-up; null where there is no such log.</summary>
    public LongHistogram? ReadWhole(string series)
    {
        LongHistogram? sum = null;
        foreach (HistogramLogInterval interval in ReadLog(series))
        {
            if (interval.Tag == SteadyTag)
                return interval.Histogram;
            if (sum is null)
                sum = interval.Histogram.Copy();
            else
                sum.Add(interval.Histogram);
        }

        return sum;
    }

    private IReadOnlyList<JsonElement> ReadLines() =>
        new JsonLinesReader(Path.Combine(folder, result.Files!.JsonLines)).ReadNew();

    // A digit at the end of the name is the number of a thread.
    private string[] FindSeries() =>
    [
        .. Directory.GetFiles(folder, $"{result.Files!.Histograms}-*{LogExtension}")
            .Select(path => Path.GetFileNameWithoutExtension(path)[(Path.GetFileName(result.Files!.Histograms).Length + 1)..])
            .Where(name => name.Length > 0 && !char.IsAsciiDigit(name[^1])).Order(StringComparer.Ordinal),
    ];

    private IEnumerable<HistogramLogInterval> ReadLog(string series)
    {
        string path = Path.Combine(folder, $"{result.Files!.Histograms}-{series}{LogExtension}");
        if (!File.Exists(path))
            yield break;
        using IEnumerator<HistogramLogInterval> intervals = HistogramLogReader.ReadFile(path, keepsOne: true).GetEnumerator();
        while (TryMove(intervals))
            yield return intervals.Current;
    }

    private static bool TryMove(IEnumerator<HistogramLogInterval> intervals)
    {
        try
        {
            return intervals.MoveNext();
        }
        catch (Exception cause) when (cause is HistogramFormatException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

/// <summary>One collection of a role.</summary>
/// <param name="Utc">When it was made; the interval ends there.</param>
/// <param name="Seconds">Length of the interval.</param>
/// <param name="Line">The whole line (docs/json-lines.md).</param>
internal sealed record RoleInterval(DateTime Utc, double Seconds, JsonElement Line)
{
    public JsonView View => new(Line);

    /// <summary>Takes it from a line; null for the final one, and for one without a time.</summary>
    public static RoleInterval? TryRead(JsonElement line)
    {
        const DateTimeStyles Utc = DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal;
        JsonView view = new(line);
        return !view.IsTrue("final") && view.Part("overall").Exists
            && DateTime.TryParse(view.Text("utc"), CultureInfo.InvariantCulture, Utc, out DateTime utc)
            ? new(utc, view.Number("intervalSeconds") ?? 0, line) : null;
    }
}
