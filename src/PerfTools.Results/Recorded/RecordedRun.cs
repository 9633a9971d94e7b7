using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Results.Recorded;

/// <summary>A run read from its folder: <c>run.json</c>, the collections of its roles, their histograms.</summary>
public sealed class RecordedRun
{
    private RecordedRun(string folder, RunDocument document) => (Folder, Document) = (folder, document);

    /// <summary>Path of the folder.</summary>
    public string Folder { get; }

    /// <summary>Its run.json.</summary>
    public RunDocument Document { get; }

    /// <summary>The roles that were started, in the order of the run; their files are read on demand.</summary>
    public IReadOnlyList<RecordedRole> Roles =>
        field ??= [.. Document.Roles.Where(role => role.Files is not null).Select(role => new RecordedRole(Folder, role)
        {
            ClockShift = RankClock.ShiftOf(Document.Ranks, Document.Clocks, role.Name),
        })];

    /// <summary>True where there is a run to read.</summary>
    public static bool IsIn(string folder) => ResultFile.IsThere(Path.Combine(folder, RunFile.Name));

    /// <summary>Opens the folder of a run.</summary>
    /// <exception cref="SetupException">There is no run.json of a known format (exit code 3).</exception>
    public static RecordedRun Read(string folder) => new(folder, RunFile.Read(Path.Combine(folder, RunFile.Name)));
}

/// <summary>The files of one role in the folder of a run.</summary>
public sealed class RecordedRole(string folder, RoleResult result)
{
    /// <summary>The tag of the log line with the whole steady state (docs/histograms.md).</summary>
    private const string SteadyTag = "steady";
    private const string LogExtension = ".hlog";
    private const string StepSeries = "steps"; // of a process with users: a line for each step

    /// <summary>Its results in run.json.</summary>
    public RoleResult Result => result;

    /// <summary>The time that is subtracted from its times: those of several machines are then of one clock, that of rank 0.</summary>
    internal TimeSpan ClockShift { get; init; }

    /// <summary>Its collections, in order; none where it left none.</summary>
    public IReadOnlyList<RoleInterval> Intervals => field ??=
        [.. ReadLines().Select(RoleInterval.TryRead).OfType<RoleInterval>().Select(interval => interval with { Utc = interval.Utc - ClockShift })];

    /// <summary>The series with histograms, all threads together.</summary>
    public IReadOnlyList<string> Series => field ??= FindSeries();

    /// <summary>Reads the samples of each collection, in the order of <see cref="Intervals"/>; none where there is no such log.</summary>
    /// <remarks>
    /// Read line by line into one histogram, which is valid until the next is read. An incomplete line at the end, as after a kill, is left out.
    /// </remarks>
    public IEnumerable<LongHistogram> ReadIntervals(string series) =>
        ReadLog(series).Where(interval => interval.Tag is null).Select(interval => interval.Histogram);

    /// <summary>Reads all samples of the steady state, or of the whole run where it has no start-up; null where there is no such log.</summary>
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

    /// <summary>Reads the latencies that a process with users measured in a step of a ramp; null where it measured none in it.</summary>
    /// <param name="step">The step, from 1.</param>
    internal LongHistogram? ReadStep(int step)
    {
        JsonView[] steps = [.. ReadLines().Select(line => new JsonView(line)).Where(line => line.Number("step") is not null)];
        int index = Array.FindIndex(steps, line => line.Number("step") == step && !line.IsFalse("measures"));
        return index < 0 ? null : ReadIntervals(StepSeries).ElementAtOrDefault(index);
    }

    /// <summary>Reads the time of the steady state, to the millisecond; null where there is no log of one.</summary>
    public (DateTime From, DateTime To)? ReadSteadyTime()
    {
        foreach (HistogramLogInterval interval in Series.SelectMany(ReadLog).Where(interval => interval.Tag == SteadyTag))
            return (DateTime.UnixEpoch.AddMilliseconds(interval.StartMillis) - ClockShift, DateTime.UnixEpoch.AddMilliseconds(interval.EndMillis) - ClockShift);
        return null;
    }

    private IReadOnlyList<JsonElement> ReadLines() => new JsonLinesReader(ResultFile.PathIn(folder, result.Files!.JsonLines)).ReadWhole();

    // A digit at the end of the name is the number of a thread.
    private string[] FindSeries()
    {
        string begin = ResultFile.PathIn(folder, result.Files!.Histograms), name = Path.GetFileName(begin) + "-";
        string place = Path.GetDirectoryName(begin) ?? folder;
        if (!Directory.Exists(place) && Directory.Exists(folder))
            return [];
        return
        [
            .. Directory.GetFileSystemEntries(place, "*" + LogExtension).Select(path => Path.GetFileNameWithoutExtension(path))
                .Where(log => log.StartsWith(name, StringComparison.Ordinal)).Select(log => log[name.Length..])
                .Where(series => series.Length > 0 && !char.IsAsciiDigit(series[^1])).Order(StringComparer.Ordinal),
        ];
    }

    private IEnumerable<HistogramLogInterval> ReadLog(string series) =>
        ResultLog.Read(ResultFile.PathIn(folder, $"{result.Files!.Histograms}-{series}{LogExtension}"), keepsOne: true);
}

/// <summary>One collection of a role.</summary>
/// <param name="Utc">When the collection was made; the interval ends there.</param>
/// <param name="Seconds">Length of the interval.</param>
/// <param name="Line">The whole line (docs/json-lines.md).</param>
public sealed record RoleInterval(DateTime Utc, double Seconds, JsonElement Line)
{
    internal JsonView View => new(Line);

    /// <summary>Reads a collection from a line; null for the final line, and for one without a time.</summary>
    internal static RoleInterval? TryRead(JsonElement line)
    {
        JsonView view = new(line);
        return !view.IsTrue("final") && view.Part("overall").Exists && ResultTime.TryRead(view.Text("utc"), out DateTime utc)
            && (view.Number("intervalSeconds") ?? 0) is >= 0 and <= ResultTime.MaxSeconds and var seconds ? new(utc, seconds, line) : null;
    }
}
