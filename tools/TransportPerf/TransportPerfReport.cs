using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>Every figure that TransportPerf reports, one row each, in the order of its summary.</summary>
internal static class TransportPerfReport
{
    /// <summary>Creates the report of a run with these options.</summary>
    /// <param name="options">The options of the run; few of them change the report.</param>
    /// <param name="processId">The process id, which default file names contain.</param>
    public static Report Create(TransportPerfOptions options, int processId)
    {
        ReportTable table = new("TransportPerf")
        {
            ResourceSamples = "CPU/Memory samples",
            Steady = (Moment.Connected, Moment.Disconnected),
            CpuPerCore = options.Run.CpuPerCore,
        };
        table.Section("Statistics:");
        AddLatency(table, options);
        AddTraffic(table);
        AddRates(table);
        table.Overall();
        table.Number(_ => processId).Final("processId").Summary("Process ID: {0}");
        table.Section();
        AddLosses(table);
        table.SenderClock(options.SenderClock, line: 6);
        return new Report(table);
    }

    private static void AddLatency(ReportTable table, TransportPerfOptions options)
    {
        table.Latency(Series.Messages).Json("latency")
            .Column(6, "Latency msgs received", LatencyFormats.Count).Columns(7, LatencyFormats.GuideColumns("Latency", decimals: 3))
            .Columns(ReportColumn.Ours, LatencyFormats.PercentileColumns("Latency", decimals: 3))
            .Console(6, LatencyFormats.ThousandthsLine("Latency (usec)"))
            .Console(7, LatencyFormats.PercentileLine("Latency percentiles(usec)"))
            .Summary(LatencyFormats.SummaryLines("Latency", decimals: 3)).WithoutValue("No latency information was received.")
            .Metric([.. LatencyCell.All.Select(cell => cell.Name)]);
        table.LatencyBound(options.SenderClock);
        table.Number(f => ConnectedSeconds(f)).Final("connectedSeconds").IsTime("s").Summary("Sampling duration(sec): {0:F2}");
    }

    private static void AddTraffic(ReportTable table)
    {
        table.Count("messagesSent", Counter.MessagesSent).Column(2, "Msgs sent").Summary("Msgs Sent: {0}").OfConnections();
        table.Count("messagesReceived", Counter.MessagesReceived).Column(4, "Msgs received").Summary("Msgs Received: {0}");
        table.Count("latencyMessagesReceived", Counter.MessageStampsReceived);
        table.Count("bytesSent", Counter.BytesSent).IsSum("bytes").Column(3, "Bytes sent");
        table.Number(f => InvariantText.Megabytes(f[Counter.BytesSent])).Summary("Data Sent (MB): {0:F2}");
        table.Count("bytesReceived", Counter.BytesReceived).IsSum("bytes").Column(5, "Bytes received");
        table.Number(f => InvariantText.Megabytes(f[Counter.BytesReceived])).Summary("Data Received (MB): {0:F2}");
    }

