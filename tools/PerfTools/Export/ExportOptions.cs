using PerfTools.Hosting.CommandLine;

namespace PerfTools.Export;

/// <summary>The options of <c>perftools export</c>. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ExportOptions
{
    /// <summary>The folder for the files; null for that of the runs. <c>--out</c></summary>
    public string? Out { get; init; }

    /// <summary>True for Parquet instead of comma-separated values. <c>--format</c></summary>
    public bool IsParquet { get; init; }

    /// <summary>True to export the samples as well. <c>--samples</c></summary>
    public bool HasSamples { get; init; }

    public static OptionTable<ExportOptions> CreateTable()
    {
        OptionTable<ExportOptions> table = new("perftools export", new ExportOptions(), _ => null) { HasLongNames = true };
        table.Choice("-format", "format", "csv or parquet", [new("csv", false), new("parquet", true)], o => o.IsParquet, (o, v) => o with { IsParquet = v });
        table.Switch("-samples", "also the latency samples: value and count of every histogram cell of every collection", o => o.HasSamples,
            (o, v) => o with { HasSamples = v });
        table.Text("-out", "folder", "folder for the files (default: that of the runs)", o => o.Out, (o, v) => o with { Out = v });
        return table;
    }
}
