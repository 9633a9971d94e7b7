using PerfTools.Reports.Charts;

namespace PerfTools.Reports;

/// <summary>Everything that a report shows, in its order; where it came from is not seen any more.</summary>
internal sealed record ReportContent
{
    /// <summary>What was run.</summary>
    public required string Title { get; init; }

    /// <summary>When and how long, below the title.</summary>
    public required string Subtitle { get; init; }

    /// <summary>The word of the verdict; null where nobody judged.</summary>
    public string? Verdict { get; init; }

    /// <summary>What stands beside it: why it is not OK, or what was conserved.</summary>
    public required string Sentence { get; init; }

    /// <summary>What to do next; null where there is nothing.</summary>
    public string? Next { get; init; }

    /// <summary>Under which load of the machine and on which processors; null where that is not known.</summary>
    public string? Circumstances { get; init; }

    /// <summary>The figures.</summary>
    public required IReadOnlyList<TextTable> Figures { get; init; }

    /// <summary>The heading above the charts.</summary>
    public string ChartsTitle { get; init; } = "Over time and by percentile";

    public required IReadOnlyList<Chart> Charts { get; init; }

    /// <summary>Under which conditions: options, environment, versions.</summary>
    public required IReadOnlyList<TextTable> Conditions { get; init; }

    /// <summary>What the charts over time show, as numbers; null where nothing was collected.</summary>
    public PointTable? Points { get; init; }
}

/// <summary>A small table of a report.</summary>
/// <param name="Title">Its heading.</param>
/// <param name="Columns">Its column heads; the first is that of the row's name. None for rows of a name and a text.</param>
/// <param name="Rows">Rows of as many cells.</param>
internal sealed record TextTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<Cell>> Rows);

/// <summary>One cell.</summary>
/// <param name="Text">What is read.</param>
/// <param name="Figure">Where the figure stands in run.json, its path joined by dots; null for other text.</param>
/// <param name="Value">The figure, unrounded.</param>
internal sealed record Cell(string Text, string? Figure = null, double? Value = null)
{
    /// <summary>True for what stands right-aligned among numbers.</summary>
    public bool IsNumber { get; init; }

    /// <summary>Of a heat-map: from 0, the best, to 1, the worst; null for no colour.</summary>
    public double? Heat { get; init; }

    /// <summary>A number; <c>-</c> for one that is not known.</summary>
    public static Cell Of(string figure, double? value, Func<double, string> show) =>
        new(value is { } known ? show(known) : "-", figure, value) { IsNumber = true };

    /// <summary>Text among the figures.</summary>
    public static implicit operator Cell(string text) => new(text);
}