    private static void AddRates(ReportTable table)
    {
        Rate(table, f => f[Counter.MessagesSent], SendingSeconds).Json("sendRate").IsRate().Called("messages sent a second")
            .Console(2, "Sent: MsgRate: {0,8:F0}").Summary("Avg. Msg Sent Rate: {0:F0}");
        table.Number(f => f[Moment.FirstMessage] is null ? null : ReceivingSeconds(f)).Final("receivingSeconds").IsTime("s");
        Rate(table, f => ReceivedMessages(f), MeasuredMessages, ReceivingSeconds).Json("receiveRate").IsRate().Called("messages received a second").Console(3,
            "Recv: MsgRate: {0,8:F0}").Summary("Avg. Msg Recv Rate: {0:F0}");
        Rate(table, f => InvariantText.Megabytes(f[Counter.BytesSent]), SendingSeconds)
            .Console(2, ", DataRate:{0,8:F3}MBps").Summary("Avg. Data Sent Rate (MB): {0:F2}");
        Rate(table, f => InvariantText.Megabytes(ReceivedBytes(f)), f => InvariantText.Megabytes(MeasuredBytes(f)), ReceivingSeconds)
            .Console(3, ", DataRate:{0,8:F3}MBps").Summary("Avg. Data Recv Rate (MB): {0:F2}");
        table.Number(f => MeasuredMessages(f) > 0
            ? InvariantText.PerSecond(MeasuredMessages(f), ReceivingSeconds(f))
                : InvariantText.PerSecond(f[Counter.MessagesSent], SendingSeconds(f)))
            .Metric(Threshold.Rate);
        table.Number(f => InvariantText.Percent(f[Counter.MessagesSent], f[Counter.MessagesSent] + f[Counter.MessagesNotSent]))
            .Metric(Threshold.Rate + Threshold.Share);
        table.Cpu().Column(11, "CPU usage (%)", "{0:F2}").Console(9, "CPU: {0,6:F2}%");
        table.Memory().Column(12, "Memory (MB)", "{0:F2}").Console(9, " Mem: {0,8:F2}MB");
    }

    // rows that the guide does not have, below its own
    private static void AddLosses(ReportTable table)
    {
        table.SendLag().Columns(ReportColumn.Ours, LatencyFormats.LagColumns).Console(8, LatencyFormats.LagLine);
        table.Count("messagesStopped", Counter.MessagesStopped).LowerIsBetter().Console(4, "{0} messages not sent due to lack of output buffers.")
            .OfConnections();
        table.Count("messagesNotSent", Counter.MessagesNotSent).LowerIsBetter().Column(ReportColumn.Ours, "Msgs not sent")
            .Console(5, "Messages not sent: {0}").Summary("Messages not sent: {0}").Metric(Threshold.NotSent).OfConnections();
        table.Loss("drainedMessages", "Messages received after the end", Counter.DrainedMessages).NeitherIsBetter();
        table.Count("drainedBytes", Counter.DrainedBytes).IsSum("bytes");
        table.LatencyRecordsDropped();
        table.OutsideLatencies();
    }

    private static ReportRow Rate(ReportTable table, Func<Figures, double> count, Func<Figures, double> seconds) =>
        Rate(table, count, count, seconds);

    private static ReportRow Rate(
        ReportTable table, Func<Figures, double> ofInterval, Func<Figures, double> ofRun, Func<Figures, double> seconds) => table.Number(
        f => f.PerIntervalSecond(ofInterval(f)), f => InvariantText.PerSecond(ofRun(f), seconds(f)));

    // drained messages are received, but count in no rate
    private static double ReceivedMessages(Figures f) => f[Counter.MessagesReceived] - f[Counter.DrainedMessages];

    private static double ReceivedBytes(Figures f) => f[Counter.BytesReceived] - f[Counter.DrainedBytes];

    // the burst received at the start counts in no rate of the run
    private static double MeasuredMessages(Figures f) => ReceivedMessages(f) - (HasSettled(f) ? f[Counter.StartupMessages] : 0);

    private static double MeasuredBytes(Figures f) => ReceivedBytes(f) - (HasSettled(f) ? f[Counter.StartupBytes] : 0);

    private static bool HasSettled(Figures f) => f[Moment.ReceivingSettled] is not null;

    private static double ConnectedSeconds(Figures f) => f.Seconds(Moment.Connected, Moment.Disconnected);

    // the time in which the peer starts is not counted
    private static double ReceivingSeconds(Figures f) => Figures.Seconds(
        f[Moment.ReceivingSettled] ?? f[Moment.FirstMessage] ?? f[Moment.Connected], f[Moment.Disconnected]);

    // whole ticks; messages sent back follow no ticks
    private static double SendingSeconds(Figures f) => f.SendingSeconds ?? ConnectedSeconds(f);
}
