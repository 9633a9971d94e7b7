using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a non-interactive provider, from an idle to a busy one.</summary>
internal static class PublisherSamples
{
    private static readonly CounterSnapshot Counts = CounterSnapshot.Of((Counter.RefreshesSent, 302), (Counter.UpdatesSent, 500_303));

    public static CounterSnapshot BusyCounts { get; } = Counts + CounterSnapshot.Of(
        (Counter.UpdatesNotSent, 304), (Counter.UpdatesStopped, 305), (Counter.UpdateStampsSent, 306), (Counter.RefreshesNotSent, 307),
        (Counter.MessagesDropped, 308), (Counter.PackedMessages, 3_160), (Counter.PackBuffers, 79),
        (Counter.BytesSent, 75_000_301));

    public static RunSummary Summary { get; } = new()
    {
        Overall = new Figures { Counts = Counts, Latencies = Samples((Series.SendLag, null, Latency(5))) },
        Resources = Resources(),
    };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = BusyRun,
        Threads = [BusyRun, new Figures { Moments = Moments((Moment.End, Start)) }],
        Connections = [new("10.1.2.3:14003", 50, BusyCounts)],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Incomplete, "connection lost: reset", "connection lost: reset"),
        Notes = ["Encrypted."],
    };

    private static Figures BusyRun => new()
    {
        Moments = Moments((Moment.End, Start + 5_000_000_000)),
        SendingSeconds = 5,
        Counts = BusyCounts,
        Latencies = IntervalSeries,
    };
}
