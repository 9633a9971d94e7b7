namespace PerfTools.Reports.Charts;

/// <summary>A chart as data: axes, and what is drawn along them.</summary>
internal sealed record Chart
{
    /// <summary>Its heading, with the unit.</summary>
    public required string Title { get; init; }

    /// <summary>One short sentence on how to read it.</summary>
    public string Note { get; init; } = "";

    public required Axis X { get; init; }
    public required Axis Y { get; init; }

    /// <summary>A second axis on the right, with another unit; null for none.</summary>
    public Axis? Right { get; init; }

    /// <summary>Lines along that axis.</summary>
    public IReadOnlyList<ChartLine> RightLines { get; init; } = [];

    /// <summary>The areas drawn before, and thus below, the lines.</summary>
    public IReadOnlyList<ChartBand> Bands { get; init; } = [];

    public required IReadOnlyList<ChartLine> Lines { get; init; }

    /// <summary>Single points, below the lines.</summary>
    public IReadOnlyList<ChartPoints> Points { get; init; } = [];

    /// <summary>The positions along the horizontal axis at which something happened.</summary>
    public IReadOnlyList<ChartMark> Marks { get; init; } = [];
}

/// <summary>A line from top to bottom with a tooltip.</summary>
internal sealed record ChartMark(double X, string Text);

/// <summary>A line with its label at its end.</summary>
/// <param name="Label">The label; few letters.</param>
/// <param name="X">The positions along the horizontal axis, ascending.</param>
/// <param name="Y">A value for each; null interrupts the line.</param>
/// <param name="Colour">The number of its colour, from 0.</param>
/// <param name="Style">The style of the line.</param>
internal sealed record ChartLine(string Label, IReadOnlyList<double> X, IReadOnlyList<double?> Y, int Colour,
    LineStyle Style = LineStyle.Full);

/// <summary>Single points of one kind.</summary>
/// <param name="Label">Their label, next to the chart; few letters.</param>
/// <param name="X">The positions along the horizontal axis.</param>
/// <param name="Y">A value for each.</param>
/// <param name="LabelAt">The value at whose height the label is drawn.</param>
/// <param name="Colour">The number of their colour, from 0.</param>
internal sealed record ChartPoints(string Label, IReadOnlyList<double> X, IReadOnlyList<double> Y, double LabelAt, int Colour)
{
    /// <summary>The tooltip of each point; empty for points without.</summary>
    public IReadOnlyList<string> Texts { get; init; } = [];
}

/// <summary>The area between two figures; it has a gap where one is missing.</summary>
internal sealed record ChartBand(IReadOnlyList<double> X, IReadOnlyList<double?> Low, IReadOnlyList<double?> High, int Colour);

/// <summary>How a line is drawn: it distinguishes lines of one colour, also on paper.</summary>
internal enum LineStyle
{
    Full,
    Thin,
    Dashed,
}
