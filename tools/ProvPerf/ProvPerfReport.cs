using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace ProvPerf;

/// <summary>Everything that ProvPerf reports, each thing in one row, in the order of its summary.</summary>
internal static class ProvPerfReport
{
    /// <summary>The report of a run with these options.</summary>
    public static Report Create(ProvPerfOptions options)
    {
        ReportTable table = new("ProvPerf") { ConsoleThread = "Thread {0}" };
        table.Section("Overall Statistics:");
        AddGeneric(table, options);
        AddGenericRates(table, options);
        AddCounts(table, options);
        table.Overall();
        table.Section();
        AddLosses(table, options);
        return new Report(table);
    }

    private static void AddGeneric(ReportTable table, ProvPerfOptions options)
    {
        table.Latency(Series.Generic).Json("genericLatency").Columns(10, LatencyFormats.GuideColumns("GenMsg Latency"))
            .Console(5, LatencyFormats.Line("GenMsgLat(usec)"))
            .Summary(LatencyFormats.SummaryLines("GenMsg latency")).WithoutValue("No GenMsg latency information was received.");
        table.Count("genericSent", Counter.GenericSent).Column(6, "GenMsgs sent").Console(4, "GenMsgs: sent {0}")
            .Summary("GenMsgs sent: {0}").When(options.GenericMsgRate > 0);
        table.Count("genericReceived", Counter.GenericReceived).Column(8, "GenMsgs received").Console(4, ", received {0}")
            .Summary("GenMsgs received: {0}").When(Counter.GenericReceived);
        table.Count("genericLatenciesSent", Counter.GenericStampsSent).Column(7, "GenMsg Latencies sent").Console(4, ", latencies sent {0}")
            .Summary("GenMsg latencies sent: {0}").When(options.GenericMsgLatencyRate.AsksForStamps);
        table.Count("genericLatenciesReceived", Counter.GenericStampsReceived)
            .Column(9, "GenMsg Latencies received").Console(4, ", latencies received {0}")
            .Summary("GenMsg latencies received: {0}").When(Counter.GenericStampsReceived);
    }

    private static void AddGenericRates(ReportTable table, ProvPerfOptions options)
    {
        table.Number(PerSecondSince(Moment.FirstGenericSent, Counter.GenericSent))
            .Summary("Avg GenMsg send rate: {0:F0}").When(options.GenericMsgRate > 0);
        table.Number(PerSecondSince(Moment.FirstGenericReceived, Counter.GenericReceived))
            .Summary("Avg GenMsg receive rate: {0:F0}").When(Counter.GenericReceived);
        table.Number(PerSecondSince(Moment.FirstGenericSent, Counter.GenericStampsSent))
            .Summary("Avg GenMsg latency send rate: {0:F0}").When(options.GenericMsgLatencyRate.AsksForStamps);
        table.Number(PerSecondSince(Moment.FirstGenericReceived, Counter.GenericStampsReceived))
            .Summary("Avg GenMsg latency receive rate: {0:F0}").When(Counter.GenericStampsReceived);
    }

    private static void AddCounts(ReportTable table, ProvPerfOptions options)
    {
        table.Count("requestsReceived", Counter.RequestsReceived).Column(2, "Requests received")
            .Console(2, "- Received {0} item requests (total: {1})").Summary("Image requests received: {0}");
        table.Count("imagesSent", Counter.RefreshesSent).Column(3, "Images sent").Console(2, ", sent {0} images (total: {1})");
        table.Number(f => Math.Truncate(f.PerIntervalSecond(f[Counter.UpdatesSent]))).Interval("updateRate").Console(1, "UpdRate: {0}");
        table.Count("updatesSent", Counter.UpdatesSent).Column(4, "Updates sent").Summary("Updates sent: {0}").When(options.UpdateRate > 0);
        table.Count("updateLatenciesSent", Counter.UpdateStampsSent);
        table.Count("postsReceived", Counter.PostsReceived).Console(3, "Posting: received {0}")
            .Summary("Posts received: {0}").When(Counter.PostsReceived);
        table.Count("postsReflected", Counter.PostsReflected).Column(5, "Posts reflected").Console(3, ", reflected {0}")
            .Summary("Posts reflected: {0}").When(Counter.PostsReceived);
        table.Count("closesReceived", Counter.ClosesReceived).Console(7, "- Received {0} closes.");
        table.Number(f => f.Process.CpuPercent).Column(14, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}%");
        table.Number(f => f.Process.MemoryMegabytes).Column(15, "Memory (MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    // lines of ours, below the guide's
    private static void AddLosses(ReportTable table, ProvPerfOptions options)
    {
        table.Latency(Series.SendLag).Json("sendLag").Columns(LatencyFormats.LagColumns)
            .Console(12, LatencyFormats.LagLine).Summary(LatencyFormats.LagLines);
        table.Count("updatesStopped", Counter.UpdatesStopped).Console(8, "- Stopped {0} updates due to lack of output buffers.");
        table.Count("updatesNotSent", Counter.UpdatesNotSent).Column("Updates not sent").Console(9, "- Updates not sent: {0}")
            .Summary("Updates not sent: {0}").When(options.UpdateRate > 0);
        table.Count("genericNotSent", Counter.GenericNotSent).Console(10, "- {0} GenMsgs not sent due to lack of output buffers.")
            .Summary("GenMsgs not sent: {0}").When(options.GenericMsgRate > 0);
        table.Count("packedMessages", Counter.PackedMessages);
        table.Count("packBuffers", Counter.PackBuffers);
        table.Number(f => f[Counter.PackBuffers] > 0 ? (double)f[Counter.PackedMessages] / f[Counter.PackBuffers] : null)
            .Console(11, "- Approx. avg msgs per pack: {0:F0}");
        table.Latency(Series.RoundTrips).Json("roundTrips")
            .Console(6, LatencyFormats.Line("RTT(usec)")).Summary(LatencyFormats.Line("RTT(usec)"));
        table.Count("messagesDropped", Counter.MessagesDropped).Summary("Messages dropped: {0}").When(Counter.MessagesDropped);
        table.Count("latencyRecordsDropped", Counter.LatencyRecordsDropped)
            .Summary("Latency file records dropped: {0}").When(Counter.LatencyRecordsDropped);
        table.NegativeLatencies();
    }

    private static Func<Figures, double?> PerSecondSince(Moment first, Counter counter) =>
        f => InvariantText.PerSecond(f[counter], f.Seconds(first, Moment.End));
}
