using PerfCommon;
using PerfTools.Reports;
using PerfTools.Reports.Charts;
using PerfTools.Results.Documents;

namespace PerfTools.Search;

/// <summary>Writes the files of a search that are next to the folders of its runs.</summary>
internal static class SearchFiles
{
    /// <summary>The name of the page.</summary>
    public const string Page = "search.html";

    /// <summary>The patterns of all file names.</summary>
    public static IReadOnlyList<string> Patterns { get; } = ["search.*", "curve.*", "curve-other.csv"];

    /// <summary>Writes the files.</summary>
    /// <returns>Why one could not be written; null when all were written.</returns>
    public static string? TryWrite(RunFolder folder, SearchResult result)
    {
        string?[] failures =
        [
            WholeFile.TryWrite(folder.PathOf(SearchFile.Name), writer => writer.Write(SearchFile.CreateText(result))),
            WholeFile.TryWrite(folder.PathOf(Page), writer => ReportPage.Write(writer, SearchPage.Create(result))),
            .. result.Curve is not { } curve || !curve.Points.Any(point => point.Counts) ? (string?[])[] :
            [
                WholeFile.TryWrite(folder.PathOf("curve.csv"), writer => SearchTables.WriteCsv(writer, curve)),
                WholeFile.TryWrite(folder.PathOf("curve.svg"), writer => SvgFile.Write(writer, SearchPage.CreateLatency(result, curve))),
            ],
            result.OtherCurve is { } other && other.Points.Any(point => point.Counts)
                ? WholeFile.TryWrite(folder.PathOf("curve-other.csv"), writer => SearchTables.WriteCsv(writer, other)) : null,
        ];
        return failures.FirstOrDefault(failure => failure is not null);
    }

    /// <summary>The answer as numbers; unknown ones are omitted.</summary>
    public static IEnumerable<(string Name, double Value)> ReadNumbers(SearchResult result) =>
        from number in new (string Name, double? Value)[]
        {
            ("capacity", result.Answer.Value), ("capacity.low", result.Answer.Interval.Low), ("capacity.high", result.Answer.Interval.High),
        }
        where number.Value is not null
        select (number.Name, number.Value!.Value);

    /// <summary>Writes a search as a table for a pull request.</summary>
    public static void WriteMarkdown(TextWriter writer, SearchResult result)
    {
        writer.Write($"**{result.Verdict}** {Markdown.Escape(SearchText.Capacity(result))}\n\n");
        Markdown.WriteTable(writer, ["", ""], SearchTables.Answer(result).Rows.Skip(1).Select(Escape));
        foreach (TextTable curve in (TextTable[])[SearchTables.Curve(result), SearchTables.OtherCurve(result)])
        {
            if (curve.Rows.Count > 0)
                Markdown.WriteTable(writer, curve.Columns, curve.Rows.Select(Escape));
        }
    }

    private static IReadOnlyList<string> Escape(IReadOnlyList<Cell> row) => [.. row.Select(cell => Markdown.Escape(cell.Text))];
}
