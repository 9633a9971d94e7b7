using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace ProvPerf;

/// <summary>Every figure that ProvPerf reports, one row each, in the order of its summary.</summary>
internal static class ProvPerfReport
{
    /// <summary>Creates the report of a run with these options.</summary>
    public static Report Create(ProvPerfOptions options)
    {
        ReportTable table = new("ProvPerf")
        {
            ConsoleThread = "Thread {0}",
            Steady = (Moment.RefreshesSent, Moment.End),
            CpuPerCore = options.Run.CpuPerCore,
        };
        GenericRows generic = new(
            table, firstColumn: 6, consoleLine: 4, options.GenericMsgRate > 0, options.GenericMsgLatencyRate.RequestsStamps);
        table.Section("Overall Statistics:");
        generic.Latency(line: 5);
        generic.Counts();
        generic.Rates(
            f => f.Seconds(Moment.FirstGenericSent, Moment.Disconnected), f => f.Seconds(Moment.FirstGenericReceived, Moment.Disconnected),
            "{0:F0}");
        AddCounts(table, options);
        table.Overall();
        table.Section();
        AddLosses(table, generic, options);
        return new Report(table);
    }

    private static void AddCounts(ReportTable table, ProvPerfOptions options)
    {
        table.Count("requestsReceived", Counter.RequestsReceived).Column(2, "Requests received")
            .Console(2, "- Received {0} item requests (total: {1})").Summary("Image requests received: {0}");
        table.Count("imagesSent", Counter.RefreshesSent).Column(3, "Images sent").Console(2, ", sent {0} images (total: {1})");
        table.Number(f => Math.Truncate(f.PerIntervalSecond(f[Counter.UpdatesSent]))).Interval("updateRate").Console(1, "UpdRate: {0}");
        table.Count("updatesSent", Counter.UpdatesSent).Column(4,
            "Updates sent").Summary("Updates sent: {0}").When(options.UpdateRate > 0).OfConnections();
        table.Count("updateLatenciesSent", Counter.UpdateStampsSent);
        table.Count("postsReceived", Counter.PostsReceived).Console(3, "Posting: received {0}")
            .Summary("Posts received: {0}").When(Counter.PostsReceived);
        table.Count("postsReflected", Counter.PostsReflected).Column(5, "Posts reflected").Console(3, ", reflected {0}")
            .Summary("Posts reflected: {0}").When(Counter.PostsReceived);
        table.Count("closesReceived", Counter.ClosesReceived).Console(7, "- Received {0} closes.");
        table.Cpu().Column(14, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}%");
        table.Memory().Column(15, "Memory(MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    // rows that the guide does not have, below its own
    private static void AddLosses(ReportTable table, GenericRows generic, ProvPerfOptions options)
    {
        table.SendLag().Columns(ReportColumn.Ours, LatencyFormats.LagColumns).Console(12, LatencyFormats.LagLine);
        table.Count("updatesStopped", Counter.UpdatesStopped).LowerIsBetter().Console(8,
            "- Stopped {0} updates due to lack of output buffers.").OfConnections();
        table.Count("updatesNotSent", Counter.UpdatesNotSent).LowerIsBetter().Column(ReportColumn.Ours, "Updates not sent")
            .Console(9, "- Updates not sent: {0}").Summary("Updates not sent: {0}").When(options.UpdateRate > 0).OfConnections();
        table.Loss("imagesNotSent", "Images not sent", Counter.RefreshesNotSent).OfConnections();
        table.Loss("requestsRejected", "Requests rejected", Counter.RequestsRejected).OfConnections();
        table.Number(f => f.SendingSeconds is { } seconds ? InvariantText.PerSecond(f[Counter.UpdatesSent], seconds) : null)
            .Final("sendRate").IsRate().Summary("Avg update send rate: {0:F1}").Metric(Threshold.Rate);
        table.Number(f => InvariantText.Percent(f[Counter.UpdatesSent], f[Counter.UpdatesSent] + f[Counter.UpdatesNotSent]))
            .Metric(Threshold.Rate + Threshold.Share);
        table.Number(f =>
            f[Counter.UpdatesNotSent] + f[Counter.RefreshesNotSent] + f[Counter.GenericNotSent] + f[Counter.PostsNotReflected])
            .Metric(Threshold.NotSent);
        table.Loss("postsNotReflected", "Posts not reflected", Counter.PostsNotReflected).OfConnections();
        table.Loss("postsRefused", "Posts refused", Counter.PostsRefused);
        generic.NotSent(line: 10);
        generic.Drained();
        table.Count("packedMessages", Counter.PackedMessages);
        table.Count("packBuffers", Counter.PackBuffers);
        table.Count("bytesSent", Counter.BytesSent).IsSum("bytes");
        table.Number(f => f[Counter.PackBuffers] > 0 ? (double)f[Counter.PackedMessages] / f[Counter.PackBuffers] : null)
            .Console(11, "- Approx. avg msgs per pack: {0:F0}");
        table.RoundTrips(line: 6);
        if (options.MeasureEncode)
            table.EncodingTimes(line: 13);
        table.MessagesDropped();
        table.LatencyRecordsDropped();
        table.OutsideLatencies();
    }
}
