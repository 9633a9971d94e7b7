using System.Globalization;
using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>Creates the tables of the users suite.</summary>
internal static class UsersTables
{
    private const string Base = "base";
    private const string NoteColumn = "Note";
    private const int MaxRows = 13;
    private const int MaxColumns = 5; // of ramps side by side that a page shows whole

    // The guide's rows: mean latency at these numbers of users.
    private static readonly int[] FewUsers = [250, 500, 750, 1_000];
    private static readonly int[] ManyUsers = [1_000, 2_000, 3_000, 4_000, 5_000];

    // The columns that a ramp's own report shows, out of the full table.
    private static readonly string[] RampColumns =
        ["Users asked", "Users in", "Mean (ms)", "Min (ms)", "Max (ms)", "p99 (ms)", "Received (%)", "CPU (%)", "Updates per send",
            "Other CPU (%)", NoteColumn];

    /// <summary>
    /// Mean latencies side by side, of the upper loads and of all: at the guide's numbers of users where some load was measured with each of
    /// them, else at the measured numbers.
    /// </summary>
    public static IReadOnlyList<TextTable> Headline(IReadOnlyList<StepRow> rows)
    {
        TextTable few = Headline(rows, FewUsers, UsersLoad.All.Skip(2)), many = Headline(rows, ManyUsers, UsersLoad.All);
        bool isPart = few.Columns.SequenceEqual(many.Columns)
            && few.Rows.All(row => many.Rows.Any(other => other[0].Text == row[0].Text));
        return [.. new[] { few, many }.Where(table => table.Rows.Count > 0 && !(isPart && table == few))];
    }

    /// <summary>The suite's loads in their order, and those of other names.</summary>
    public static IEnumerable<UsersLoad> LoadsOf(IReadOnlyList<StepRow> rows) =>
        UsersLoad.All.Concat(rows.Select(row => row.Scenario).Distinct().Select(UsersLoad.Of)).DistinctBy(load => load.Name);

    /// <summary>The machines of the suite.</summary>
    public static TextTable Machines(IReadOnlyList<RankDescription> ranks) => new(
        "Machines", ["", .. ranks.Select(rank => $"rank {Whole(rank.Rank)}")],
        [.. MachineRows.Select(row => (IReadOnlyList<Cell>)[row.Name, .. ranks.Select(rank => (Cell)(row.Show(rank) ?? "-"))])]);

    /// <summary>The kind of user that each load represents.</summary>
    public static TextTable Meanings(IEnumerable<UsersLoad> loads) => new(
        "Loads", [], [.. loads.Where(load => load.StandsFor.Length > 0).Select(load => (IReadOnlyList<Cell>)[load.Title, load.StandsFor])]);

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

    /// <summary>The steps of one ramp.</summary>
    public static TextTable Steps(IReadOnlyList<StepRow> rows) => new("Steps", RampColumns,
        [.. rows.Select(row => (IReadOnlyList<Cell>)[.. RampColumns.Select(column => column == NoteColumn ? row.Note : Of(row, column))])]);

    /// <summary>All figures of the steps.</summary>
    public static TextTable AllSteps(IReadOnlyList<StepRow> rows) => new(
        "All steps (steps.csv)", [.. StepRow.Columns.Select(column => column.Name)],
        [.. rows.Select(row => (IReadOnlyList<Cell>)[.. StepRow.Columns.Select(column => new Cell(column.Show(row)) { IsNumber = true })])]);

    /// <summary>The number of users that each variant held.</summary>
    public static TextTable Capacities(IReadOnlyList<FinishedVariant> variants) => new(
        "Capacity: the last step of which all was well",
        ["Variant", "Users", "Mean (ms)", "p99 (ms)", "Hub CPU (%)", "Updates per send", "Out (MB/s)", "Verdict"],
        [.. variants.Select(done => (IReadOnlyList<Cell>)[
            $"{done.Variant.Load.Name} {done.Variant.Name}",
            new(DescribeUsers(done.Document.Capacity)) { IsNumber = true },
            .. ((string[])["Mean (ms)", "p99 (ms)", "CPU (%)", "Updates per send", "Bytes out (MB/s)"])
                .Select(column => Of(done.LastGood, column)),
            done.Document.Verdict + (done.Document.Reason is { } why ? ": " + why : "")])]);

