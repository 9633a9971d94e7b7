using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Which cases are judged, and by what.</summary>
internal sealed record RegressionOptions
{
    /// <summary>The file of recorded ratios; null for the one beside the project. <c>--recorded</c></summary>
    public string? Recorded { get; init; }

    /// <summary>Only cases whose name contains this text; null for all. <c>--case</c></summary>
    public string? Case { get; init; }

    /// <summary>Records what is measured instead of judging it. <c>--record</c></summary>
    public bool Record { get; init; }

    /// <summary>One round of each case; judges and records nothing. <c>--dry</c></summary>
    public bool Dry { get; init; }

    /// <summary>Where the recorded ratios are.</summary>
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
