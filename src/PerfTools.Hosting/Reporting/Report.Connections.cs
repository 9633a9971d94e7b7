using System.Text.Json;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <content>Writes the losses, connection by connection.</content>
internal sealed partial class Report
{
    private const int MaxNamed = 3;

    private readonly ReportRow[] _connectionRows = [.. table.Rows.Where(row => row.IsOfConnections)];

    /// <summary>The counters of a connection that are reported.</summary>
    public IEnumerable<Counter> ConnectionCounters => _connectionRows.SelectMany(row => row.Value.Counters);

    // One line for each of the slowest connections that lost anything.
    private IEnumerable<string> DescribeSlowest(IEnumerable<ConnectionAccount> connections) =>
        from connection in connections.Where(connection => connection.NotSent > 0).Take(MaxNamed)
        let figures = new Figures { Counts = connection.Counts }
        let losses = _connectionRows.Where(row => row.Value.IsAny(figures)).SelectMany(row => Lines(row, figures)).ToArray()
        where losses.Length > 0
        select $"Slow connection: {connection.Address}: {string.Join(", ", losses)}";

    // Writes the member connections; none for a tool that does not report single ones.
    private void WriteConnections(Utf8JsonWriter json, IReadOnlyList<ConnectionAccount> connections)
    {
        if (connections.Count == 0 || _connectionRows.Length == 0)
            return;
        json.WriteStartArray("connections");
        foreach (ConnectionAccount connection in connections)
        {
            json.WriteStartObject();
            json.WriteString("address", connection.Address);
            json.WriteNumber("outputBuffers", connection.OutputBuffers);
            if (connection.PeerLimitedPercent is { } percent)
                json.WriteNumber("peerLimitedPercent", Math.Round(percent, 1));
            Figures figures = new() { Counts = connection.Counts };
            foreach (ReportRow row in _connectionRows)
                row.Value.WriteJson(json, Member.Of(row.FinalName!, row.Value).Name, figures, ReportScope.Run);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