    /// <summary>The values of one parameter side by side.</summary>
    public static TextTable Sweep(UsersSweep sweep)
    {
        string users = sweep.ComparedUsers is { } compared ? string.Create(CultureInfo.InvariantCulture, $" at {compared:N0} users") : "";
        bool hasOthers = sweep.Variants.Any(done => sweep.OthersOf(done).Length > 0);
        string best = (sweep.Best is { } one ? $"best {sweep.ValueOf(one)}" : "none held its first step") + sweep.Doubt;
        return new(
            $"{sweep.Load.Title}: sweep of {sweep.Parameter}, {best}",
            [sweep.Parameter, .. hasOthers ? ["with"] : (string[])[], "Capacity (users)", $"Mean (ms){users}", $"p99 (ms){users}",
                $"Hub CPU (%){users}", $"Updates per send{users}", ""],
            [.. sweep.Variants.Select(done => (IReadOnlyList<Cell>)[
                sweep.ValueOf(done), .. hasOthers ? [sweep.OthersOf(done)] : (Cell[])[],
                new(DescribeUsers(done.Document.Capacity)) { IsNumber = true },
                .. ((string[])["Mean (ms)", "p99 (ms)", "CPU (%)", "Updates per send"])
                    .Select(column => Of(sweep.ComparedStepOf(done), column)),
                done == sweep.Best ? "best" : ""])]);
    }

    /// <summary>The parameters of each ramp side by side: a few in each table, so that a page shows them whole.</summary>
    public static IEnumerable<TextTable> ScenarioParts(IReadOnlyList<FinishedVariant> variants) =>
        variants.Chunk(MaxColumns).Select((part, i) => Scenarios(part, i == 0 ? "Scenarios" : "Scenarios, continued"));

    /// <summary>The same in one table.</summary>
    public static TextTable Scenarios(IReadOnlyList<FinishedVariant> variants, string title = "Scenarios") => new(
        title, ["Parameter", .. variants.Select(done => $"{done.Variant.Load.Title} {done.Variant.Name}")],
        [.. ScenarioRows.Select(row => (IReadOnlyList<Cell>)[row.Name, .. variants.Select(done => new Cell(row.Read(done)) { IsNumber = true })])]);

    /// <summary>Writes tables as comma-separated values.</summary>
    public static void WriteCsv(TextWriter writer, IEnumerable<TextTable> tables)
    {
        foreach (TextTable table in tables)
        {
            CsvLine.Write(writer, table.Columns);
            foreach (IReadOnlyList<Cell> row in table.Rows)
                CsvLine.Write(writer, row.Select(cell => cell.Text));
        }
    }

    private static IEnumerable<(string Name, Func<FinishedVariant, string> Read)> ScenarioRows =>
    [
        .. UsersParameters.Titles.Select((title, i) => (title, (Func<FinishedVariant, string>)(done => ReadParameter(done, i)))),
        ("source rate (1/s)", done => Short(done.Variant.Parameters.SourceRate)),
        ("updates per user (1/s)", done => Short(done.Variant.Parameters.UserRate)),
        ("steps (users)", done => done.Variant.Steps.ToString()),
    ];

    private static IEnumerable<(string Name, Func<RankDescription, string?> Show)> MachineRows =>
    [
        ("host", rank => rank.Host),
        ("roles", rank => string.Join(", ", rank.Roles)),
        ("vendor", rank => rank.MachineVendor),
        ("model", rank => rank.MachineModel),
        ("processor vendor", rank => rank.ProcessorVendor),
        ("processor", rank => rank.ProcessorModel),
        ("processors", rank => Whole(rank.Processors)),
        ("NUMA nodes", rank => rank.NumaNodes is { } nodes ? Whole(nodes) : null),
        ("memory (MB)", rank => rank.MemoryMegabytes.ToString("N0", CultureInfo.InvariantCulture)),
        ("system", rank => rank.OperatingSystem),
        ("kernel", rank => rank.Kernel),
        ("network card", rank => rank.NetworkCard),
        ("open files", rank => rank.MaxFiles?.ToString("N0", CultureInfo.InvariantCulture)),
        ("local ports", rank => rank.LocalPorts?.ToString("N0", CultureInfo.InvariantCulture)),
    ];

