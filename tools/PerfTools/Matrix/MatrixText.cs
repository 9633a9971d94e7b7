using System.Globalization;
using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Matrix;

/// <summary>Writes a matrix as lines of text, as Markdown, as a page and as JSON.</summary>
internal static class MatrixText
{
    /// <summary>The format of the JSON.</summary>
    public const string Format = "perftools-matrix-1";

    private const string Unknown = "-";

    /// <summary>Creates the lines: the table, then why runs were not OK.</summary>
    public static IEnumerable<string> CreateLines(MatrixResult result) => AlignedColumns.Create([Heads(result), .. Rows(result)])
        .Concat(result.Notes)
        .Concat(result.Cells.SelectMany((cell, i) => result.ReasonsOf(i).Select(reason => $"{cell.Title}: {reason}")));

    /// <summary>Writes the table in Markdown.</summary>
    public static void WriteMarkdown(TextWriter writer, MatrixResult result) =>
        Markdown.WriteTable(writer, Heads(result), Rows(result).Select(row => (IReadOnlyList<string>)[.. row.Select(Markdown.Escape)]),
            texts: result.Roles.Count + 1, endsWithText: false); // the roles and the verdict

    /// <summary>Creates the page: the table, and for two roles a heat map for each figure.</summary>
    public static ReportContent CreatePage(MatrixResult result) => new()
    {
        Title = $"Matrix of {result.Scenario}",
        Subtitle = Describe(result),
        Sentence = string.Join(". ", result.Notes.Prepend("* best, ! worst beyond what rounds differ by; a range is that of the mean with 95 % confidence")),
        Figures = [CreateTable(result), .. result.Roles.Count == 2 ? result.KnownFigures.Select(figure => CreateHeatMap(result, figure)) : []],
        Charts = [],
        Conditions =
        [
            new("Not OK", [], [.. result.Cells.SelectMany((cell, i) => result.ReasonsOf(i).Select(reason => (IReadOnlyList<Cell>)[cell.Title, reason]))]),
        ],
    };

    /// <summary>Writes every figure of every combination as JSON.</summary>
    public static void WriteJson(TextWriter writer, MatrixResult result)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new() { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            json.WriteString("format", Format);
            json.WriteString("scenario", result.Scenario);
            json.WriteStartArray("combinations");
            for (int i = 0; i < result.Cells.Count; i++)
                WriteCell(json, result, i);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        writer.Write(System.Text.Encoding.UTF8.GetString(stream.ToArray()) + "\n");
    }

    private static void WriteCell(Utf8JsonWriter json, MatrixResult result, int cell)
    {
        json.WriteStartObject();
        json.WriteStartObject("tools");
        for (int role = 0; role < result.Roles.Count; role++)
            json.WriteString(result.Roles[role], result.Cells[cell].Labels[role]);
        json.WriteEndObject();
        json.WriteStartArray("verdicts");
        foreach (RunDocument run in result.RunsOf(cell))
            json.WriteStringValue(run.Verdict);
        json.WriteEndArray();
        json.WriteStartObject("figures");
        foreach (int figure in result.KnownFigures)
        {
            if (result.Value(figure, cell) is not { } value)
                continue;
            json.WriteStartObject(result.Figures[figure].Name);
            json.WriteNumber("mean", value.Mean);
            json.WriteNumber("low", value.Low);
            json.WriteNumber("high", value.High);
            json.WriteNumber("rounds", value.Rounds);
            if (result.MarkOf(figure, cell) is not MatrixMark.None and var mark)
                json.WriteString("mark", mark == MatrixMark.Best ? "best" : "worst");
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static TextTable CreateTable(MatrixResult result) => new("Combinations", Heads(result),
    [
        .. result.Cells.Select((cell, i) => (IReadOnlyList<Cell>)
        [
            .. cell.Labels.Select(label => (Cell)label), result.VerdictOf(i),
                .. result.KnownFigures.Select(figure => Number(result, figure, i, withRange: true)),
        ]),
    ]);

    // A row for each program of the first role, a column for each of the second.
    private static TextTable CreateHeatMap(MatrixResult result, int figure)
    {
        string[] rows = [.. result.Cells.Select(cell => cell.Labels[0]).Distinct()], columns = [.. result.Cells.Select(cell => cell.Labels[1]).Distinct()];
        return new(result.Figures[figure].Head, [$"{result.Roles[0]} \\ {result.Roles[1]}", .. columns],
        [
            .. rows.Select(row => (IReadOnlyList<Cell>)
            [
                row,
                .. columns.Select(column => result.Cells.ToList().FindIndex(cell => cell.Labels[0] == row && cell.Labels[1] == column) is >= 0 and var i
                    ? Number(result, figure, i, withRange: false) with { Heat = result.HeatOf(figure, i) } : new Cell(Unknown) { IsNumber = true }),
            ]),
        ]);
    }

    private static Cell Number(MatrixResult result, int figure, int cell, bool withRange) =>
        new(Show(result, figure, cell, withRange), $"{result.Cells[cell].Folder}.{result.Figures[figure].Name}",
            result.Value(figure, cell)?.Mean)
        { IsNumber = true };

    private static IReadOnlyList<string> Heads(MatrixResult result) =>
        [.. result.Roles, "verdict", .. result.KnownFigures.Select(figure => result.Figures[figure].Head)];

    private static IEnumerable<IReadOnlyList<string>> Rows(MatrixResult result) => result.Cells.Select((cell, i) => (IReadOnlyList<string>)
        [.. cell.Labels, result.VerdictOf(i), .. result.KnownFigures.Select(figure => Show(result, figure, i, withRange: false))]);

    private static string Show(MatrixResult result, int figure, int cell, bool withRange)
    {
        if (result.Value(figure, cell) is not { } value)
            return Unknown;
        Func<double, string> show = result.Figures[figure].Show;
        string range = withRange && value.Rounds > 1 ? $" [{show(value.Low)}, {show(value.High)}]" : "";
        string mark = result.MarkOf(figure, cell) switch { MatrixMark.Best => " *", MatrixMark.Worst => " !", _ => "" };
        return show(value.Mean) + range + mark;
    }

    private static string Describe(MatrixResult result) =>
        $"{Counted(result.Cells.Count, "combination")} of {string.Join(" and ", result.Roles)}, up to "
            + Counted(result.Cells.Select((_, i) => result.RunsOf(i).Count).DefaultIfEmpty().Max(), "round");

    private static string Counted(int count, string noun) => string.Create(CultureInfo.InvariantCulture, $"{count} {noun}{(count == 1 ? "" : "s")}");
}
