using System.Globalization;
using PerfTools.Reports.Charts;

namespace PerfTools.Reports;

/// <summary>Writes a report as one page without a script and without a reference to other addresses.</summary>
internal sealed class ReportPage
{
    // The browser must load and execute nothing, whatever a foreign text contains.
    private const string Policy = "default-src 'none'; style-src 'unsafe-inline'";
    private const int Colours = 4;
    private const int WideColumns = 6;
    private const double MostHeat = 0.6; // text stays readable on it, light and dark

    private readonly TextWriter _writer;

    private ReportPage(TextWriter writer) => _writer = writer;

    public static void Write(TextWriter writer, ReportContent content) => new ReportPage(writer).Write(content);

    /// <summary>Writes only the body of the page, as a part of another page.</summary>
    public static void WriteBody(TextWriter writer, ReportContent content) => new ReportPage(writer).WriteBody(content);

    private void Write(ReportContent content)
    {
        string title = Html.Escape(content.Title);
        Add($"<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta http-equiv=Content-Security-Policy content=\"{Policy}\">\n");
        Add($"<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n<style>\n");
        _writer.Write(PageStyle.Css);
        Add($"\n</style>\n</head>\n<body>\n<main>\n");
        WriteBody(content);
        Add($"</main>\n</body>\n</html>\n");
    }

    private void WriteBody(ReportContent content)
    {
        Add($"<h1>{Html.Escape(content.Title)}</h1>\n<p class=soft>{Html.Escape(content.Subtitle)}</p>\n");
        string verdict = content.Verdict ?? "";
        Add($"<div class=\"verdict {(verdict.Length == 0 ? "none" : Html.Escape(verdict.ToLowerInvariant()))}\">");
        Add($"<b id=verdict>{Html.Escape(verdict)}</b><span>{Html.Escape(content.Sentence)}</span>");
        if (content.Next is { } next)
            Add($"<p>{Html.Escape(next)}</p>");
        if (content.Circumstances is { } circumstances)
            Add($"<p class=soft>{Html.Escape(circumstances)}</p>");
        Add($"</div>\n");
        WriteTables(content.Figures);
        if (content.Charts.Count > 0)
            WriteCharts(content);
        WriteTables(content.Conditions);
        if (content.Points is { PointCount: > 0 } points)
            WritePoints(points);
    }

    private void WriteCharts(ReportContent content)
    {
        Add($"<h2>{Html.Escape(content.ChartsTitle)}</h2>\n<div class=charts>\n");
        foreach (Chart chart in content.Charts)
            WriteChart(chart);
        Add($"</div>\n");
    }

    private void WriteTables(IEnumerable<TextTable> tables)
    {
        Add($"<div class=tables>\n");
        foreach (TextTable table in tables.Where(table => table.Rows.Count > 0))
        {
            Add($"<section{(table.Columns.Count >= WideColumns ? " class=wide" : "")}><h2>{Html.Escape(table.Title)}</h2><div class=scroll>");
            Add($"<table{(table.Rows.Any(row => row.Any(cell => cell.IsNumber)) ? "" : " class=text")}>\n");
            WriteHead(table);
            foreach (IReadOnlyList<Cell> row in table.Rows)
            {
                Add($"<tr>");
                foreach (Cell cell in row)
                    WriteCell(cell);
                Add($"\n");
            }

            Add($"</table></div></section>\n");
        }

        Add($"</div>\n");
    }

    private void WriteHead(TextTable table)
    {
        if (table.Columns.Count == 0)
            return;
        Add($"<tr>");
        foreach ((string column, int i) in table.Columns.Select((column, i) => (column, i)))
            Add($"<th{(table.Rows[0][i].IsNumber ? " class=r" : "")}>{Html.Escape(column)}");
        Add($"\n");
    }

    private void WriteCell(Cell cell)
    {
        string figure = cell.Figure is null ? "" : $" data-figure=\"{Html.Escape(cell.Figure)}\"";
        string value = cell.Value is { } known ? string.Create(CultureInfo.InvariantCulture, $" data-value=\"{known:R}\"") : "";
        string heat = cell.Heat is { } share
            ? string.Create(CultureInfo.InvariantCulture, $" style=\"background:rgba(213,94,0,{share * MostHeat:0.00})\"") : "";
        Add($"<td{(cell.IsNumber ? " class=r" : "")}{figure}{value}{heat}>{Html.Escape(cell.Text)}");
    }

    private void WriteChart(Chart chart)
    {
        Chart coloured = chart with
        {
            Lines = [.. chart.Lines.Select(line => line with { Colour = line.Colour % Colours })],
            Points = [.. chart.Points.Select(points => points with { Colour = points.Colour % Colours })],
        };
        Add($"<figure><figcaption><b>{Html.Escape(chart.Title)}</b>{Html.Escape(chart.Note)}</figcaption>\n");
        _writer.Write(SvgChart.Draw(coloured));
        Add($"</figure>\n");
    }

    private void WritePoints(PointTable points)
    {
        Add($"<details><summary>The points of the charts over time as a table ({points.PointCount} of {points.SecondsPerPoint} s; ");
        Add($"all collections: intervals.csv)</summary>\n");
        Add($"<div class=scroll><table class=points>\n<tr><th>s");
        foreach (PointColumn column in points.Columns)
            Add($"<th>{Html.Escape(column.Title)}");
        for (int i = 0; i < points.PointCount; i++)
        {
            Add($"\n<tr><td>{points.Seconds[i]}");
            foreach (PointColumn column in points.Columns)
                Add($"<td>{Short(column.Values[i])}");
        }

        Add($"\n</table></div></details>\n<details><summary>The same as JSON</summary><pre id=points>\n");
        Add($"{{\"secondsPerPoint\":{points.SecondsPerPoint},\n\"seconds\":[{string.Join(',', points.Seconds.Select(Number))}]");
        foreach (PointColumn column in points.Columns)
            Add($",\n\"{Html.Escape(column.Name)}\":[{string.Join(',', column.Values.Select(value => value is null ? "null" : Short(value)))}]");
        Add($"}}</pre></details>\n");
    }

    // As many digits as are visible.
    private static string Short(double? value) => value switch
    {
        null => "",
        >= 1_000 => Math.Round(value.Value).ToString(CultureInfo.InvariantCulture),
        _ => Math.Round(value.Value, 1).ToString(CultureInfo.InvariantCulture),
    };

    private static string Number(double value) => value.ToString(CultureInfo.InvariantCulture);

    private void Add(FormattableString text) => _writer.Write(text.ToString(CultureInfo.InvariantCulture));
}
