using System.Text.Json;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the JSON lines of any tool (docs/json-lines.md): one for each collection, a final one.</summary>
internal sealed class ReportJson(ReportTable table)
{
    /// <summary>The object that holds every count.</summary>
    public const string Counts = "counts";

    private readonly Member[] _intervalMembers = FindMembers(table, ReportScope.Interval, table.IntervalParts);
    private readonly Member[] _finalMembers = FindMembers(table, ReportScope.Run, table.FinalParts);

    /// <summary>Writes the line of one collection.</summary>
    /// <param name="stream">The file.</param>
    /// <param name="overall">All workers together.</param>
    /// <param name="threads">Each worker.</param>
    public void WriteInterval(Stream stream, Figures overall, IReadOnlyList<Figures> threads) =>
        JsonFigures.WriteLine(stream, table.Tool, final: false, json =>
        {
            JsonFigures.WriteCollection(json, overall.Info);
            JsonFigures.WriteSections(json, overall, threads, (_, f) => WriteMembers(json, _intervalMembers, f, ReportScope.Interval));
            JsonFigures.WriteProcess(json, overall.Process);
        });

    /// <summary>Writes the last line.</summary>
    public void WriteFinal(Stream stream, RunSummary summary) =>
        JsonFigures.WriteLine(stream, table.Tool, final: true, json =>
        {
            JsonFigures.WriteSections(json, summary.Overall, summary.Threads, (_, f) => WriteMembers(json, _finalMembers, f, ReportScope.Run));
            foreach (ReportRow row in table.OverallRows.Where(row => row.FinalName is not null))
                row.Value.WriteJson(json, row.FinalName!, summary.Overall, ReportScope.Run);
            JsonFigures.WriteEnd(json, summary.Outcome, summary.Resources);
        });

    private static void WriteMembers(Utf8JsonWriter json, IEnumerable<Member> members, Figures figures, ReportScope scope)
    {
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

    private static Member[] FindMembers(ReportTable table, ReportScope scope, IReadOnlyList<JsonPart> parts) =>
    [
        .. table.Rows.Except(table.OverallRows)
            .Where(row => row.JsonName(scope) is not null).Select(row => Member.Of(row.JsonName(scope)!, row.Value))
            .OrderBy(member => parts.ToList().IndexOf(member.Part)).ThenBy(member => member.Value.Part).ThenBy(member => member.Value.Order),
    ];

    private sealed record Member(string? Parent, string Name, JsonPart Part, ReportValue Value)
    {
        public static Member Of(string path, ReportValue value) => path.Split('.') switch
        {
            [string parent, string name] => new(parent, name, parent == Counts ? JsonPart.Counts : JsonPart.Phases, value),
            _ => new(null, path, value.Part, value),
        };
    }
}

/// <summary>The parts of the objects <c>overall</c> and <c>threads</c>, in their usual order.</summary>
internal enum JsonPart
{
    /// <summary>Derived figures, in the order of the rows.</summary>
    Numbers,

    /// <summary>How long the images took.</summary>
    Images,

    /// <summary>Objects with figures of one phase, in the order of the rows.</summary>
    Phases,

    /// <summary>Latencies, in the order of the series.</summary>
    Latencies,

    /// <summary>The object of all counts, in the order of the counters.</summary>
    Counts,
}
