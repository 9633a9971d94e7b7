using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The clock of the sender's host, by which latencies were corrected, as run.json has it (docs/json-lines.md).</summary>
public sealed record RunClock
{
    /// <summary>Address at which the clock answered.</summary>
    public required string Pair { get; init; }

    /// <summary><c>udp</c> or <c>tcp</c>, and what passed the probes on, such as <c>udp via rank 0</c>.</summary>
    public required string Transport { get; init; }

    /// <summary>What passed the probes on, such as <c> via rank 0</c>; empty where they went directly.</summary>
    internal string ViaText => Transport.IndexOf(Via, StringComparison.Ordinal) is >= 0 and var at ? Transport[at..] : "";

    /// <summary>Probes that were answered.</summary>
    public required long Exchanges { get; init; }

    /// <summary>Probes that were not answered.</summary>
    public required long Lost { get; init; }

    /// <summary>The minimum round trip.</summary>
    public required double MinRttMicros { get; init; }

    /// <summary>That clock minus the receiver's, at the end of the run.</summary>
    public required long OffsetNanos { get; init; }

    /// <summary>The least difference, that clock minus the receiver's, by which stamps of the run were corrected; null where none were.</summary>
    public long? UsedMinNanos { get; init; }

    /// <summary>The greatest one.</summary>
    public long? UsedMaxNanos { get; init; }

    /// <summary>Parts per million by which it ran faster.</summary>
    public required double DriftPpm { get; init; }

    /// <summary>The maximum error of a latency; null where it is not known.</summary>
    public required double? BoundMicros { get; init; }

    /// <summary>Number of lines that the run needed.</summary>
    public required int Segments { get; init; }

    /// <summary><c>same</c>, <c>bounded</c>, <c>coarse</c>, <c>unbounded</c> or <c>clock-wrong</c>.</summary>
    public required string State { get; init; }

    /// <summary>Who stamped the probes at the receiver: <c>user</c>, <c>kernel</c>, or <c>no-kernel</c> where the system gave no kernel stamps.</summary>
    public string Stamps { get; init; } = UsualStamps;

    /// <summary>The same at the sender.</summary>
    public string PeerStamps { get; init; } = UsualStamps;

    /// <summary>
    /// <c>final</c> where latencies were moved to the lines that all probes of the run show; <c>live</c> for those of the lines in force, as of 0.16 and
    /// before.
    /// </summary>
    public string Line { get; init; } = UsualLine;

    private const string UsualStamps = "user", UsualLine = "live";
    private const string Via = " via ";

    /// <summary>Reads the clock as the tools write it; null where there is none.</summary>
    internal static RunClock? Read(JsonView clock) => !clock.Exists ? null : new()
    {
        Pair = clock.Text("pair") ?? "",
        Transport = clock.Text("transport") ?? "",
        Exchanges = clock.Count("exchanges"),
        Lost = clock.Count("lost"),
        MinRttMicros = clock.Number("minRttMicros") ?? 0,
        OffsetNanos = clock.Count("offsetNanos"),
        UsedMinNanos = clock.Whole("usedMinNanos"),
        UsedMaxNanos = clock.Whole("usedMaxNanos"),
        DriftPpm = clock.Number("driftPpm") ?? 0,
        BoundMicros = clock.Number("boundMicros"),
        Segments = (int)clock.Count("segments"),
        State = clock.Text("state") ?? "",
        Stamps = clock.Text("stamps") ?? UsualStamps,
        PeerStamps = clock.Text("peerStamps") ?? UsualStamps,
        Line = clock.Text("line") ?? UsualLine,
    };
}
