using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a hub.</summary>
internal static class HubSamples
{
    public static CounterSnapshot BusyCounts { get; } = CounterSnapshot.Of(
        (Counter.RequestsReceived, 401), (Counter.RequestsSent, 402), (HubCounter.UpdatesReceived, 500_403), (Counter.UpdatesSent, 900_404),
        (Counter.RefreshesReceived, 405), (Counter.RefreshesSent, 406), (Counter.PostsReceived, 407), (Counter.PostsSent, 408),
        (Counter.PostsReflected, 1_000),
        (Counter.GenericReceived, 409), (Counter.GenericSent, 410), (HubCounter.UpdatesConflated, 411), (HubCounter.UpdatesDropped, 412),
        (HubCounter.ConnectionsCut, 413), (HubCounter.UpdatesUnwatched, 414), (Counter.UpdatesNotSent, 415), (Counter.RefreshesNotSent, 416),
        (Counter.PostsNotReflected, 417), (Counter.GenericNotSent, 418), (Counter.RequestsRejected, 419), (Counter.PostsRefused, 420),
        (Counter.StatusesReceived, 421), (Counter.ClosesReceived, 422), (Counter.MessagesDropped, 423), (Counter.BytesSent, 424_000),
        (Counter.PackedMessages, 4_250), (Counter.PackBuffers, 426), (HubCounter.UpdatesThrottled, 427), (HubCounter.CopiesDue, 901_642),
        (HubCounter.EarlyFlushes, 428),
        (HubCounter.Sends, 180_081), (HubCounter.UpdatesCopied, 429), (HubCounter.PostsCopied, 430), (HubCounter.GenericCopied, 431),
        (HubCounter.ConnectionsOverShare, 432), (Counter.ConnectionsBad, 433), (Counter.ConnectionsSilent, 434),
        (Counter.ConnectionsRefused, 435), (Counter.HandshakesCut, 436), (Counter.HandshakesTimedOut, 437),
        (Counter.HandshakesFailed, 438), (HubCounter.ImagesRefused, 439), (HubCounter.ServicesRefused, 440), (HubCounter.FieldsNotKept, 441),
        (Counter.PostsNotSent, 442), (Counter.SourceGenericSent, 443), (HubCounter.SourceGenericReceived, 454),
        (Counter.CopiesUnwatched, 455), (Counter.PostsUnwatched, 456));

    private static readonly Dictionary<Gauge, long> Gauges = new()
    {
        [HubGauge.Sources] = 2,
        [HubGauge.Consumers] = 3,
        [HubGauge.Items] = 1_000,
        [HubGauge.Watchers] = 3_000,
        [Gauge.QueuedBytesMax] = 65_537,
        [HubGauge.ItemBytes] = 1_126_400,
        [HubGauge.BurstMicros] = 100_000,
    };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = Interval,
        Connections = [new("10.1.2.3:14003", 50, BusyCounts)],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Terminated, "ended by SIGTERM"),
    };

    private static Figures Interval => ReportSamples.Interval(BusyCounts) with
    {
        Gauges = Gauges,
        Latencies = Samples((Series.Through, null, Latency(1)), (Series.RoundTrips, null, Latency(4))),
    };

    public static void WriteStats(TextWriter writer)
    {
        WrittenReports.Hub.WriteCsvHeader(writer);
        WrittenReports.Hub.WriteCsvRow(writer, Interval);
        WrittenReports.Hub.WriteCsvRow(writer, new Figures());
    }

    public static void WriteConsole(TextWriter writer)
    {
        WrittenReports.Hub.WriteConsole(writer, new Figures { Info = Info() });
        WrittenReports.Hub.WriteConsole(writer, Interval);
    }

    public static void WriteJson(Stream stream)
    {
        WrittenReports.Hub.WriteInterval(stream, Interval, [Interval]);
        WrittenReports.Hub.WriteFinal(stream, BusySummary);
    }
}
