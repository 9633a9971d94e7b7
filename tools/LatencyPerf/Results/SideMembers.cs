using System.Globalization;
using System.Text.Json;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The members of the final JSON line that both sides have and that are no figures.</summary>
internal static class SideMembers
{
    private const string Processor = "processor";
    private const string Moves = "moves";

    public static void AddRole(ReportTable table, string role)
    {
        table.Member("role", (json, name, _) => json.WriteString(name, role));
        table.Member("utc", (json, name, _) =>
            json.WriteString(name, DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture)));
    }

    public static void AddOptions(ReportTable table, LatencyPerfOptions options) =>
        table.Member("options", (json, name, _) => WriteOptions(json, name, options));

    /// <summary>Adds the processor on which the thread ran, and how often it changed.</summary>
    public static void AddPlacement(ReportTable table, Func<Figures, Placement> placement)
    {
        table.Number(f => placement(f).Processor).Final(Processor);
        table.Number(f => placement(f).Moves).Final(Moves);
    }

    public static void WritePlacement(Utf8JsonWriter json, Placement placement)
    {
        json.WriteNumber(Processor, placement.Processor);
        json.WriteNumber(Moves, placement.Moves);
    }

    private static void WriteOptions(Utf8JsonWriter json, string name, LatencyPerfOptions options)
    {
        json.WriteStartObject(name);
        foreach ((string label, string value) in LatencyPerfOptionTable.Instance.DescribeInputs(options))
            json.WriteString(label, value);
        json.WriteEndObject();
    }
}
