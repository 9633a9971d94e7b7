using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a hub.</summary>
internal static class HubSamples
{
    public static CounterSnapshot BusyCounts { get; } = CounterSnapshot.Of(
        (Counter.RequestsReceived, 401), (Counter.RequestsSent, 402), (Counter.UpdatesReceived, 500_403), (Counter.UpdatesSent, 900_404),
        (Counter.RefreshesReceived, 405), (Counter.RefreshesSent, 406), (Counter.PostsReceived, 407), (Counter.PostsSent, 408),
        (Counter.PostsReflected, 1_000),
        (Counter.GenericReceived, 409), (Counter.GenericSent, 410), (Counter.UpdatesConflated, 411), (Counter.UpdatesDropped, 412),
        (Counter.ConnectionsCut, 413), (Counter.UpdatesUnwatched, 414), (Counter.UpdatesNotSent, 415), (Counter.RefreshesNotSent, 416),
        (Counter.PostsNotReflected, 417), (Counter.GenericNotSent, 418), (Counter.RequestsRejected, 419), (Counter.PostsRefused, 420),
        (Counter.StatusesReceived, 421), (Counter.ClosesReceived, 422), (Counter.MessagesDropped, 423), (Counter.BytesSent, 424_000),
        (Counter.PackedMessages, 4_250), (Counter.PackBuffers, 426), (Counter.UpdatesThrottled, 427), (Counter.CopiesDue, 901_642),
        (Counter.EarlyFlushes, 428),
        (Counter.Sends, 180_081), (Counter.UpdatesCopied, 429), (Counter.PostsCopied, 430), (Counter.GenericCopied, 431),
        (Counter.ConnectionsOverShare, 432), (Counter.ConnectionsBad, 433), (Counter.ConnectionsSilent, 434),
        (Counter.ConnectionsRefused, 435), (Counter.HandshakesCut, 436), (Counter.HandshakesTimedOut, 437),
        (Counter.HandshakesFailed, 438), (Counter.ImagesRefused, 439), (Counter.ServicesRefused, 440), (Counter.FieldsNotKept, 441),
        (Counter.PostsNotSent, 442), (Counter.SourceGenericSent, 443), (Counter.SourceGenericReceived, 454),
        (Counter.CopiesUnwatched, 455), (Counter.PostsUnwatched, 456));

    private static readonly Dictionary<Gauge, long> Gauges = new()
    {
        [Gauge.Sources] = 2,
        [Gauge.Consumers] = 3,
        [Gauge.Items] = 1_000,
        [Gauge.Watchers] = 3_000,
        [Gauge.QueuedBytesMax] = 65_537,
        [Gauge.ItemBytes] = 1_126_400,
        [Gauge.BurstMicros] = 100_000,
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
