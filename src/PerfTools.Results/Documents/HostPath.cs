using System.Globalization;
using System.Text.Json.Serialization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The TCP connections of a role to another host, by the statistics of its system: of what this side sent.</summary>
public sealed record HostPath
{
    private const double BitsPerByte = 8;
    private const double MillisPerMicro = 0.001;
    private const double Million = 1_000_000;
    private const double Whole = 100;

    /// <summary>The role.</summary>
    public required string Role { get; init; }

    /// <summary>Its address.</summary>
    public required string Local { get; init; }

    /// <summary>The address of the other host.</summary>
    public required string Peer { get; init; }

    /// <summary>The network card with the role's address; absent where it is not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Card { get; init; }

    /// <summary>Speed of the card's link in Mbit/s; absent for one without hardware, and where it is not known.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? CardMegabits { get; init; }

    /// <summary>Number of connections.</summary>
    public required long Connections { get; init; }

    /// <summary>The minimum round trip; null where it is not known.</summary>
    public required double? MinRoundTripMicros { get; init; }

    /// <summary>The smoothed round trip before the end, with the time that packets waited in queues on the way: the greatest of all connections.</summary>
    public required double RoundTripMicros { get; init; }

    /// <summary>Maximum bytes of a packet on the way.</summary>
    public required long PathMtuBytes { get; init; }

    /// <summary>Segments with data that were sent, again or for the first time.</summary>
    public required long SegmentsSent { get; init; }

    /// <summary>Segments that were sent again, as they were lost or not acknowledged in time.</summary>
    public required long SegmentsResent { get; init; }

    /// <summary>Bytes of data that were sent, again or for the first time.</summary>
    public required long BytesSent { get; init; }

    /// <summary>Bytes of data that were sent again.</summary>
    public required long BytesResent { get; init; }

    /// <summary>How long a connection had bytes on their way: the longest time of all connections.</summary>
    public required double BusySeconds { get; init; }

    /// <summary>
    /// Bytes of data in Mbit/s while there were any on their way, each counted once and without the headers of packets; null when there were none.
    /// </summary>
    [JsonIgnore]
    public double? Megabits => BusySeconds > 0 ? BitsPerByte * (BytesSent - BytesResent) / BusySeconds / Million : null;

    /// <summary>Its figures in a few words; the second round trip is that before the end.</summary>
    [JsonIgnore]
    public string Text => string.Join(", ", (string[])
    [
        MinRoundTripMicros is { } min ? Format($"round trip {min * MillisPerMicro:0.###} to {RoundTripMicros * MillisPerMicro:0.###} ms")
            : Format($"round trip {RoundTripMicros * MillisPerMicro:0.###} ms"),
        Format($"path MTU {PathMtuBytes}"),
        SegmentsSent == 0 ? "nothing sent"
            : Format($"{SegmentsResent:N0} of {SegmentsSent:N0} segments resent ({Whole * SegmentsResent / SegmentsSent:0.###} %)"),
    ]);

    /// <summary>Reads those of a run, in the order of its roles; null where no role has a connection to another host.</summary>
    internal static IReadOnlyList<HostPath>? TryRead(RunDocument run) =>
        run.Roles.SelectMany(role => Read(role.Name, new JsonView(role.Final))).ToArray() is { Length: > 0 } paths ? paths : null;

    /// <summary>Reads those of a role from its final line. Connections within one host are left out: no network carries them.</summary>
    internal static IEnumerable<HostPath> Read(string role, JsonView final) =>
        from path in final.Parts("network")
        let local = path.Text("local")
        let peer = path.Text("peer")
        where local is not null && peer is not null && local != peer
        select new HostPath
        {
            Role = role,
            Local = local,
            Peer = peer,
            Card = path.Text("card"),
            CardMegabits = path.Number("cardMegabits"),
            Connections = path.Count("connections"),
            MinRoundTripMicros = path.Number("minRoundTripMicros"),
            RoundTripMicros = path.Number("roundTripMicros") ?? 0,
            PathMtuBytes = path.Count("pathMtuBytes"),
            SegmentsSent = path.Count("segmentsSent"),
            SegmentsResent = path.Count("segmentsResent"),
            BytesSent = path.Count("bytesSent"),
            BytesResent = path.Count("bytesResent"),
            BusySeconds = path.Number("busySeconds") ?? 0,
        };

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
