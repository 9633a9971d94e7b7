using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Editions;
using PerfTools.Results.Guide;

namespace PerfTools.Reports;

/// <summary>
/// Shows several folders with files of the guide's programs, of any edition, side by side: closing figures and latencies, a column for each.
/// </summary>
/// <remarks>The conditions of such runs are unknown: the page says what must have been the same, and judges nothing.</remarks>
internal static class GuideComparison
{
    /// <summary>The name of the page.</summary>
    public const string FileName = "compared.html";

    private const string Unknown = "-";
    private const string Summary = "Summary";

    // Programs on a virtual machine compile their code at first.
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1.5);

    // The last closing figures of each program, by the first part of its file names, in the order of the guide.
    private static readonly (string Stem, string Title, string[] Labels)[] Programs =
    [
        ("Cons", "Consumer", ["Avg update rate", "Image retrieval time (sec)", "Avg image Rate", "Requests sent", "Refreshes received",
            "Updates received", .. Use]),
        ("Prov", "Provider", ["Image requests received", "Updates sent", .. Use]),
        ("NIProv", "Non-interactive provider", ["Images sent", "Updates sent", .. Use]),
        ("Transport", "TransportPerf", ["Msgs Sent", "Msgs Received", "Avg. Msg Sent Rate", "Avg. Msg Recv Rate", .. Use]),
    ];

    private static string[] Use => ["CPU Usage avg (%)", "Memory Usage max (MB)"];

    /// <summary>Creates the page of folders; null where fewer than two have such files.</summary>
    /// <exception cref="PerfCommon.SetupException">A file cannot be read (exit code 3).</exception>
    public static ReportContent? TryCreate(IReadOnlyList<string> folders)
    {
        Column[] columns = [.. folders.Select(Column.Read).OfType<Column>()];
        if (columns.Length < 2)
            return null;
        return new()
        {
            Title = string.Join(", ", columns.Select(column => column.Name)),
            Subtitle = string.Create(CultureInfo.InvariantCulture, $"{columns.Length} folders with files of single programs"),
            Sentence = "Not judged. These runs were made by hand: they compare only if machine, load, placement, rate, items, message file and length "
                + "were the same. "
                + "CPU is not on one scale: C, Java and EMA count in percent of one core, C# and PerfTools in percent of the machine; Java and EMA print "
                + "virtual memory.",
            Figures = [CreateLatencies(columns), .. Programs.Select(program => CreateTable(program.Stem, program.Title, program.Labels, columns))],
            Charts = [],
            Conditions = [CreateInputs(columns)],
        };
    }

    private static TextTable CreateLatencies(Column[] columns) => new("Latency without the first 1.5 s, us", ["", .. columns.Select(column => column.Name)],
    [
        Row("samples", columns, column => column.Latency?.Count, value => value.ToString("N0", CultureInfo.InvariantCulture)),
        Row("p50", columns, column => column.Latency?.P50, Micros), Row("p90", columns, column => column.Latency?.P90, Micros),
        Row("p99", columns, column => column.Latency?.P99, Micros), Row("p99.9", columns, column => column.Latency?.P999, Micros),
        Row("max", columns, column => column.Latency?.Max, Micros),
    ]);

    private static TextTable CreateTable(string stem, string title, string[] labels, Column[] columns) =>
        new(title, ["", .. columns.Select(column => column.Name)],
    [
        .. labels.Where(label => columns.Any(column => column.Find(stem, label) is not null))
            .Select(label => Row(label, columns, column => column.Find(stem, label), value => value.ToString("#,##0.###", CultureInfo.InvariantCulture))),
    ]);

    // The known conditions: the inputs that differ.
    private static TextTable CreateInputs(Column[] columns)
    {
        string[] names = [.. columns.SelectMany(column => column.Inputs.Keys).Distinct()];
        return new("Inputs that differ", ["", .. columns.Select(column => column.Name)],
        [
            .. names.Where(name => columns.Select(column => column.Inputs.GetValueOrDefault(name, Unknown)).Distinct().Count() > 1)
                .Select(name => (IReadOnlyList<Cell>)[name, .. columns.Select(column => (Cell)column.Inputs.GetValueOrDefault(name, Unknown))]),
        ]);
    }

    private static IReadOnlyList<Cell> Row(string name, Column[] columns, Func<Column, double?> read, Func<double, string> show) =>
        [name, .. columns.Select((column, i) => Cell.Of(string.Create(CultureInfo.InvariantCulture, $"folders.{i}.{name}"), read(column), show))];

    private static string Micros(double value) => value.ToString("#,##0.#", CultureInfo.InvariantCulture);

    // One folder.
    private sealed record Column(
        string Name, IReadOnlyDictionary<string, EditionSummary> Summaries, LatencyFigures? Latency, IReadOnlyDictionary<string, string> Inputs)
    {
        public static Column? Read(string folder)
        {
            Dictionary<string, EditionSummary> summaries = [];
            Dictionary<string, string> inputs = [];
            LatencyAccumulator latencies = new(LatencyUnit.Nanoseconds);
            foreach (string path in Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal))
            {
                if (StemOf(path) is { } stem && GuideSummary.TryRead(path) is [var first, ..])
                {
                    summaries[stem] = EditionSummary.Read(path);
                    foreach ((string label, string value) in first.Rows.Where(row => row.Value.Length > 0))
                        inputs[$"{stem}: {label}"] = value;
                }
                else if (Path.GetExtension(path) == ".csv" && LatencyFile.TryRead(path, maxPoints: 1, WarmUp) is { } file)
                {
                    foreach (LatencyRows rows in file.Rows.Where(rows => rows.Kind is "updates" or "messages"))
                        rows.AddTo(latencies);
                }
            }

            LatencyFigures figures = latencies.Figures();
            return summaries.Count == 0 && figures.Count == 0
                ? null : new(Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder))), summaries, figures.Count > 0
                    ? figures : null, inputs);
        }

        public double? Find(string stem, string label) => Summaries.TryGetValue(stem, out EditionSummary? summary)
            ? summary.FindIn("Steady State", label) ?? summary.Find(label, label.Replace("Images", "Image", StringComparison.Ordinal)) : null;

        // ConsSummary.out, IProvSummary.out, TransportSummary_4711.out
        private static string? StemOf(string path)
        {
            string name = Path.GetFileName(path);
            int end = name.IndexOf(Summary, StringComparison.Ordinal);
            string stem = end > 0 ? name[..end] : "";
            return Array.Exists(Programs, program => program.Stem == stem) ? stem : stem == "IProv" ? "Prov" : null;
        }
    }
}
