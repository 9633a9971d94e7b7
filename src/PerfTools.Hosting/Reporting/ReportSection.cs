namespace PerfTools.Hosting.Reporting;

/// <summary>Rows that stand together in the summary.</summary>
internal sealed class ReportSection
{
    /// <summary>Its heading, after an empty line; null lets it follow what stands above.</summary>
    public string? Heading { get; init; }

    /// <summary>True for what concerns the run as a whole: processor, memory and what follows them, not repeated for each worker.</summary>
    public bool IsOverallOnly { get; init; }

    /// <summary>False when there is nothing to say but <see cref="WhenNotReached"/>; null when there always is.</summary>
    public Func<Figures, bool>? IsReached { get; init; }

    /// <summary>The one line of a section that was not reached.</summary>
    public string WhenNotReached { get; init; } = "";

    /// <summary>The rows.</summary>
    public List<ReportRow> Rows { get; } = [];
}
