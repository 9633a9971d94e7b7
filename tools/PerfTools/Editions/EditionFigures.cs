using PerfCommon.Measurement;

namespace PerfTools.Editions;

/// <summary>A figure of another edition's program: its name in our JSON lines, its definition, and how to read it from the results.</summary>
/// <param name="Facts">Its entry in the catalogue; the name is its place in the final line.</param>
/// <param name="Read">Reads it; null where the edition does not provide it.</param>
internal sealed record EditionFigure(FigureFacts Facts, Func<EditionResults, double?> Read);

/// <summary>The figures of each program, under the names that our tools use (docs/json-lines.md).</summary>
internal static class EditionFigures
{
    /// <summary>The member with the latencies of the measured messages, and its entry in the catalogue; null for a role that measures none.</summary>
    public static FigureFacts? LatencyOf(string tool) => tool switch
    {
        "ConsPerf" => Entry("steady.latency", "steady latency", FigureKind.Time, "us", FigureSense.Lower, FigureMerge.Histogram) with { Phase = "steady" },
        "TransportPerf" => Entry("latency", "latency", FigureKind.Time, "us", FigureSense.Lower, FigureMerge.Histogram),
        _ => null,
    };

    /// <summary>The name of the histograms of those latencies (docs/histograms.md); null for a role that measures none.</summary>
    public static string? SeriesOf(string tool) => tool switch
    {
        "ConsPerf" => "updates",
        "TransportPerf" => "messages",
        _ => null,
    };

    /// <summary>The figures below <c>overall</c>, in the order in which people read them.</summary>
    public static IReadOnlyList<EditionFigure> Of(string tool) => tool switch
    {
        "ConsPerf" => Consumer,
        "ProvPerf" => Provider,
        "NIProvPerf" => Publisher,
        _ => Transport,
    };

    /// <summary>The member with messages per second in the line of an interval, and the column that has it; null where that is unknown.</summary>
    public static (string Name, string Column)? IntervalOf(string tool) => tool switch
    {
        "ConsPerf" => ("updateRate", "Update rate"),
        "ProvPerf" or "NIProvPerf" => ("updateRate", "Updates sent"), // the interval is one second
        _ => null,
    };

    /// <summary>The figures next to <c>overall</c>: the resources that its processes used, and the program's own figures of them.</summary>
    public static IReadOnlyList<EditionFigure> Resources { get; } =
    [
        new(Entry("resources.steady.coreCpuPercent", "CPU of its processes, of one core", FigureKind.Share, "%", FigureSense.Lower),
            results => results.Outside?.CoreCpuPercent),
        new(Entry("process.cpuSeconds", "CPU time of its processes", FigureKind.Time, "s", FigureSense.Lower), results => results.Outside?.CpuSeconds),
        new(Entry("resources.memoryMegabytes.max", "memory, peak", FigureKind.Memory, "MB", FigureSense.Lower), results => results.Outside?.PeakMegabytes),
        new(Entry("own.cpuPercent", "CPU as it says itself", FigureKind.Share, "%", FigureSense.None), results => results.Closing("CPU Usage avg (%)")),
        new(Entry("own.memoryMegabytes", "memory as it says itself, peak", FigureKind.Memory, "MB", FigureSense.None),
            results => results.Closing("Memory Usage max (MB)")),
    ];

    private static IReadOnlyList<EditionFigure> Consumer { get; } =
    [
        new(Entry("steady.seconds", "length of the steady state", FigureKind.Time, "s") with { Phase = "steady" },
            results => results.Steady("Sampling duration (sec)")),
        new(Entry("steady.updateRate", "steady update rate", FigureKind.Rate, "1/s", FigureSense.Higher) with { Phase = "steady" },
            results => results.Steady("Avg update rate")),
        new(Entry("imageRetrieval.items", "images", FigureKind.Count), results => HasAllImages(results) ? results.Closing("Refreshes received") : null),
        new(Entry("imageRetrieval.seconds", "time for all images", FigureKind.Time, "s", FigureSense.Lower, FigureMerge.Max),
            results => HasAllImages(results) ? results.Closing("Image retrieval time (sec)") : null),
        Count("requestsSent", "Requests sent"), Count("refreshesReceived", "Refreshes received"), Count("updatesReceived", "Updates received"),
        Count("postsSent", "Posts sent"), Count("genericSent", "GenMsgs sent"), Count("genericReceived", "GenMsgs received"),
    ];

    private static IReadOnlyList<EditionFigure> Provider { get; } =
    [
        Count("requestsReceived", "Image requests received"), CountOfRows("imagesSent", "Images sent"), Count("updatesSent", "Updates sent"),
        Count("postsReceived", "Posts received"), Count("postsReflected", "Posts reflected"),
        Count("genericSent", "GenMsgs sent"), Count("genericReceived", "GenMsgs received"),
    ];

    private static IReadOnlyList<EditionFigure> Publisher { get; } =
        [Count("imagesSent", "Images sent", "Image sent"), Count("updatesSent", "Updates sent")];

    private static IReadOnlyList<EditionFigure> Transport { get; } =
    [
        new(Entry("receivingSeconds", "time of receiving", FigureKind.Time, "s"), results => results.Closing("Sampling duration (sec)")),
        new(Entry("receiveRate", "receive rate", FigureKind.Rate, "1/s", FigureSense.Higher),
            results => results.Closing("Avg. Msg Recv Rate", "Avg Msg Recv Rate")),
        Count("messagesSent", "Msgs Sent"), Count("messagesReceived", "Msgs Received"),
    ];

    // the time of a retrieval that never ended is printed as 0
    private static bool HasAllImages(EditionResults results) => results.Closing("Image retrieval time (sec)") > 0;

    private static EditionFigure Count(string name, params string[] labels) => new(CountEntry(name, labels[0]), results => results.Closing(labels));

    private static EditionFigure CountOfRows(string name, string column) => new(CountEntry(name, column), results => results.Sum(column));

    private static FigureFacts CountEntry(string name, string label) => Entry("counts." + name, char.ToLowerInvariant(label[0]) + label[1..], FigureKind.Count);

    private static FigureFacts Entry(
        string name, string words, FigureKind kind, string? unit = null, FigureSense better = FigureSense.None, FigureMerge merge = FigureMerge.Sum) =>
        new() { Name = name, Words = words, Kind = kind, Unit = unit, Better = better, Merge = merge };
}
