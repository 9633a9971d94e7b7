using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.History;
using PerfTools.Results.Recorded;

namespace PerfTools.Export;

/// <summary>A run to export.</summary>
/// <param name="Name">Its folder, relative to that of all runs.</param>
/// <param name="Run">The run.</param>
internal sealed record ExportedRun(string Name, RecordedRun Run)
{
    /// <summary>Reads all runs of a folder and below.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="leftOut">Receives the reason for each run that cannot be read.</param>
    /// <exception cref="SetupException">The folder cannot be read (exit code 3).</exception>
    public static IReadOnlyList<ExportedRun> ReadAll(string folder, ICollection<string> leftOut) =>
        [.. RunFolders.Read(folder, RecordedRun.Read, leftOut).Select(run => new ExportedRun(run.Name, run.Run))];
}

/// <summary>The tables of an export: a row for each figure, so that their columns are the same whatever the runs have measured.</summary>
internal static class ExportTables
{
    private const double NanosPerMicro = 1_000;

    /// <summary>A row for each figure of each run, and of each role.</summary>
    public static ExportTable Figures(IReadOnlyList<ExportedRun> runs) => new("figures",
        [Text("run"), Text("scenario"), Time("startUtc"), Text("verdict"), Text("toolsVersion"), Text("commit"), Text("role"), Text("figure"),
            Text("title"), Number("value")],
        from one in runs
        let run = one.Run.Document
        from figure in ReadFigures(run)
        select (ExportValue[])[one.Name, run.Scenario, run.StartUtc, run.Verdict, run.Machine.ToolsVersion, run.Machine.Commit, figure.Role, figure.Name,
            figure.Title, figure.Value]);

    /// <summary>A row for each figure of each collection of each role; thread 0 is the total of all threads.</summary>
    public static ExportTable Intervals(IReadOnlyList<ExportedRun> runs) => new("intervals",
        [Text("run"), Text("scenario"), Text("role"), Number("thread"), Time("utc"), Number("runSeconds"), Number("intervalSeconds"),
            Text("figure"), Number("value")],
        from one in runs
        from role in one.Run.Roles
        from interval in role.Intervals
        from cell in ReadCells(interval.Line)
        select (ExportValue[])
        [
            one.Name, one.Run.Document.Scenario, role.Result.Name, cell.Thread, interval.Utc,
                (interval.Utc - one.Run.Document.StartUtc).TotalSeconds, interval.Seconds,
            cell.Name, cell.Value,
        ]);

    /// <summary>A row for each cell of each histogram of each collection: a value in microseconds and its number of samples.</summary>
    public static ExportTable Samples(IReadOnlyList<ExportedRun> runs) => new("samples",
        [Text("run"), Text("scenario"), Text("role"), Text("series"), Time("utc"), Number("micros"), Number("count")],
        from one in runs
        from role in one.Run.Roles
        from series in role.Series
        from cell in ReadSamples(role, series)
        select (ExportValue[])[one.Name, one.Run.Document.Scenario, role.Result.Name, series, cell.Utc, cell.Micros, cell.Count]);

    private static IEnumerable<(string? Role, string Name, string Title, double Value)> ReadFigures(RunDocument run) =>
        HistoryFigures.ReadAll(run).Select(value => ((string?)null, value.Figure.Name, value.Figure.Title, value.Value))
            .Concat(from role in run.Roles
                    from figure in role.Figures
                    from number in figure.Numbers()
                    select ((string?)role.Name, number.Name, figure.Title, number.Value));

    private static IEnumerable<(double Thread, string Name, double Value)> ReadCells(JsonElement line) =>
        from cell in IntervalCells.Read(line)
        where cell.Value.ValueKind != JsonValueKind.Null
        select ((double)cell.Thread, cell.Name, cell.Value.ValueKind == JsonValueKind.Number ? cell.Value.GetDouble() : cell.Value.GetBoolean() ? 1 : 0);

    // The log has an interval for each collection, in the same order.
    private static IEnumerable<(DateTime Utc, double Micros, double Count)> ReadSamples(RecordedRole role, string series)
    {
        foreach ((RoleInterval interval, LongHistogram histogram) in role.Intervals.Zip(role.ReadIntervals(series)))
        {
            double perMicro = histogram.Unit == LatencyUnit.Nanoseconds ? NanosPerMicro : 1;
            for (int i = histogram.FirstUsed; i <= histogram.LastUsed; i++)
            {
                if (histogram.CountAt(i) is > 0 and var count)
                    yield return (interval.Utc, histogram.Layout.HighestOf(i) / perMicro, count);
            }
        }
    }

    private static ExportColumn Text(string name) => new(name, ColumnKind.Text);

    private static ExportColumn Number(string name) => new(name, ColumnKind.Number);

    private static ExportColumn Time(string name) => new(name, ColumnKind.Time);
}
