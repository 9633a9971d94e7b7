using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace NIProvPerf;

/// <summary>Every figure that NIProvPerf reports, one row each, in the order of its summary.</summary>
internal static class NIProvPerfReport
{
    /// <summary>Creates the report of a run with these options.</summary>
    public static Report Create(NIProvPerfOptions options)
    {
        ReportTable table = new("NIProvPerf")
        {
            ConsoleThread = "Thread {0}",
            ResourceSamples = "CPU/Memory samples",
            Steady = (Moment.RefreshesSent, Moment.End),
            CpuPerCore = options.Run.CpuPerCore,
        };
        table.Section("Overall Statistics:");
        AddCounts(table, options);
        table.Overall();
        table.Section();
        AddLosses(table, options);
        return new Report(table);
    }

    private static void AddCounts(ReportTable table, NIProvPerfOptions options)
    {
        table.Count("imagesSent", Counter.RefreshesSent).Column(2, "Images sent").Console(2, "- Sent {0} images (total: {1})")
            .Summary("Images sent: {0}");
        table.Number(f => Math.Truncate(f.PerIntervalSecond(f[Counter.UpdatesSent]))).Interval("updateRate").Console(1, "UpdRate: {0}");
        table.Count("updatesSent", Counter.UpdatesSent).Column(3,
            "Updates sent").Summary("Updates sent: {0}").When(options.UpdateRate > 0).OfConnections();
        table.Count("updateLatenciesSent", Counter.UpdateStampsSent);
        table.Cpu().Column(4, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}%");
        table.Memory().Column(5, "Memory (MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    // rows that the guide does not have, below its own
    private static void AddLosses(ReportTable table, NIProvPerfOptions options)
    {
        table.SendLag().Columns(ReportColumn.Ours, LatencyFormats.LagColumns).Console(6, LatencyFormats.LagLine);
        table.Count("updatesStopped", Counter.UpdatesStopped).LowerIsBetter().Console(3,
            "- Stopped {0} updates due to lack of output buffers.").OfConnections();
        table.Count("updatesNotSent", Counter.UpdatesNotSent).LowerIsBetter().Column(ReportColumn.Ours, "Updates not sent")
            .Console(4, "- Updates not sent: {0}").Summary("Updates not sent: {0}").When(options.UpdateRate > 0).OfConnections();
        table.Loss("imagesNotSent", "Images not sent", Counter.RefreshesNotSent).OfConnections();
        table.Number(f => f.SendingSeconds is { } seconds ? InvariantText.PerSecond(f[Counter.UpdatesSent], seconds) : null)
            .Final("sendRate").IsRate().Summary("Avg update send rate: {0:F1}").Metric(Threshold.Rate);
        table.Number(f => InvariantText.Percent(f[Counter.UpdatesSent], f[Counter.UpdatesSent] + f[Counter.UpdatesNotSent]))
            .Metric(Threshold.Rate + Threshold.Share);
        table.Number(f => f[Counter.UpdatesNotSent] + f[Counter.RefreshesNotSent]).Metric(Threshold.NotSent);
        table.Count("packedMessages", Counter.PackedMessages);
        table.Count("packBuffers", Counter.PackBuffers);
        table.Count("bytesSent", Counter.BytesSent).IsSum("bytes");
        table.Number(f => f[Counter.PackBuffers] > 0 ? (double)f[Counter.PackedMessages] / f[Counter.PackBuffers] : null)
            .Console(5, "- Approx. avg msgs per pack: {0:F0}");
        if (options.MeasureEncode)
            table.EncodingTimes(line: 7);
        table.MessagesDropped();
    }
}
