using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Roles;

namespace PerfTools.Scenarios;

/// <summary>The options of each scenario, written once.</summary>
internal static class ScenarioOptionTables
{
    private static readonly (string, ConnectionKind)[] Connections =
        [("socket", ConnectionKind.Socket), ("encrypted", ConnectionKind.Encrypted), ("websocket", ConnectionKind.WebSocket)];

    private static readonly (string, CompressionType)[] Compressions =
        [("none", CompressionType.None), ("zlib", CompressionType.Zlib), ("lz4", CompressionType.Lz4)];

    /// <summary>Provider to consumer.</summary>
    public static OptionTable<ScenarioOptions> Direct { get; } = CreateDirect();

    /// <summary>TransportPerf, server to client.</summary>
    public static OptionTable<ScenarioOptions> Transport { get; } = CreateTransport("transport", offersPacking: true);

    /// <summary>TransportPerf, client to server and back.</summary>
    public static OptionTable<ScenarioOptions> Reflect { get; } = CreateTransport("reflect", offersPacking: false);

    private static OptionTable<ScenarioOptions> CreateDirect()
    {
        OptionTable<ScenarioOptions> table = new("perftools run direct", new ScenarioOptions(), o => o.FindProblem());
        table.Number("-items", "n", "items that the consumer opens", o => o.Items, (o, v) => o with { Items = v });
        AddRates(table, "updates a second, for each connection", "updates a second that carry a time stamp, or all");
        AddPacking(table);
        AddCommon(table);
        AddArguments(table, "-prov", "ProvPerf", o => o.ServerArguments, (o, v) => o with { ServerArguments = v });
        AddArguments(table, "-cons", "ConsPerf", o => o.ClientArguments, (o, v) => o with { ClientArguments = v });
        return table;
    }

    private static OptionTable<ScenarioOptions> CreateTransport(string scenario, bool offersPacking)
    {
        OptionTable<ScenarioOptions> table = new($"perftools run {scenario}", new ScenarioOptions(), o => o.FindProblem());
        AddRates(table, "messages a second, for each connection", "messages a second that carry a time stamp, or all");
        table.Number("-size", "bytes", "bytes of one message", o => o.MessageBytes, (o, v) => o with { MessageBytes = v });
        if (offersPacking)
            AddPacking(table);
        AddCommon(table);
        AddArguments(table, "-server", "the TransportPerf that listens", o => o.ServerArguments, (o, v) => o with { ServerArguments = v });
        AddArguments(table, "-client", "the TransportPerf that connects", o => o.ClientArguments, (o, v) => o with { ClientArguments = v });
        return table;
    }

    private static void AddRates(OptionTable<ScenarioOptions> table, string rate, string latencyRate)
    {
        table.Number("-rate", "n", rate, o => o.Rate, (o, v) => o with { Rate = v });
        table.Custom("-latency-rate", "n", "a whole number or all", latencyRate + " (default 1000, at most the rate)",
            o => o.LatencyRate?.ToString(), (o, s) => LatencyRate.TryParse(s, out LatencyRate v) ? o with { LatencyRate = v } : null);
    }

    private static void AddPacking(OptionTable<ScenarioOptions> table) =>
        table.Number("-pack", "n", "most messages in one buffer, 1 for no packing", o => o.Pack, (o, v) => o with { Pack = v });

    private static void AddCommon(OptionTable<ScenarioOptions> table)
    {
        table.Number("-seconds", "s", "seconds of measuring", o => o.Seconds, (o, v) => o with { Seconds = v });
        table.Choice("-connection", "kind", "socket, encrypted or websocket", Connections, o => o.Connection, (o, v) => o with { Connection = v });
        table.Choice("-compression", "kind", "none, zlib or lz4", Compressions, o => o.Compression, (o, v) => o with { Compression = v });
        table.Text("-out", "folder", "folder for all results (default runs/<UTC time>-<scenario>)", o => o.Out, (o, v) => o with { Out = v });
    }

    private static void AddArguments(
        OptionTable<ScenarioOptions> table, string name, string role,
        Func<ScenarioOptions, IReadOnlyList<string>> get, Func<ScenarioOptions, IReadOnlyList<string>, ScenarioOptions> set) =>
        table.Custom(name, "\"arguments\"", "a list of arguments with every quote closed", $"further arguments of {role}, in quotes",
            o => get(o) is { Count: > 0 } given ? string.Join(' ', given.Select(ArgumentText.Quote)) : null,
            (o, s) => ArgumentText.TrySplit(s, out IReadOnlyList<string> v, out _) ? set(o, v) : null);
}
