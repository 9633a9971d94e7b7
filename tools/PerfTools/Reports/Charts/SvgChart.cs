using System.Globalization;
using System.Text;

namespace PerfTools.Reports.Charts;

/// <summary>Draws a chart as SVG; colours and widths are those of the page's style.</summary>
/// <remarks>Lengths are tenths of a point, all whole numbers, and lines are written as steps from point to point: few bytes.</remarks>
internal sealed class SvgChart
{
    private const int Width = 5_600;
    private const int Height = 2_500;
    private const int Left = 520;
    private const int Right = 4_200;
    private const int Top = 90;
    private const int Bottom = 2_180;
    private const int LabelGap = 60;
    private const int RightAxisWidth = 400;
    private const int LineHeight = 150;
    private const int TextDrop = 42; // from the middle of a letter to its baseline
    private const int TickTextDrop = 200;
    private const int MaxLabelChars = 16;

    private readonly StringBuilder _svg = new();
    private readonly Chart _chart;

    private SvgChart(Chart chart) => _chart = chart;

    /// <summary>Draws the chart as one element.</summary>
    public static string Draw(Chart chart) => new SvgChart(chart).Draw();

    private string Draw()
    {
        Add($"<svg viewBox=\"0 0 {Width} {Height}\" role=\"img\" aria-label=\"{Html.Escape(_chart.Title)}\">");
        DrawAxes();
        DrawHover();
        foreach (ChartMark mark in _chart.Marks)
            Add($"<path class=\"k\" d=\"M{Across(mark.X)} {Top}V{Bottom}\"><title>{Html.Escape(mark.Text)}</title></path>");
        foreach (ChartBand band in _chart.Bands)
            Add($"<path class=\"b c{band.Colour}\" d=\"{PathOf(band)}\"/>");
        foreach (ChartPoints points in _chart.Points)
            DrawPoints(points);
        foreach (ChartLine line in _chart.Lines)
            DrawLine(line, _chart.Y);
        foreach (ChartLine line in _chart.RightLines)
            DrawLine(line, _chart.Right!);
        DrawLabels();
        Add($"</svg>");
        return _svg.ToString();
    }

    // Transparent stripes below everything else that is drawn.
    private void DrawHover()
    {
        (int Place, string Text)[] texts = [.. ChartHover.Create(_chart, _chart.X.Place)];
        if (texts.Length == 0)
            return;
        Add($"<g fill=\"none\" pointer-events=\"all\">");
        foreach ((int place, string text) in texts)
        {
            int from = Left + (place * (Right - Left) / ChartHover.MaxPlaces), to = Left + ((place + 1) * (Right - Left) / ChartHover.MaxPlaces);
            Add($"<path d=\"M{from} {Top}H{to}V{Bottom}H{from}z\"><title>{Html.Escape(text)}</title></path>");
        }

        Add($"</g>");
    }

    private void DrawLine(ChartLine line, Axis axis) =>
        Add($"<path class=\"l {line.Style.ToString().ToLowerInvariant()} c{line.Colour}\" d=\"{PathOf(line.X, line.Y, axis)}\"/>");

    private void DrawPoints(ChartPoints points)
    {
        if (points.Texts.Count == 0)
            Add($"<path class=\"p c{points.Colour}\" d=\"{PathOf(points)}\"/>");
        for (int i = 0; i < points.Texts.Count; i++)
            Add($"<path class=\"p c{points.Colour}\" d=\"M{Across(points.X[i])} {Down(points.Y[i])}h0\"><title>{Html.Escape(points.Texts[i])}</title></path>");
    }

    private void DrawAxes()
    {
        foreach ((double value, string text) in _chart.Y.Ticks)
        {
            int y = Down(value);
            Add($"<path class=\"g\" d=\"M{Left} {y}H{Right}\"/><text class=\"e\" x=\"{Left - LabelGap}\" y=\"{y + TextDrop}\">{text}</text>");
        }

        foreach ((double value, string text) in _chart.Right?.Ticks ?? [])
            Add($"<text x=\"{Right + LabelGap}\" y=\"{Down(value, _chart.Right!) + TextDrop}\">{text}</text>");

        foreach ((double value, string text) in _chart.X.Ticks)
        {
            int x = Across(value);
            Add($"<path class=\"g\" d=\"M{x} {Top}V{Bottom}\"/><text class=\"m\" x=\"{x}\" y=\"{Bottom + TickTextDrop}\">{text}</text>");
        }
    }

