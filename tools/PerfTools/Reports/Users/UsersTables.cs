using System.Globalization;
using PerfTools.Results;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>The tables of the users suite.</summary>
internal static class UsersTables
{
    private const string Base = "base";
    private const int MaxRows = 13;

    // The guide's rows: mean latency at so many users.
    private static readonly int[] FewUsers = [250, 500, 750, 1_000];
    private static readonly int[] ManyUsers = [1_000, 2_000, 3_000, 4_000, 5_000];

    /// <summary>Mean latencies at round numbers of users, beside each other: first those of the upper loads, then of all.</summary>
    public static IReadOnlyList<TextTable> Headline(IReadOnlyList<StepRow> rows) =>
    [
        Headline("Mean latency (ms), 250 to 1,000 users", rows, FewUsers, [.. UsersLoad.All.Skip(2)]),
        Headline("Mean latency (ms), 1,000 to 5,000 users", rows, ManyUsers, UsersLoad.All),
    ];

    /// <summary>The suite's loads in their order, and those of other names.</summary>
    public static IEnumerable<UsersLoad> LoadsOf(IReadOnlyList<StepRow> rows) =>
        UsersLoad.All.Concat(rows.Select(row => row.Scenario).Distinct().Select(UsersLoad.Of)).DistinctBy(load => load.Name);

    /// <summary>The machines on which it ran.</summary>
    public static TextTable Machines(IReadOnlyList<RankDescription> ranks) => new(
        "Machines", ["Rank", "Host", "Roles", "Processor", "Processors", "Memory (MB)", "System", "Kernel", "Network card", "Files",
            "Ports"],
        [.. ranks.Select(rank => (IReadOnlyList<Cell>)[
            Number(rank.Rank, "0"), rank.Host, string.Join(", ", rank.Roles), rank.ProcessorModel ?? "-", Number(rank.Processors, "0"),
            Number(rank.MemoryMegabytes, "N0"),
            rank.OperatingSystem ?? "-", rank.Kernel ?? "-", rank.NetworkCard ?? "-", Number(rank.MaxFiles, "N0"),
            Number(rank.LocalPorts, "N0")])]);

    /// <summary>The steps of the base of each load, abridged.</summary>
    public static IEnumerable<TextTable> Abridged(IReadOnlyList<StepRow> rows)
    {
        foreach (UsersLoad load in LoadsOf(rows))
        {
            StepRow[] own = Abridge([.. rows.Where(row => row.Scenario == load.Name && row.Variant == Base)]);
            if (own.Length > 0)
            {
                yield return new(load.Title, ["Users", "Mean Lat. (ms)", "Min (ms)", "Max (ms)", "p99 (ms)", "CPU (%)", "Ok"],
                    [.. own.Select(Cells)]);
            }
        }
    }

    /// <summary>How many users each variant held.</summary>
    public static TextTable Capacities(IReadOnlyList<FinishedVariant> variants) => new(
        "Capacity: the last step of which all was well",
        ["Variant", "Users", "Mean (ms)", "p99 (ms)", "Hub CPU (%)", "Updates per send", "Out (MB/s)", "Verdict"],
        [.. variants.Select(done => (IReadOnlyList<Cell>)[
            $"{done.Variant.Load.Name} {done.Variant.Name}",
            Number(done.Capacity?.UsersAsked, "N0"), Of(done.Capacity, "Mean (ms)"), Of(done.Capacity, "p99 (ms)"),
            Of(done.Capacity, "CPU (%)"),
            Of(done.Capacity, "Updates per send"), Of(done.Capacity, "Bytes out (MB/s)"),
            done.Document.Verdict + (done.Document.Reason is { } why ? ": " + why : "")])]);

    /// <summary>What each load ran with, beside each other.</summary>
    public static TextTable Scenarios(IReadOnlyList<FinishedVariant> variants)
    {
        FinishedVariant[] loads = [.. variants.DistinctBy(done => done.Variant.Load.Name)];
        IEnumerable<(string Name, Func<UsersVariant, string> Read)> rows =
        [
            .. UsersParameters.Names.Select((name, i) =>
                (name, (Func<UsersVariant, string>)(variant =>
                    variant.Parameters.All[i].Value is { Length: > 0 } value ? value : "default"))),
            ("source rate (1/s)", variant => variant.Parameters.SourceRate.ToString("0.###", CultureInfo.InvariantCulture)),
            ("updates per user (1/s)", variant => variant.Parameters.UserRate.ToString("0.###", CultureInfo.InvariantCulture)),
            ("steps", variant => variant.Steps.ToString()),
        ];
        return new("Scenarios", ["Parameter", .. loads.Select(done => done.Variant.Load.Title)],
            [.. rows.Select(row =>
                (IReadOnlyList<Cell>)[row.Name, .. loads.Select(done => new Cell(row.Read(done.Variant)) { IsNumber = true })])]);
    }

    /// <summary>A table as comma-separated values.</summary>
    public static void WriteCsv(TextWriter writer, IEnumerable<TextTable> tables)
    {
        foreach (TextTable table in tables)
        {
            writer.Write(string.Join(", ", table.Columns) + "\n");
            foreach (IReadOnlyList<Cell> row in table.Rows)
                writer.Write(string.Join(", ", row.Select(cell => cell.Text.Replace(",", "", StringComparison.Ordinal))) + "\n");
        }
    }

    private static TextTable Headline(string title, IReadOnlyList<StepRow> rows, int[] users, IReadOnlyList<UsersLoad> loads) => new(
        title, ["Users", .. loads.Select(load => load.Title)],
        [.. users.Select(count => (IReadOnlyList<Cell>)[
            Number(count, "N0"),
            .. loads.Select(load =>
                Of(rows.FirstOrDefault(row => row.Scenario == load.Name && row.Variant == Base && row.UsersAsked == count),
                    "Mean (ms)"))])]);

    private static StepRow[] Abridge(StepRow[] rows) => rows.Length <= MaxRows
        ? rows : [.. Enumerable.Range(0, MaxRows).Select(i => rows[i * (rows.Length - 1) / (MaxRows - 1)])];

    private static IReadOnlyList<Cell> Cells(StepRow row) =>
        [Number(row.UsersAsked, "N0"), Of(row, "Mean (ms)"), Of(row, "Min (ms)"), Of(row, "Max (ms)"), Of(row, "p99 (ms)"),
            Number(row.Hub.CpuPercent, "F0"), row.IsOk ? "yes" : row.Note];

    // As steps.csv has it.
    private static Cell Of(StepRow? row, string column) =>
        new(row is null ? "-" : StepRow.Columns.First(known => known.Name == column).Show(row)) { IsNumber = true };

    private static Cell Number(double? value, string format) =>
        new(value is { } known ? known.ToString(format, CultureInfo.InvariantCulture) : "-") { IsNumber = true };
}

/// <summary>A ramp that is over.</summary>
/// <param name="Variant">Which.</param>
/// <param name="Folder">Its folder within that of the suite.</param>
/// <param name="Document">What it came to.</param>
/// <param name="Steps">Its steps.</param>
/// <param name="Capacity">The last of which all was well; null for none.</param>
internal sealed record FinishedVariant(UsersVariant Variant, string Folder, RunDocument Document, IReadOnlyList<StepRow> Steps,
    StepRow? Capacity);
