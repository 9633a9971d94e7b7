using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace PerfTools.Scenarios;

/// <summary>The options of the scenarios, each written once.</summary>
internal static class ScenarioRows
{
    private static readonly (string, ConnectionKind)[] Connections =
        [("socket", ConnectionKind.Socket), ("encrypted", ConnectionKind.Encrypted), ("websocket", ConnectionKind.WebSocket)];

    private static readonly (string, CompressionType)[] Compressions =
        [("none", CompressionType.None), ("zlib", CompressionType.Zlib), ("lz4", CompressionType.Lz4)];

    /// <summary>The options of a scenario: its own, those of every run, and those that its roles bring.</summary>
    public static OptionTable<ScenarioOptions> CreateTable(Scenario scenario)
    {
        string verb = $"perftools run {scenario.Name}";
        OptionTable<ScenarioOptions> table = new(verb, new ScenarioOptions(), o => o.FindProblem(scenario.Roles)) { HasLongNames = true };
        foreach (Action<OptionTable<ScenarioOptions>> add in scenario.OwnOptions)
            add(table);
        AddCommon(table);
        RoleRows.Add(table, scenario.Roles);
        return table;
    }

    /// <summary>Items of a consumer.</summary>
    public static void AddItems(OptionTable<ScenarioOptions> table) =>
        table.Number("-items", "n", "items that the consumer opens", o => o.Items, (o, v) => o with { Items = v });

    /// <summary>Messages a second, and how many of them carry a time stamp.</summary>
    public static void AddRates(OptionTable<ScenarioOptions> table, string what)
    {
        table.Number("-rate", "n", $"{what} a second, for each connection", o => o.Rate, (o, v) => o with { Rate = v });
        table.Custom("-latency-rate", "n", "a whole number or all",
            $"{what} a second that carry a time stamp, or all (default 1000, at most the rate)", o => o.LatencyRate?.ToString(), (o, s) => LatencyRate.TryParse(s, out LatencyRate v) ? o with { LatencyRate = v } : null);
    }

    /// <summary>Bytes of a message of TransportPerf.</summary>
    public static void AddSize(OptionTable<ScenarioOptions> table) =>
        table.Number("-size", "bytes", "bytes of one message", o => o.MessageBytes, (o, v) => o with { MessageBytes = v });

    /// <summary>Packing.</summary>
    public static void AddPacking(OptionTable<ScenarioOptions> table) =>
        table.Number("-pack", "n", "most messages in one buffer, 1 for no packing", o => o.Pack, (o, v) => o with { Pack = v });

    private static void AddCommon(OptionTable<ScenarioOptions> table)
    {
        table.Number("-seconds", "s", "seconds of measuring", o => o.Seconds, (o, v) => o with { Seconds = v });
        table.Choice("-connection", "kind", "socket, encrypted or websocket", Connections, o => o.Connection, (o, v) => o with { Connection = v });
        table.Choice("-compression", "kind", "none, zlib or lz4", Compressions, o => o.Compression, (o, v) => o with { Compression = v });
        table.Text("-out", "folder", "folder for all results (default runs/<UTC time>-<scenario>)", o => o.Out, (o, v) => o with { Out = v });
    }
}
