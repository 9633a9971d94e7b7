using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Reports;

/// <summary>
/// <c>intervals.csv</c>: every collection of every role in one table, in the order of time; columns are named as in the JSON lines.
/// </summary>
/// <remarks>A row is a role and a thread, 0 for the total of all threads; a cell without a value is empty. Docs/run-folder.md.</remarks>
internal static class IntervalTable
{
    public const string Name = "intervals.csv";

    private static readonly string[] FirstColumns = ["role", "thread", "utc", "runSeconds", "intervalSeconds"];

    /// <summary>Writes the file into the folder of a run.</summary>
    /// <returns>Why it could not be written; null when it was written.</returns>
    public static string? TryWrite(RecordedRun run) =>
        WholeFile.TryWrite(Path.Combine(run.Folder, Name), writer => Write(writer, run.Roles, run.Document.StartUtc));

    /// <summary>Writes the table.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="roles">The roles, in the order of the run.</param>
    /// <param name="startUtc">The time at which the run's clock is 0.</param>
    internal static void Write(TextWriter writer, IReadOnlyList<RecordedRole> roles, DateTime startUtc)
    {
        Row[] rows = [.. roles.SelectMany(role =>
            role.Intervals.SelectMany(interval => ReadRows(role.Result.Name, interval))).OrderBy(row => row.Interval.Utc)];
        string[] columns = [.. rows.SelectMany(row => row.Cells.Keys).Distinct()];
        writer.Line($"{string.Join(',', FirstColumns.Concat(columns))}");
        foreach (Row row in rows)
        {
            IEnumerable<string> cells = columns.Select(column => row.Cells.GetValueOrDefault(column, ""));
            writer.Line($"{string.Join(',', row.Describe(startUtc).Concat(cells))}");
        }
    }

    // The total of all threads, then each where there are several.
    private static IEnumerable<Row> ReadRows(string role, RoleInterval interval) => IntervalCells.Read(interval.Line).GroupBy(cell => cell.Thread)
        .Select(thread => new Row(role, thread.Key, interval, thread.ToDictionary(cell => cell.Name, cell => Show(cell.Value))));

    private static string Show(JsonElement value) => value.ValueKind == JsonValueKind.Null ? "" : value.GetRawText();

    private sealed record Row(string Role, int Thread, RoleInterval Interval, Dictionary<string, string> Cells)
    {
        public IEnumerable<string> Describe(DateTime startUtc) =>
        [
            Role,
            Thread.ToString(CultureInfo.InvariantCulture),
            ResultTime.ToText(Interval.Utc),
            (Interval.Utc - startUtc).TotalSeconds.ToString("F3", CultureInfo.InvariantCulture),
            Interval.Seconds.ToString("0.######", CultureInfo.InvariantCulture),
        ];
    }
}
