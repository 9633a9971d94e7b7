using System.Globalization;

namespace PerfTools.Reports.Charts;

/// <summary>Creates the tooltips of a chart, the values of all lines at a position, without a script.</summary>
internal static class ChartHover
{
    /// <summary>The maximum number of positions along a chart with a tooltip.</summary>
    public const int MaxPlaces = 60;

    /// <summary>Creates the tooltips of a chart, from left to right.</summary>
    /// <param name="chart">The chart.</param>
    /// <param name="place">The position of a value of the horizontal axis, from 0 to 1.</param>
    /// <returns>For each position its number, from 0 to below <see cref="MaxPlaces"/>, and its text.</returns>
    public static IEnumerable<(int Place, string Text)> Create(Chart chart, Func<double, double> place)
    {
        if (chart.Points.Any(points => points.Texts.Count > 0))
            return []; // each point has a longer text
        ChartLine[] lines = [.. chart.Lines, .. chart.RightLines];
        return lines.SelectMany(line => line.X).Distinct().GroupBy(x => Math.Min((int)(Math.Clamp(place(x), 0, 1) * MaxPlaces), MaxPlaces - 1))
            .OrderBy(group => group.Key)
            .Select(group => (group.Key, Describe(chart, lines, [.. group.Order()]))).Where(entry => entry.Item2.Length > 0);
    }

    private static string Describe(Chart chart, ChartLine[] lines, double[] within)
    {
        double middle = within[within.Length / 2];
        string[] values = [.. lines.Select(line => (line.Label, Value: ValueAt(line, within, middle))).Where(line => line.Value is not null)
            .Select(line => $"{line.Label} {Format(line.Value!.Value)}")];
        return values.Length == 0 ? "" : $"{chart.X.Show(middle)}: {string.Join(", ", values)}";
    }

    // The value of the point nearest to the middle.
    private static double? ValueAt(ChartLine line, double[] within, double middle)
    {
        double? nearest = null, found = null;
        for (int i = 0; i < line.X.Count; i++)
        {
            if (line.Y[i] is not { } value || line.X[i] < within[0] || line.X[i] > within[^1] || Math.Abs(line.X[i] - middle) >= nearest)
                continue;
            (nearest, found) = (Math.Abs(line.X[i] - middle), value);
        }

        return found;
    }

    private static string Format(double value) => value.ToString(Math.Abs(value) < 100 ? "0.##" : "#,##0", CultureInfo.InvariantCulture);
}
