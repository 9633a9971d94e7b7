using PerfTools.Reports.Charts;

namespace PerfTools.Reports;

/// <summary>Everything that a report shows, in its order, independent of its source.</summary>
internal sealed record ReportContent
{
    /// <summary>The name of the run.</summary>
    public required string Title { get; init; }

    /// <summary>Start and duration, below the title.</summary>
    public required string Subtitle { get; init; }

    /// <summary>The word of the verdict; null without one.</summary>
    public string? Verdict { get; init; }

    /// <summary>The sentence next to the verdict: the reason, or the balance.</summary>
    public required string Sentence { get; init; }

    /// <summary>The advice on what to do next; null for none.</summary>
    public string? Next { get; init; }

    /// <summary>The load of the machine and the processors of the run; null where unknown.</summary>
    public string? Circumstances { get; init; }

    /// <summary>The figures.</summary>
    public required IReadOnlyList<TextTable> Figures { get; init; }

    /// <summary>The heading above the charts.</summary>
    public string ChartsTitle { get; init; } = "Over time and by percentile";

    public required IReadOnlyList<Chart> Charts { get; init; }

    /// <summary>The conditions: options, environment, versions.</summary>
    public required IReadOnlyList<TextTable> Conditions { get; init; }

    /// <summary>The numbers of the charts over time; null where nothing was collected.</summary>
    public PointTable? Points { get; init; }
}

/// <summary>A small table of a report.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Columns">Its column headings; the first is that of the row's name. Empty for rows of a name and a text.</param>
/// <param name="Rows">Rows with the same number of cells.</param>
internal sealed record TextTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<Cell>> Rows);

/// <summary>One cell.</summary>
/// <param name="Text">The visible text.</param>
/// <param name="Figure">The path of the figure in run.json, joined by dots; null for other text.</param>
/// <param name="Value">The figure, unrounded.</param>
internal sealed record Cell(string Text, string? Figure = null, double? Value = null)
{
    /// <summary>True for text that is right-aligned like numbers.</summary>
    public bool IsNumber { get; init; }

    /// <summary>The colour in a heat map: from 0, the best, to 1, the worst; null for none.</summary>
    public double? Heat { get; init; }

    /// <summary>Creates a cell with a number; <c>-</c> for an unknown one.</summary>
    public static Cell Of(string figure, double? value, Func<double, string> show) =>
        new(value is { } known ? show(known) : "-", figure, value) { IsNumber = true };

    /// <summary>Creates a cell with text among the figures.</summary>
    public static implicit operator Cell(string text) => new(text);
}
