using System.Globalization;
using System.Text;
using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Comparison;

namespace PerfTools.Search;

/// <summary>Writes a comparison of searches as lines, as Markdown, as a page and as JSON.</summary>
internal static class SearchComparisonText
{
    /// <summary>The format of the JSON.</summary>
    public const string Format = "perftools-search-comparison-1";

    private const string Unknown = "-";
    private static readonly string[] Heads = ["", "A", "B", "change", ""];

    /// <summary>Creates the lines of the console.</summary>
    public static IEnumerable<string> CreateLines(SearchComparison comparison)
    {
        yield return $"A  {Describe(comparison.A)}";
        yield return $"B  {Describe(comparison.B)}";
        foreach (Difference difference in comparison.Differences)
            yield return $"differs: {difference}";
        yield return "";
        IReadOnlyList<string>[] all = [Heads, .. Rows(comparison)];
        int[] widths = [.. Heads.Select((_, column) => all.Max(row => row[column].Length))];
        foreach (IReadOnlyList<string> row in all)
        {
            yield return string.Join("   ", row.Select((text, column) =>
                column is 0 or 4 ? text.PadRight(widths[column]) : text.PadLeft(widths[column]))).TrimEnd();
        }

        yield return "";
        yield return comparison.Capacity.Word.Text().ToUpperInvariant();
    }

    /// <summary>Writes the table in Markdown.</summary>
    public static void WriteMarkdown(TextWriter writer, SearchComparison comparison)
    {
        writer.Write($"**{comparison.Capacity.Word.Text().ToUpperInvariant()}**\n\n");
        Markdown.WriteTable(writer, Heads, Rows(comparison).Select(row => (IReadOnlyList<string>)[.. row.Select(Markdown.Escape)]));
    }

    /// <summary>Creates the page.</summary>
    public static ReportContent CreatePage(SearchComparison comparison) => new()
    {
        Title = $"Two searches of {comparison.A.Scenario}",
        Subtitle = $"A {Describe(comparison.A)}; B {Describe(comparison.B)}",
        Verdict = comparison.Capacity.Word.Text().ToUpperInvariant(),
        Sentence = comparison.Capacity.Reason ?? "Intervals that overlap are the same.",
        Figures = [new("Capacity and load curve", Heads, [.. Rows(comparison).Select(row => (IReadOnlyList<Cell>)[.. row.Select(text => (Cell)text)])])],
        Charts = [],
        Conditions = [new("What differs", [], [.. comparison.Differences.Select(difference => (IReadOnlyList<Cell>)[difference.Name, difference.ToString()])])],
    };

    /// <summary>Writes every figure as JSON.</summary>
    public static void WriteJson(TextWriter writer, SearchComparison comparison)
    {
        using MemoryStream stream = new();
        using (Utf8JsonWriter json = new(stream, new() { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            json.WriteString("format", Format);
            json.WriteString("verdict", comparison.Capacity.Word.Text());
            json.WriteStartArray("differences");
            foreach (Difference difference in comparison.Differences)
                json.WriteStringValue(difference.ToString());
            json.WriteEndArray();
            json.WriteStartArray("figures");
            foreach (SearchChange change in comparison.Points.Prepend(comparison.Capacity))
                WriteChange(json, change);
            json.WriteEndArray();
            json.WriteEndObject();
        }

        writer.Write(Encoding.UTF8.GetString(stream.ToArray()) + "\n");
    }

    /// <summary>Describes a change with its noise or reason, for people.</summary>
    public static string Describe(SearchChange change) => change.Word == ChangeWord.NotComparable
        ? $"{change.Word.Text()} ({change.Reason})" : $"{Percent(change.ChangePercent)} ({change.Word.Text()})";

    private static void WriteChange(Utf8JsonWriter json, SearchChange change)
    {
        json.WriteStartObject();
        json.WriteString("name", change.Name);
        json.WriteString("unit", change.Unit);
        WriteNumber(json, "atPercent", change.AtPercent);
        WriteNumber(json, "a", change.A);
        WriteNumber(json, "b", change.B);
        WriteNumber(json, "changePercent", change.ChangePercent);
        json.WriteString("word", change.Word.Text());
        json.WriteString("reason", change.Reason);
        json.WriteEndObject();
    }

    private static void WriteNumber(Utf8JsonWriter json, string name, double? value)
    {
        if (value is { } known)
            json.WriteNumber(name, known);
        else
            json.WriteNull(name);
    }

    private static IEnumerable<IReadOnlyList<string>> Rows(SearchComparison comparison) =>
        comparison.Points.Prepend(comparison.Capacity).Select(change => (IReadOnlyList<string>)
        [
            change.AtPercent is { } at ? string.Create(CultureInfo.InvariantCulture, $"{change.Name} at {at} %, {change.Unit}")
                : $"{change.Name}, {change.Unit}",
            Number(change.A), Number(change.B), Percent(change.ChangePercent), change.Reason is null ? change.Word.Text()
                : $"{change.Word.Text()}: {change.Reason}",
        ]);

    private static string Describe(SearchDocument search) => search.Capacity is { Value: { } value, Low: { } low, High: { } high }
        ? string.Create(CultureInfo.InvariantCulture, $"{value:N0} {search.Asked.Unit} [{low:N0}, {high:N0}], {string.Join(",", search.Asked.Until)}")
        : $"{search.Verdict}: {search.Reason ?? "no interval"}";

    private static string Number(double? value) => value?.ToString(Math.Abs(value.Value) < 100 ? "0.##" : "N0", CultureInfo.InvariantCulture) ?? Unknown;

    private static string Percent(double? value) => value is { } known ? known.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) + " %" : Unknown;
}
