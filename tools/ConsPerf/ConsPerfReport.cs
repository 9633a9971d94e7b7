using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>Everything that ConsPerf reports, each thing in one row, in the order of its summary.</summary>
internal static class ConsPerfReport
{
    /// <summary>The report of a run with these options.</summary>
    public static Report Create(ConsPerfOptions options)
    {
        ReportTable table = new("ConsPerf")
        {
            SummaryThread = "CLIENT",
            ConsoleThread = "Client {0}:",
            ConsoleSecond = "{0}:",
            IntervalParts = [JsonPart.Counts, JsonPart.Numbers, JsonPart.Latencies, JsonPart.Images],
        };
        AddStartup(table);
        AddSteady(table, options);
        AddWhole(table);
        AddCounts(table, options);
        AddRates(table, options);
        AddLosses(table, options);
        return new Report(table);
    }

    private static void AddStartup(ReportTable table)
    {
        table.Section("Startup State Statistics:");
        table.Number(StartupSeconds).Final("startup.seconds").Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => f[Counter.StartupUpdates]).Final("startup.updates");
        table.Latency(Series.Updates, RunPhase.Startup).Final("startup.latency")
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information received during startup time.");
        table.Number(f => InvariantText.PerSecond(f[Counter.StartupUpdates], Figures.Seconds(f.Moments[Moment.FirstUpdate], ImagesOrEnd(f))))
            .Final("startup.updateRate").Summary("Avg update rate: {0:F1}");
    }

    private static void AddSteady(ReportTable table, ConsPerfOptions options)
    {
        table.Section("Steady State Statistics:", IsSteady, "Steady state was not reached during this test.");
        table.Flag(IsSteady).Final("steadyReached");
        table.Number(SteadySeconds).Final("steady.seconds").Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => f[Counter.SteadyUpdates]).Final("steady.updates");
        table.Latency(Series.Updates, RunPhase.Steady).Final("steady.latency")
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information was received during steady-state time.");
        table.Latency(Series.Posts).Json("postLatency")
            .Column(9, "Posting Latency updates", LatencyFormats.Count).Columns(10, LatencyFormats.GuideColumns("Posting Latency"))
            .Console(5, LatencyFormats.Line("PostLat(usec)"))
            .Summary(LatencyFormats.SummaryLines("Posting latency")).When(options.PostingLatencyRate > 0)
            .WithoutValue("No posting latency information was received during steady-state time.");
        table.Number(PerSteadySecond(Counter.SteadyUpdates)).Final("steady.updateRate").Summary("Avg update rate: {0:F1}");
    }

    private static void AddWhole(ReportTable table)
    {
        table.Section("Overall Statistics:");
        table.Number(f => f.Seconds(Moment.FirstRequest, Moment.End)).Final("whole.seconds").Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => MeasuredUpdates(f) + f[Counter.DrainedUpdates]).Final("whole.updates");
        table.Latency(Series.Updates).Interval("updateLatency").Final("whole.latency")
            .Column(2, "Latency updates", LatencyFormats.Count).Columns(3, LatencyFormats.GuideColumns("Latency"))
            .Columns(LatencyFormats.PercentileColumns("Latency"))
            .Console(2, LatencyFormats.Line("Latency(usec)")).Console(3, LatencyFormats.PercentileLine("Latency percentiles(usec)"))
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information was received.");
        table.Latency(Series.Generic).Json("genericLatency").Columns(18, LatencyFormats.GuideColumns("GenMsg Latency"))
            .Console(8, LatencyFormats.Line("GenMsgLat(usec)"))
            .Summary(LatencyFormats.SummaryLines("GenMsg latency")).WithoutValue("No GenMsg latency information was received.");
        table.Overall();
    }

    private static void AddCounts(ReportTable table, ConsPerfOptions options)
    {
        table.Section("Test Statistics:");
        table.Count("requestsSent", Counter.RequestsSent).Summary("Requests sent: {0}");
        table.Count("refreshesReceived", Counter.RefreshesReceived).Column(7, "Images").Console(1, "Images: {0}")
            .Summary("Refreshes received: {0}");
        table.Count("updatesReceived", Counter.StartupUpdates, Counter.SteadyUpdates, Counter.DrainedUpdates).Summary("Updates received: {0}");
        table.Count("postsSent", Counter.PostsSent).Console(1, ", Posts: {0}").Summary("Posts sent: {0}").When(options.PostingRate > 0);
        table.Count("genericSent", Counter.GenericSent).Column(14, "GenMsgs sent").Console(6, "GenMsgs: sent {0}")
            .Summary("GenMsgs sent: {0}").When(options.GenericMsgRate > 0);
        table.Count("genericReceived", Counter.GenericReceived).Column(16, "GenMsgs received").Console(6, ", received {0}")
            .Summary("GenMsgs received: {0}").When(Counter.GenericReceived);
        table.Count("genericLatenciesSent", Counter.GenericStampsSent).Column(15, "GenMsg Latencies sent").Console(6, ", latencies sent {0}")
            .Summary("GenMsg latencies sent: {0}").When(options.GenericMsgLatencyRate > 0);
        table.Count("genericLatenciesReceived", Counter.GenericStampsReceived)
            .Column(17, "GenMsg Latencies received").Console(6, ", latencies received {0}")
            .Summary("GenMsg latencies received: {0}").When(Counter.GenericStampsReceived);
    }

    private static void AddRates(ReportTable table, ConsPerfOptions options)
    {
        table.Images().Json("imageRetrieval").Console(11, "- Image retrieval time for {0} images: {1:F3}s ({2:F1} images/s)")
            .OverallConsole("Overall image retrieval time for {0} images: {1:F3}s ({2:F1} images/s)")
            .Summary("Image retrieval time (sec): {1:F3}", "Avg image Rate: {2:F1}");
        table.Number(
                f => Math.Truncate(f.PerIntervalSecond(MeasuredUpdates(f))),
                f => InvariantText.PerSecond(MeasuredUpdates(f), f.Seconds(Moment.FirstUpdate, Moment.End)))
            .Interval("updateRate").Final("whole.updateRate")
            .Column(8, "Update rate").Console(1, ", UpdRate: {0}").Summary("Avg update rate: {0:F1}");
        table.Number(PerSteadySecond(Counter.PostsSent)).Summary("Avg posting rate: {0:F1}").When(options.PostingRate > 0);
        table.Number(PerSteadySecond(Counter.GenericSent)).Summary("Avg GenMsg send rate: {0:F1}").When(options.GenericMsgRate > 0);
        table.Number(PerSteadySecond(Counter.GenericReceived)).Summary("Avg GenMsg receive rate: {0:F1}").When(Counter.GenericReceived);
        table.Number(PerSteadySecond(Counter.GenericStampsSent))
            .Summary("Avg GenMsg latency send rate: {0:F1}").When(options.GenericMsgLatencyRate > 0);
        table.Number(PerSteadySecond(Counter.GenericStampsReceived))
            .Summary("Avg GenMsg latency receive rate: {0:F1}").When(Counter.GenericStampsReceived);
        table.Number(f => f.Process.CpuPercent).Column(22, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}");
        table.Number(f => f.Process.MemoryMegabytes).Column(23, "Memory(MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    // lines of ours, below the guide's
    private static void AddLosses(ReportTable table, ConsPerfOptions options)
    {
        table.Count("postsNotSent", Counter.PostsNotSent).Console(4, "- {0} posts not sent due to lack of output buffers.")
            .Summary("Posts not sent: {0}").When(options.PostingRate > 0);
        table.Count("genericNotSent", Counter.GenericNotSent).Console(7, "- {0} GenMsgs not sent due to lack of output buffers.")
            .Summary("GenMsgs not sent: {0}").When(options.GenericMsgRate > 0);
        table.Latency(Series.SendLag).Json("sendLag").Summary(LatencyFormats.LagLines);
        table.Latency(Series.RoundTrips).Json("roundTrips")
            .Console(9, LatencyFormats.Line("RTT(usec)")).Summary(LatencyFormats.Line("RTT(usec)"));
        table.Count("statusesReceived", Counter.StatusesReceived).Console(10, "- Received {0} status messages.")
            .Summary("Status messages received: {0}").When(Counter.StatusesReceived);
        table.Count("drainedUpdates", Counter.DrainedUpdates).Summary("Updates received after the end: {0}").When(Counter.DrainedUpdates);
        table.Count("messagesDropped", Counter.MessagesDropped).Summary("Messages dropped: {0}").When(Counter.MessagesDropped);
        table.Count("fieldsSkipped", Counter.FieldsSkipped).Summary("Unknown fields skipped: {0}").When(Counter.FieldsSkipped);
        table.Count("latencyRecordsDropped", Counter.LatencyRecordsDropped)
            .Summary("Latency file records dropped: {0}").When(Counter.LatencyRecordsDropped);
        table.NegativeLatencies();
    }

    private static bool IsSteady(Figures f) => f.Moments[Moment.RefreshesComplete] is not null;

    private static long? ImagesOrEnd(Figures f) => f.Moments[Moment.RefreshesComplete] ?? f.Moments[Moment.End];

    private static double? StartupSeconds(Figures f) => Figures.Seconds(f.Moments[Moment.FirstRequest], ImagesOrEnd(f));

    private static double? SteadySeconds(Figures f) => f.Seconds(Moment.RefreshesComplete, Moment.End);

    // what is drained is received, but in no rate
    private static long MeasuredUpdates(Figures f) => f[Counter.StartupUpdates] + f[Counter.SteadyUpdates];

    private static Func<Figures, double?> PerSteadySecond(Counter counter) =>
        f => InvariantText.PerSecond(f[counter], f.Seconds(Moment.RefreshesComplete, Moment.End));
}
