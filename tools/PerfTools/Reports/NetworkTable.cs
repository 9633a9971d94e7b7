using PerfTools.Results.Documents;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>The table of a run's connections between hosts.</summary>
internal static class NetworkTable
{
    private static readonly (string Name, string Title, Func<HostPath, double?> Read, Func<double, string> Show)[] Columns =
    [
        ("cardMegabits", "card, Mbit/s", path => path.CardMegabits, Figure.Whole),
        ("connections", "connections", path => path.Connections, Figure.Whole),
        ("minRoundTripMicros", "least round trip, us", path => path.MinRoundTripMicros, Micros),
        ("roundTripMicros", "round trip before the end, us", path => path.RoundTripMicros, Micros),
        ("pathMtuBytes", "path MTU", path => path.PathMtuBytes, Figure.Whole),
        ("segmentsSent", "segments sent", path => path.SegmentsSent, Figure.Whole),
        ("segmentsResent", "sent again", path => path.SegmentsResent, Figure.Whole),
        ("bytesSent", "bytes sent", path => path.BytesSent, Figure.Whole),
    ];

    /// <summary>Creates it; without rows where there are no such connections.</summary>
    public static TextTable Create(RunDocument run) => new("Network", ["", "from", "to", .. Columns.Select(column => column.Title)],
        [.. (run.Network ?? []).Select((path, i) => (IReadOnlyList<Cell>)
        [
            path.Role, path.Card is null ? path.Local : $"{path.Local} ({path.Card})", path.Peer,
            .. Columns.Select(column => Cell.Of($"network.{i}.{column.Name}", column.Read(path), column.Show)),
        ])]);

    private static string Micros(double value) => Figure.Micros(value);
}
