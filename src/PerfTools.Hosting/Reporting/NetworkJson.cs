using System.Text.Json;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes the network paths of a run as the member <c>network</c> of the final line (docs/json-lines.md).</summary>
internal static class NetworkJson
{
    private const double MicrosPerSecond = 1_000_000;

    /// <summary>Writes the member; none where the system reports no path.</summary>
    public static void Write(Utf8JsonWriter json, IReadOnlyList<NetworkPath> paths)
    {
        if (paths.Count == 0)
            return;
        json.WriteStartArray("network");
        foreach (NetworkPath path in paths)
            Write(json, path);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, NetworkPath path)
    {
        json.WriteStartObject();
        json.WriteString("local", path.Local);
        json.WriteString("peer", path.Peer);
        if (NetworkCard.Find(path.Local) is { } card)
        {
            json.WriteString("card", card.Name);
            if (card.Megabits is { } megabits)
                json.WriteNumber("cardMegabits", megabits);
        }

        json.WriteNumber("connections", path.Connections);
        if (path.Facts.MinRoundTripMicros is { } min)
            json.WriteNumber("minRoundTripMicros", min);
        json.WriteNumber("roundTripMicros", path.Facts.RoundTripMicros);
        json.WriteNumber("pathMtuBytes", path.Facts.PathMtu);
        json.WriteNumber("segmentsSent", path.Facts.SegmentsSent);
        json.WriteNumber("segmentsResent", path.Facts.SegmentsResent);
        json.WriteNumber("bytesSent", path.Facts.BytesSent);
        json.WriteNumber("bytesResent", path.Facts.BytesResent);
        json.WriteNumber("busySeconds", path.MaxBusyMicros / MicrosPerSecond);
        if (path.Facts.PeerLimitedPercent is { } percent)
            json.WriteNumber("peerLimitedPercent", Math.Round(percent, 1));
        json.WriteEndObject();
    }
}
