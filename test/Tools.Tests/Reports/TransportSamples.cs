using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a TransportPerf.</summary>
internal static class TransportSamples
{
    public static CounterSnapshot BusyCounts { get; } = CounterSnapshot.Of(
        (Counter.MessagesSent, 500_301), (Counter.BytesSent, 39_523_302), (Counter.MessagesNotSent, 303), (Counter.MessagesStopped, 304),
        (Counter.MessagesReceived, 400_305), (Counter.BytesReceived, 30_423_306), (Counter.MessageStampsReceived, 307),
        (Counter.DrainedMessages, 308), (Counter.DrainedBytes, 309), (Counter.LatencyRecordsDropped, 310));

    public static Figures BusyRun { get; } = new()
    {
        Moments = Moments((Moment.Connected, Start), (Moment.Disconnected, Start + 4_987_000_000)),
        Counts = BusyCounts,
        Latencies = Samples(
            (Series.Messages, null, Latency(1) with { NegativeCount = 1 }),
            (Series.SendLag, null, Latency(5))),
    };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = BusyRun,
        Threads = [BusyRun, new Figures()],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Success, "run time expired", "a peer was killed"),
        Notes = ["Proxy used."],
    };
}