    // A label at the end of each line, with a minimum distance from the others.
    private void DrawLabels()
    {
        (string Text, int Colour, int Y)[] labels =
        [
            .. _chart.Lines.Select(line => (line, axis: _chart.Y)).Concat(_chart.RightLines.Select(line => (line, axis: _chart.Right!)))
                .Select(label => (label.line, y: label.line.Y.LastOrDefault(value => value is not null), label.axis))
                .Where(label => label.y is not null)
                .Select(label => (label.line.Label, label.line.Colour, Down(label.y!.Value, label.axis)))
                .Concat(_chart.Points.Select(points => (points.Label, points.Colour, Down(points.LabelAt)))).OrderBy(label => label.Item3),
        ];
        int lowest = Bottom - ((labels.Length - 1) * LineHeight);
        int next = Top;
        int labelsAt = Right + LabelGap + (_chart.Right is null ? 0 : RightAxisWidth);
        foreach ((string text, int colour, int y) in labels)
        {
            int placed = Math.Clamp(y, next, Math.Max(next, lowest));
            Add($"<text class=\"n c{colour}\" x=\"{labelsAt}\" y=\"{placed + TextDrop}\">{Html.Escape(Shorten(text))}</text>");
            next = placed + LineHeight;
            lowest += LineHeight;
        }
    }

    // Names differ at their end as a rule.
    private static string Shorten(string label) => label.Length <= MaxLabelChars ? label : "..." + label[^(MaxLabelChars - 2)..];

    private string PathOf(IReadOnlyList<double> x, IReadOnlyList<double?> y, Axis axis)
    {
        StringBuilder path = new();
        foreach (List<(int X, int Y)> piece in Pieces(x, y, axis))
            AppendSteps(path, piece);
        return path.ToString();
    }

    private string PathOf(ChartBand band)
    {
        IReadOnlyList<double?> low = [.. band.Low.Select((value, i) => band.High[i] is null ? null : value)];
        IReadOnlyList<double?> high = [.. band.High.Select((value, i) => band.Low[i] is null ? null : value)];
        StringBuilder path = new();
        foreach ((List<(int X, int Y)> below, List<(int X, int Y)> above) in Pieces(band.X, low,
            _chart.Y).Zip(Pieces(band.X, high, _chart.Y)))
        {
            AppendSteps(path, [.. below, .. Enumerable.Reverse(above)]);
            path.Append('z');
        }

        return path.ToString();
    }

    // Coinciding points are drawn once.
    private string PathOf(ChartPoints points)
    {
        StringBuilder path = new();
        (int X, int Y) last = default;
        foreach ((int x, int y) in points.X.Zip(points.Y, (x, y) => (Across(x), Down(y))).Distinct())
        {
            path.Append(CultureInfo.InvariantCulture, $"{(path.Length == 0 ? 'M' : 'm')}{x - last.X} {y - last.Y}h0");
            last = (x, y);
        }

        return path.ToString();
    }

    private IEnumerable<List<(int X, int Y)>> Pieces(IReadOnlyList<double> x, IReadOnlyList<double?> y, Axis axis)
    {
        List<(int X, int Y)> piece = [];
        for (int i = 0; i < x.Count; i++)
        {
            if (y[i] is { } value)
                piece.Add((Across(x[i]), Down(value, axis)));
            else if (piece.Count > 0)
                yield return piece;
            if (y[i] is null)
                piece = [];
        }

        if (piece.Count > 0)
            yield return piece;
    }

    // a single point becomes a short segment, so that it is visible
    private static void AppendSteps(StringBuilder path, List<(int X, int Y)> points)
    {
        path.Append(CultureInfo.InvariantCulture, $"M{points[0].X} {points[0].Y}");
        if (points.Count == 1)
            path.Append("h9");
        for (int i = 1; i < points.Count; i++)
        {
            int y = points[i].Y - points[i - 1].Y;
            path.Append(CultureInfo.InvariantCulture, $"{(i == 1 ? "l" : " ")}{points[i].X - points[i - 1].X}{(y < 0 ? "" : " ")}{y}");
        }
    }

    private int Across(double value) => Left + (int)Math.Round(Math.Clamp(_chart.X.Place(value), 0, 1) * (Right - Left));

    private int Down(double value) => Down(value, _chart.Y);

    private static int Down(double value, Axis axis) => Bottom - (int)Math.Round(Math.Clamp(axis.Place(value), 0, 1) * (Bottom - Top));

    private void Add(FormattableString text) => _svg.Append(text.ToString(CultureInfo.InvariantCulture));
}
