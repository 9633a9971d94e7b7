using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Options of the ladder.</summary>
internal sealed record LadderOptions
{
    private const int QuickSeconds = 4;
    private const int UsualSeconds = 5;
    private const int UsualFromSecond = 8;

    /// <summary>Only this part; null for all. <c>direct</c>, <c>transport</c></summary>
    public string? Part { get; init; }

    /// <summary>Only rows whose name contains this text; null for all. <c>--row</c></summary>
    public string? Row { get; init; }

    /// <summary>Seconds of measuring in each run; null for the default. <c>--seconds</c></summary>
    public int? Seconds { get; init; }

    /// <summary>Few rungs and short runs, to check that everything works. <c>--quick</c></summary>
    public bool Quick { get; init; }

    /// <summary>Folder with the results of the micro benchmarks, to be printed in the same table. <c>--micro</c></summary>
    public string? Micro { get; init; }

    /// <summary>The seconds of measuring in use.</summary>
    public int EffectiveSeconds => Seconds ?? (Quick ? QuickSeconds : UsualSeconds);

    /// <summary>The second of a run in which the window for figures begins, after start-up and compiling.</summary>
    public int FromSecond => Quick ? 1 : UsualFromSecond;

    public static OptionTable<LadderOptions> CreateTable()
    {
        OptionTable<LadderOptions> table = new("ladder", new LadderOptions(), o => o.FindProblem());
        table.Custom("-seconds", "s", "a whole number",
            "seconds of measuring in each run, after 8 s in runs for figures (default 5, quick 4)",
            o => o.Seconds?.ToString(CultureInfo.InvariantCulture),
            (o, s) => int.TryParse(s, CultureInfo.InvariantCulture, out int v) ? o with { Seconds = v } : null);
        table.Text("-row", "text", "only rows whose name contains this", o => o.Row, (o, v) => o with { Row = v });
        table.Switch("-quick", "few rungs and short runs, to see that everything works", o => o.Quick, (o, v) => o with { Quick = v });
        table.Text("-micro", "folder", "results of the micro benchmarks for the same table", o => o.Micro, (o, v) => o with { Micro = v });
        return table;
    }

    private string? FindProblem() => Seconds is < 1 ? "--seconds must be at least 1" : null;
}
