using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

// docs/json-lines.md
internal sealed partial class Report
{
    private readonly Member[] _intervalMembers = FindMembers(table, ReportScope.Interval, table.IntervalParts);
    private readonly Member[] _finalMembers = FindMembers(table, ReportScope.Run, table.FinalParts);

    /// <summary>Writes the JSON line of one collection.</summary>
    public void WriteInterval(Stream json, Figures overall, IReadOnlyList<Figures> threads) =>
        JsonFigures.WriteLine(json, table.Tool, final: false, line =>
        {
            JsonFigures.WriteCollection(line, overall.Info);
            JsonFigures.WriteSections(line, overall, threads, f => WriteMembers(line, f, ReportScope.Interval));
            JsonFigures.WriteProcess(line, overall.Process, overall[Gauge.QueuedBytes]);
        });

    public void WriteFinal(Stream json, RunSummary summary) =>
        JsonFigures.WriteLine(json, table.Tool, final: true, line =>
        {
            JsonFigures.WriteSections(line, summary.Overall, summary.Threads, f => WriteMembers(line, f, ReportScope.Run));
            foreach (ReportRow row in table.OverallRows.Where(row => row.FinalName is not null))
                row.Value.WriteJson(line, row.FinalName!, summary.Overall, ReportScope.Run);
            Sizes?.WriteList(line, summary.Sizes);
            WriteConnections(line, summary.Connections);
            NetworkJson.Write(line, summary.Network);
            JsonFigures.WriteEnd(line, summary);
            FigureCatalogue.Write(line, RowFacts.Of(table));
        });

    private void WriteMembers(Utf8JsonWriter json, Figures figures, ReportScope scope)
    {
        Member[] members = scope == ReportScope.Interval ? _intervalMembers : _finalMembers;
        foreach (IGrouping<(JsonPart, string?), Member> group in members.GroupBy(member => (member.Part, member.Parent)))
        {
            (_, string? parent) = group.Key;
            if (parent is not null)
                json.WriteStartObject(parent);
            foreach (Member member in group.Where(member => member.Value.Exists(figures) || member.Value.Part == JsonPart.Latencies))
                member.Value.WriteJson(json, member.Name, figures, scope);
            if (parent is not null)
                json.WriteEndObject();
        }
    }

    private static Member[] FindMembers(ReportTable table, ReportScope scope, JsonPart[] parts) =>
    [
        .. table.Rows.Except(table.OverallRows)
            .Where(row => row.JsonName(scope) is not null).Select(row => Member.Of(row.JsonName(scope)!, row.Value))
            .OrderBy(member => Array.IndexOf(parts, member.Part))
            .ThenBy(member => (int)member.Value.Part).ThenBy(member => member.Value.Order),
    ];

    private sealed record Member(string? Parent, string Name, JsonPart Part, ReportValue Value)
    {
        public static Member Of(string path, ReportValue value) => path.Split('.') switch
        {
            [string parent, string name] => new(parent, name, parent == ReportTable.Counts ? JsonPart.Counts : JsonPart.Phases, value),
            _ => new(null, path, value.Part, value),
        };
    }
}

/// <summary>The parts of the objects <c>overall</c> and <c>threads</c>, in their usual order.</summary>
internal enum JsonPart
{
    /// <summary>Derived figures, in the order of the rows.</summary>
    Numbers,

    /// <summary>The time needed for the images.</summary>
    Images,

    /// <summary>Objects with figures of one phase, in the order of the rows.</summary>
    Phases,

    /// <summary>Latencies, in the order of the series.</summary>
    Latencies,

    /// <summary>The object of all counts, in the order of the counters.</summary>
    Counts,
}
