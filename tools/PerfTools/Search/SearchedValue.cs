using PerfTools.Scenarios;

namespace PerfTools.Search;

/// <summary>An option of a scenario whose greatest value is searched.</summary>
/// <param name="Name">Its name, without dashes.</param>
/// <param name="Read">The value that options have.</param>
/// <param name="Set">The same options with another value.</param>
internal sealed record SearchedValue(string Name, Func<ScenarioOptions, int> Read, Func<ScenarioOptions, int, ScenarioOptions> Set)
{
    private const int MaxRate = 1_000_000_000;
    private const int MaxItems = 10_000_000;
    private const int MinMessageBytes = 16;
    private const int MaxMessageBytes = 10_000_000;
    private const int MaxThreads = 8; // of a role

    /// <summary>The least value that makes sense.</summary>
    public int Min { get; init; } = 1;

    /// <summary>The greatest value that is tried.</summary>
    public required int Max { get; init; }

    /// <summary>What it is a number of; null for what the scenario sends in a second.</summary>
    public string? Unit { get; init; }

    public static SearchedValue Rate { get; } = new("rate", o => o.Rate, (o, v) => o with { Rate = v }) { Max = MaxRate };

    /// <summary>All of them, in the order of the help.</summary>
    public static IReadOnlyList<SearchedValue> All { get; } =
    [
        Rate,
        new("items", o => o.Items, (o, v) => o with { Items = v }) { Max = MaxItems, Unit = "items" },
        new("size", o => o.MessageBytes, (o, v) => o with { MessageBytes = v })
            { Min = MinMessageBytes, Max = MaxMessageBytes, Unit = "bytes" },
        new("threads", o => o.Threads, (o, v) => o with { Threads = v }) { Max = MaxThreads, Unit = "threads" },
    ];

    /// <summary>The option as it is typed.</summary>
    public string Option => $"--{Name}";

    /// <summary>True when a scenario has that option.</summary>
    public bool IsOf(Scenario scenario) => scenario.Options.Rows.Any(row => row.Name == $"-{Name}");

    /// <summary>The values to try.</summary>
    /// <param name="options">The options of all runs.</param>
    /// <param name="first">The value to begin with; null for that of the options.</param>
    public SearchRange RangeOf(ScenarioOptions options, int? first)
    {
        int min = this == Rate && options.LatencyRate is { All: false } latency ? Math.Max(Min, latency.PerSecond) : Min;
        return new() { First = Math.Clamp(first ?? Read(options), min, Max), Min = min, Max = Max };
    }

    /// <summary>What it is a number of, in a scenario.</summary>
    public string UnitOf(Scenario scenario, ScenarioOptions options) => Unit ?? scenario.LinksOf(options)[0].What + "/s";
}
