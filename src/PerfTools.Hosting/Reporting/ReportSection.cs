namespace PerfTools.Hosting.Reporting;

/// <summary>Rows that are printed together in the summary.</summary>
/// <param name="Heading">Its heading, after an empty line; null continues the section above.</param>
/// <param name="IsReached">False when only <paramref name="WhenNotReached"/> is printed; null when the rows always are.</param>
/// <param name="WhenNotReached">The one line of a section that was not reached.</param>
internal sealed record ReportSection(string? Heading, Func<Figures, bool>? IsReached = null, string WhenNotReached = "")
{
    /// <summary>True for processor, memory and other rows of the run as a whole, which are not repeated for each worker.</summary>
    public bool IsOverallOnly { get; init; }

    /// <summary>The rows.</summary>
    public List<ReportRow> Rows { get; } = [];
}
