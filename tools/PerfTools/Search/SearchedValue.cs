using PerfTools.Hosting.Options;
using PerfTools.Processes;
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
    private const string SizeName = "size", ThreadsName = "threads", ConnectionsName = "connections";

    /// <summary>The least value that makes sense.</summary>
    public int Min { get; init; } = 1;

    /// <summary>The greatest value that is tried.</summary>
    public required int Max { get; init; }

    /// <summary>What it is a number of; null for what the scenario sends in a second.</summary>
    public string? Unit { get; init; }

    public static SearchedValue Rate { get; } = new("rate", o => o.Rate, (o, v) => o with { Rate = v }) { Max = MaxRate };

    /// <summary>Of no scenario: a load of users has it, and sets the steps of its ramp.</summary>
    public static SearchedValue Users { get; } = new("users", _ => 1, (o, _) => o) { Max = StepList.MaxUsers, Unit = "users" };

    private static SearchedValue Threads { get; } =
        new(ThreadsName, o => o.Threads, (o, v) => o with { Threads = v }) { Max = MaxThreads, Unit = ThreadsName };

    /// <summary>All of them, in the order of the help.</summary>
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

    // Those of a scenario whose consumer has a connection for each of its threads.
    private static SearchedValue ThreadConnections { get; } = Threads with { Name = ConnectionsName, Unit = ConnectionsName };

    // Of a packet of round trips.
    private static SearchedValue PacketSize { get; } =
        new(SizeName, o => o.Roundtrip.Size ?? RoundtripOptions.MinSize, (o, v) => o with { Roundtrip = o.Roundtrip with { Size = v } })
        { Min = RoundtripOptions.MinSize, Max = RoundtripOptions.MaxSize, Unit = "bytes" };

    /// <summary>The option as it is typed.</summary>
    public string Option => $"--{Name}";

    /// <summary>True when a scenario has that option.</summary>
    public bool IsOf(Scenario scenario) => Has(scenario, In(scenario) == ThreadConnections ? ThreadsName : Name);

    /// <summary>The same, as a scenario has it.</summary>
    public SearchedValue In(Scenario scenario) => Name switch
    {
        SizeName when scenario.Figures.HasNoRate => PacketSize,
        ConnectionsName when !Has(scenario, Name) => ThreadConnections,
        _ => this,
    };

    /// <summary>The names of those that a scenario has.</summary>
    public static string NamesOf(Scenario scenario) => string.Join(", ", All.Where(value => value.IsOf(scenario)).Select(value => value.Name));

    /// <summary>The values to try.</summary>
    /// <param name="options">The options of all runs.</param>
    /// <param name="first">The value to begin with; null for that of the options.</param>
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

    /// <summary>What it is a number of, in a scenario.</summary>
    public string UnitOf(Scenario scenario, ScenarioOptions options) => Unit ?? scenario.LinksOf(options)[0].What + "/s";

    private static bool Has(Scenario scenario, string name) => scenario.Options.Rows.Any(row => row.Name == $"-{name}");
}
