using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Selects the cases to check, and the recorded ratios.</summary>
internal sealed record RegressionOptions
{
    /// <summary>The file of recorded ratios; null for the one in the project's folder. <c>--recorded</c></summary>
    public string? Recorded { get; init; }

    /// <summary>Only cases whose name contains this text; null for all. <c>--case</c></summary>
    public string? Case { get; init; }

    /// <summary>Records the measured ratios instead of checking them. <c>--record</c></summary>
    public bool Record { get; init; }

    /// <summary>One round of each case; checks and records nothing. <c>--dry</c></summary>
    public bool Dry { get; init; }

    /// <summary>Path of the recorded ratios.</summary>
    public string RecordedPath => Path.GetFullPath(Recorded ?? Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "recorded.json"));

    public static OptionTable<RegressionOptions> CreateTable()
    {
        OptionTable<RegressionOptions> table = new("regression", new RegressionOptions(), o => o.FindProblem());
        table.Text("-recorded", "file", "recorded ratios (default recorded.json of this project)",
            o => o.Recorded, (o, v) => o with { Recorded = v });
        table.Text("-case", "text", "only cases whose name contains this", o => o.Case, (o, v) => o with { Case = v });
        table.Switch("-record", "record what is measured, judge nothing", o => o.Record, (o, v) => o with { Record = v });
        table.Switch("-dry", "each case for a moment, judge and record nothing", o => o.Dry, (o, v) => o with { Dry = v });
        return table;
    }

    private string? FindProblem() => this switch
    {
        { Record: true, Dry: true } => "--record and --dry exclude each other",
        _ => null,
    };
}
