using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Copying;

/// <summary>Settings for comparing copied updates with encoded updates.</summary>
internal sealed record CopyingOptions
{
    /// <summary>Updates a second, each in its own buffer. <c>--rate</c></summary>
    public int Rate { get; init; } = 4_000_000;

    /// <summary>Updates a second in packs. <c>--pack-rate</c></summary>
    public int PackRate { get; init; } = 8_000_000;

    /// <summary>Items that the consumer requests. <c>--items</c></summary>
    public int Items { get; init; } = 10_000;

    /// <summary>The second in which the window begins. <c>--from</c></summary>
    public int From { get; init; } = 4;

    /// <summary>Length of the window in seconds. <c>--seconds</c></summary>
    public int Seconds { get; init; } = 10;

    public static OptionTable<CopyingOptions> CreateTable()
    {
        OptionTable<CopyingOptions> table = new("copying", new CopyingOptions(), _ => null);
        table.Number("-rate", "n", "updates a second, each in a buffer of its own", o => o.Rate,
            (o, v) => o with { Rate = v }).AtLeast(1_000);
        table.Number("-pack-rate", "n", "updates a second in packs of 30", o => o.PackRate,
            (o, v) => o with { PackRate = v }).AtLeast(1_000);
        table.Number("-items", "n", "items that the reader asks for", o => o.Items, (o, v) => o with { Items = v }).AtLeast(1);
        table.Number("-from", "s", "second in which the window begins", o => o.From, (o, v) => o with { From = v }).AtLeast(1);
        table.Number("-seconds", "s", "length of the window", o => o.Seconds, (o, v) => o with { Seconds = v }).AtLeast(1);
        return table;
    }
}
