using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Scenarios;

namespace PerfTools.Search;

/// <summary>An option of a scenario whose maximum value is searched.</summary>
/// <param name="Name">Its name, without dashes.</param>
/// <param name="Read">Reads its value from options.</param>
/// <param name="Set">Creates the same options with another value.</param>
internal sealed record SearchedValue(string Name, Func<ScenarioOptions, int> Read, Func<ScenarioOptions, int, ScenarioOptions> Set)
{
    private const int MaxRate = 1_000_000_000;
    private const int MaxItems = 10_000_000;
    private const int MinMessageBytes = 16;
    private const int MaxMessageBytes = 10_000_000;
    private const int MaxThreads = 8; // of a role
    private const string SizeName = "size", ThreadsName = "threads", ConnectionsName = "connections";

    /// <summary>The minimum sensible value.</summary>
    public int Min { get; init; } = 1;

    /// <summary>The maximum value that is tried.</summary>
    public required int Max { get; init; }

    /// <summary>The unit of the value; null for the messages that the scenario sends per second.</summary>
    public string? Unit { get; init; }

    public static SearchedValue Rate { get; } = new("rate", o => o.Rate, (o, v) => o with { Rate = v }) { Max = MaxRate };

    /// <summary>The number of users, an option of no scenario: a load of users has it, and sets the steps of its ramp.</summary>
    public static SearchedValue Users { get; } = new("users", _ => 1, (o, _) => o) { Max = StepList.MaxUsers, Unit = "users" };

    private static SearchedValue Threads { get; } =
        new(ThreadsName, o => o.Threads, (o, v) => o with { Threads = v }) { Max = MaxThreads, Unit = ThreadsName };

    /// <summary>All such options, in the order of the help.</summary>
    public static IReadOnlyList<SearchedValue> All { get; } =
    [
        Rate,
        new("items", o => o.Items, (o, v) => o with { Items = v }) { Max = MaxItems, Unit = "items" },
        new(SizeName, o => o.MessageBytes, (o, v) => o with { Transport = o.Transport with { MessageBytes = v } })
            { Min = MinMessageBytes, Max = MaxMessageBytes, Unit = "bytes" },
        Threads,
        new(ConnectionsName, o => o.Transport.Connections, (o, v) => o with { Transport = o.Transport with { Connections = v } })
            { Max = TransportLoad.MaxConnections, Unit = ConnectionsName },
        Users,
    ];

    // The connections of a scenario whose consumer has one for each of its threads.
    private static SearchedValue ThreadConnections { get; } = Threads with { Name = ConnectionsName, Unit = ConnectionsName };

    // The size of a packet of round trips.
    private static SearchedValue PacketSize { get; } =
        new(SizeName, o => o.Roundtrip.Size ?? RoundtripOptions.MinSize, (o, v) => o with { Roundtrip = o.Roundtrip with { Size = v } })
        { Min = RoundtripOptions.MinSize, Max = RoundtripOptions.MaxSize, Unit = "bytes" };

    /// <summary>The option as the user types it.</summary>
    public string Option => $"--{Name}";

    /// <summary>True when a scenario has that option.</summary>
    public bool IsOf(Scenario scenario) => Has(scenario, In(scenario) == ThreadConnections ? ThreadsName : Name);

    /// <summary>The same value as a scenario has it.</summary>
    public SearchedValue In(Scenario scenario) => Name switch
    {
        SizeName when scenario.Figures.HasNoRate => PacketSize,
        ConnectionsName when !Has(scenario, Name) => ThreadConnections,
        _ => this,
    };

    /// <summary>The names of the options that a scenario has.</summary>
    public static string NamesOf(Scenario scenario) => string.Join(", ", All.Where(value => value.IsOf(scenario)).Select(value => value.Name));

    /// <summary>The values to try.</summary>
    /// <param name="options">The options of all runs.</param>
    /// <param name="first">The first value to try; null for that of the options.</param>
    public SearchRange RangeOf(ScenarioOptions options, int? first)
    {
        int min = this == Rate && options.LatencyRate is { All: false } latency ? Math.Max(Min, latency.PerSecond) : Min;
        return new() { First = Math.Clamp(first ?? Read(options), min, Max), Min = min, Max = Max };
    }

    /// <summary>The option of a role that the user gave and that this value would set; null for none.</summary>
    public string? FindGiven(Scenario scenario, ScenarioOptions options)
    {
        string[] names = Name switch
        {
            ThreadsName => ["-threads"],
            ConnectionsName => ["-threads", RoleArgumentRules.Connections],
            SizeName => ["-msgSize", "-minSize", "-maxSize"],
            _ => [],
        };
        return (from role in scenario.RolesOf(options)
                from name in names
                where new RoleArguments(options.ArgumentsOf(role.Name)).IsGiven(name)
                select name).FirstOrDefault();
    }

    /// <summary>The unit of the value in a scenario.</summary>
    public string UnitOf(Scenario scenario, ScenarioOptions options) => Unit ?? scenario.LinksOf(options)[0].What + "/s";

    private static bool Has(Scenario scenario, string name) => scenario.Options.Rows.Any(row => row.Name == $"-{name}");
}
