using PerfTools.Hosting.CommandLine;

namespace PerfCommon.Benchmarks.Publishing;

/// <summary>Settings of the search for NIProvPerf's highest rate.</summary>
internal sealed record PublishingOptions
{
    /// <summary>Updates a second to begin with. <c>--first-rate</c></summary>
    public int FirstRate { get; init; } = 4_000_000;

    /// <summary>Maximum updates in a pack; 1 packs nothing. <c>--pack</c></summary>
    public int Pack { get; init; } = 1;

    /// <summary>Further arguments of NIProvPerf. <c>--args</c></summary>
    public string Arguments { get; init; } = "";

    /// <summary>Items that are published. <c>--items</c></summary>
    public int Items { get; init; } = 10_000;

    /// <summary>The second in which the window begins. <c>--from</c></summary>
    public int From { get; init; } = 3;

    /// <summary>Length of the window in seconds. <c>--seconds</c></summary>
    public int Seconds { get; init; } = 4;

    public static OptionTable<PublishingOptions> CreateTable()
    {
        OptionTable<PublishingOptions> table = new("publishing", new PublishingOptions(), _ => null);
        table.Number("-first-rate", "n", "updates a second to begin with", o => o.FirstRate,
            (o, v) => o with { FirstRate = v }).AtLeast(1_000);
        table.Number("-pack", "n", "most updates in a pack, 1 packs nothing", o => o.Pack, (o, v) => o with { Pack = v }).AtLeast(1);
        table.Text("-args", "arguments", "further arguments of NIProvPerf", o => o.Arguments, (o, v) => o with { Arguments = v });
        table.Number("-items", "n", "items that are published", o => o.Items, (o, v) => o with { Items = v }).AtLeast(1);
        table.Number("-from", "s", "second in which the window begins", o => o.From, (o, v) => o with { From = v }).AtLeast(1);
        table.Number("-seconds", "s", "length of the window", o => o.Seconds, (o, v) => o with { Seconds = v }).AtLeast(1);
        return table;
    }
}