    // Without an option the thread count is that of the hub that ran.
    private static string ReadParameter(FinishedVariant done, int number)
    {
        (string name, string value) = done.Variant.Parameters.All[number];
        if (name == UsersParameters.UsersThreadsName)
            return ReadUsersThreads(done);
        if (value.Length > 0)
            return value;
        if (name == "contributors")
            return "all";
        string input = name switch { "sessionThreads" => "hubSessionThreads", "sourceThreads" => "hubSourceThreads", _ => "" };
        return done.Document.Inputs.TryGetValue(input, out JsonElement threads) ? threads.GetRawText() : "default";
    }

    private static string ReadUsersThreads(FinishedVariant done)
    {
        int[] counts = [.. done.Document.Roles.Where(role => role.Tool == ToolNames.Users)
            .Select(role => new JsonView(role.Final).Parts("threads").Count).Where(count => count > 0).Distinct().Order()];
        return counts is [] ? "-" : string.Join(", ", counts.Select(count => Whole(count)));
    }

    private static TextTable Headline(IReadOnlyList<StepRow> rows, int[] guide, IEnumerable<UsersLoad> loads)
    {
        StepRow[] own = [.. rows.Where(row => row.Variant == Base)];
        UsersLoad[] run = [.. loads.Where(load => own.Any(row => row.Scenario == load.Name))];
        int[] all = [.. own.Where(row => run.Any(load => load.Name == row.Scenario)).Select(row => row.UsersAsked).Distinct().Order()];
        int[] users = guide.All(all.Contains) ? guide : Abridge([.. all.Where(count => guide == ManyUsers || count <= guide[^1])]);
        string range = users is [] ? "" : string.Create(CultureInfo.InvariantCulture, $", {users[0]:N0} to {users[^1]:N0} users");
        return new(
            $"Mean latency (ms){range}", ["Users", .. run.Select(load => load.Title)],
            [.. users.Select(count => (IReadOnlyList<Cell>)[
                Number(count, "N0"),
                .. run.Select(load => Of(own.FirstOrDefault(row => row.Scenario == load.Name && row.UsersAsked == count), "Mean (ms)"))])]);
    }

    private static T[] Abridge<T>(T[] rows) => rows.Length <= MaxRows
        ? rows : [.. Enumerable.Range(0, MaxRows).Select(i => rows[i * (rows.Length - 1) / (MaxRows - 1)])];

    private static IReadOnlyList<Cell> Cells(StepRow row) =>
        [Number(row.UsersAsked, "N0"), Of(row, "Mean (ms)"), Of(row, "Min (ms)"), Of(row, "Max (ms)"), Of(row, "p99 (ms)"),
            Number(row.Hub.CpuPercent, "F0"), row.IsOk && row.Note.Length == 0 ? "yes" : row.IsOk ? $"yes; {row.Note}" : row.Note];

    private static string DescribeUsers(RampCapacity? capacity) => capacity is null ? "-"
        : string.Create(CultureInfo.InvariantCulture, $"{(capacity.IsAtLeast ? "at least " : "")}{capacity.Users:N0}");

    // The value as steps.csv has it.
    private static Cell Of(StepRow? row, string column) =>
        new(row is null ? "-" : StepRow.Columns.First(known => known.Name == column).Show(row)) { IsNumber = true };

    private static Cell Number(double? value, string format) =>
        new(value is { } known ? known.ToString(format, CultureInfo.InvariantCulture) : "-") { IsNumber = true };

    private static string Short(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);

    private static string Whole(int value) => value.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A ramp that has ended.</summary>
/// <param name="Variant">The variant.</param>
/// <param name="Folder">Its folder within that of the suite.</param>
/// <param name="Document">Its result.</param>
internal sealed record FinishedVariant(UsersVariant Variant, string Folder, RunDocument Document)
{
    /// <summary>Its steps.</summary>
    public IReadOnlyList<StepRow> Steps => Document.Steps ?? [];

    /// <summary>The step that determined its capacity; null for none.</summary>
    public StepRow? LastGood => Steps.FirstOrDefault(step => step.Step == Document.Capacity?.Step);
}
