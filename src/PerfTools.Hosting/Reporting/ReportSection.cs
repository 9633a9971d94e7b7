namespace PerfTools.Hosting.Reporting;

/// <summary>Rows that stand together in the summary.</summary>
/// <param name="Heading">Its heading, after an empty line; null lets it follow what stands above.</param>
/// <param name="IsReached">False when there is nothing to say but <paramref name="WhenNotReached"/>; null when there always is.</param>
/// <param name="WhenNotReached">The one line of a section that was not reached.</param>
internal sealed record ReportSection(string? Heading, Func<Figures, bool>? IsReached = null, string WhenNotReached = "")
{
    /// <summary>True for processor, memory and what concerns the run as a whole, which is not repeated for each worker.</summary>
    public bool IsOverallOnly { get; init; }

    /// <summary>The rows.</summary>
    public List<ReportRow> Rows { get; } = [];
}
