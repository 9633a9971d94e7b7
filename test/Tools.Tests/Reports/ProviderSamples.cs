using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a provider, from an idle to a busy one.</summary>
internal static class ProviderSamples
{
    private static readonly CounterSnapshot Counts = CounterSnapshot.Of(
        (Counter.RequestsReceived, 201), (Counter.RefreshesSent, 202), (Counter.UpdatesSent, 500_203));

    public static CounterSnapshot BusyCounts { get; } = Counts + CounterSnapshot.Of(
        (Counter.UpdatesNotSent, 204), (Counter.UpdatesStopped, 205), (Counter.UpdateStampsSent, 206), (Counter.PostsReceived, 207),
        (Counter.PostsReflected, 208), (Counter.GenericSent, 209), (Counter.GenericStampsSent, 210), (Counter.GenericNotSent, 211),
        (Counter.GenericReceived, 212), (Counter.GenericStampsReceived, 213), (Counter.ClosesReceived, 214), (Counter.MessagesDropped, 215),
        (Counter.RequestsRejected, 216), (Counter.RefreshesNotSent, 217), (Counter.PackedMessages, 2_160), (Counter.PackBuffers, 72),
            (Counter.BytesSent, 75_000_201),
        (Counter.LatencyRecordsDropped, 218),
        (Counter.PostsNotReflected, 219), (Counter.PostsRefused, 220), (Counter.DrainedGeneric, 12));

    public static RunSummary Summary { get; } = new()
    {
        Overall = new Figures { Counts = Counts, Latencies = Samples((Series.SendLag, null, Latency(5))) },
        Resources = Resources(),
    };

    public static Figures BusyRun { get; } = new()
    {
        Moments = Moments(
            (Moment.FirstGenericSent, Start), (Moment.FirstGenericReceived, Start + 1_000_000_000),
            (Moment.Disconnected, Start + 5_000_000_000)),
        Counts = BusyCounts,
        Latencies = IntervalSeries,
    };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = BusyRun,
        Threads = [BusyRun, new Figures { Moments = Moments((Moment.End, Start)) }],
        Connections =
        [
            new("10.1.2.3:40000", 50, BusyCounts),
            new("10.1.2.4:40001", 20,
                CounterSnapshot.Of((Counter.UpdatesSent, 5), (Counter.UpdatesNotSent, 3), (Counter.UpdatesStopped, 2))),
            new("10.1.2.5:40002", 50, CounterSnapshot.Of((Counter.UpdatesSent, 6))),
        ],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Terminated, "ended by SIGTERM", "a connection was reset"),
        Notes = ["Encrypted."],
    };
}
