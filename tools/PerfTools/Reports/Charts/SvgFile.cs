namespace PerfTools.Reports.Charts;

/// <summary>Writes a chart as a separate file.</summary>
internal static class SvgFile
{
    // The colours of the printed report.
    private const string Style = """
        <style>text{font:122px "DejaVu Sans",sans-serif;fill:#57606a}.e{text-anchor:end}.m{text-anchor:middle}.n{font-weight:600}
        .g{stroke:#d8dee4;stroke-width:8;fill:none}.l{fill:none;stroke-width:22;stroke-linejoin:round}.thin{stroke-width:13}.dashed{stroke-dasharray:80 60;stroke-width:16}.b{opacity:.2}
        .p{fill:none;stroke-width:30;stroke-linecap:round}.l.c0,.p.c0{stroke:#0062a3}.l.c1,.p.c1{stroke:#b34700}.l.c2,.p.c2{stroke:#00704f}.l.c3,.p.c3{stroke:#8a3a82}.n.c0,.b.c0{fill:#0062a3}.n.c1,.b.c1{fill:#b34700}.n.c2,.b.c2{fill:#00704f}.n.c3,.b.c3{fill:#8a3a82}</style>
        """;

    private const string Begin = "<svg ";

    /// <summary>Writes the chart.</summary>
    public static void Write(TextWriter writer, Chart chart)
    {
        string svg = SvgChart.Draw(chart);
        int body = svg.IndexOf('>', StringComparison.Ordinal) + 1;
        writer.Write(
            $"{Begin}xmlns=\"http://www.w3.org/2000/svg\" {svg[Begin.Length..body]}\n<title>{Html.Escape(chart.Title)}</title>\n{Style}\n{svg[body..]}\n");
    }
}
