using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>Every figure that ConsPerf reports, one row each, in the order of its summary.</summary>
internal static class ConsPerfReport
{
    /// <summary>Creates the report of a run with these options.</summary>
    public static Report Create(ConsPerfOptions options)
    {
        ReportTable table = new("ConsPerf")
        {
            SummaryThread = "CLIENT {0}",
            ConsoleThread = "Client {0}:",
            ConsoleSecond = "{0}:",
            Steady = (Moment.SteadyBegan, Moment.End),
            CpuPerCore = options.Run.CpuPerCore,
            IntervalParts = [JsonPart.Counts, JsonPart.Numbers, JsonPart.Latencies, JsonPart.Images],
        };
        GenericRows generic = new(table, firstColumn: 14, consoleLine: 6, options.GenericMsgRate > 0, options.GenericMsgLatencyRate > 0);
        AddStartup(table);
        AddSteady(table, options);
        AddWhole(table, generic, options);
        AddCounts(table, generic, options);
        AddRates(table, generic, options);
        AddLosses(table, generic, options);
        return new Report(table);
    }

    private static void AddStartup(ReportTable table)
    {
        table.Section("Startup State Statistics:");
        table.Number(f => StartupSeconds(f)).Final("startup.seconds").IsTime("s").Called("length of the start-up").Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => StartupUpdates(f)).Final("startup.updates").IsSum();
        table.Latency(Series.Updates, RunPhase.Startup).Final("startup.latency")
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information received during startup time.");
        table.Number(f => InvariantText.PerSecond(StartupUpdates(f), Figures.Seconds(f[Moment.FirstUpdate], SteadyOrEnd(f))))
            .Final("startup.updateRate").IsRate().Summary("Avg update rate: {0:F1}");
    }

    private static void AddSteady(ReportTable table, ConsPerfOptions options)
    {
        table.Section("Steady State Statistics:", IsSteady, "Steady state was not reached during this test.");
        table.Flag(IsSteady).Final("steadyReached");
        table.Number(f => SteadySeconds(f)).Final("steady.seconds").IsTime("s").Called("length of the steady state").Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => SteadyUpdates(f)).Final("steady.updates").IsSum();
        table.Latency(Series.Updates, RunPhase.Steady).Final("steady.latency")
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information was received during steady-state time.")
            .Metric([.. LatencyCell.All.Select(cell => cell.Name)]);
        table.LatencyBound(options.SenderClock);
        table.Latency(Series.Posts).Json("postLatency")
            .Column(9, "Posting Latency updates", LatencyFormats.Count).Columns(10, LatencyFormats.GuideColumns("Posting Latency"))
            .Console(5, LatencyFormats.Line("PostLat(usec)"))
            .Summary(LatencyFormats.SummaryLines("Posting latency")).When(options.PostingLatencyRate > 0)
            .WithoutValue("No posting latency information was received during steady-state time.");
        table.Number(f =>
            InvariantText.PerSecond(SteadyUpdates(f), SteadySeconds(f))).Final("steady.updateRate").IsRate().Summary("Avg update rate: {0:F1}")
            .Metric(Threshold.Rate);
    }

    private static void AddWhole(ReportTable table, GenericRows generic, ConsPerfOptions options)
    {
        table.Section("Overall Statistics:");
        table.Number(f => f.Seconds(Moment.FirstRequest, Moment.End)).Final("whole.seconds").IsTime("s").Called("length of the whole run")
            .Summary("Sampling duration (sec): {0:F3}");
        table.Number(f => MeasuredUpdates(f) + f[Counter.DrainedUpdates]).Final("whole.updates").IsSum();
        table.Latency(Series.Updates).Interval("updateLatency").Final("whole.latency")
            .Column(2, "Latency updates", LatencyFormats.Count).Columns(3, LatencyFormats.GuideColumns("Latency"))
            .Columns(ReportColumn.Ours, LatencyFormats.PercentileColumns("Latency"))
            .Console(2, LatencyFormats.Line("Latency(usec)")).Console(3, LatencyFormats.PercentileLine("Latency percentiles(usec)"))
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information was received.");
        table.LatencyBound(options.SenderClock);
        generic.Latency(line: 8);
        table.Overall();
    }

    private static void AddCounts(ReportTable table, GenericRows generic, ConsPerfOptions options)
    {
        table.Section("Test Statistics:");
        table.Count("requestsSent", Counter.RequestsSent).Summary("Requests sent: {0}");
        table.Count("refreshesReceived", Counter.RefreshesReceived).Column(7, "Images").Console(1, "Images: {0}")
            .Summary("Refreshes received: {0}").Metric(Threshold.Images);
        table.Number(f =>
            InvariantText.Percent(f[Counter.RefreshesReceived], f[Counter.RequestsSent])).Metric(Threshold.Images + Threshold.Share);
        table.Count("updatesReceived", Counter.StartupUpdates, Counter.SteadyUpdates, Counter.DrainedUpdates)
            .Summary("Updates received: {0}");
        table.Count("postsSent", Counter.PostsSent).Console(1, ", Posts: {0}").Summary("Posts sent: {0}").When(options.PostingRate > 0)
            .OfConnections();
        generic.Counts();
    }

    private static void AddRates(ReportTable table, GenericRows generic, ConsPerfOptions options)
    {
        table.Images().Json("imageRetrieval").Console(11, "- Image retrieval time for {0} images: {1:F3}s ({2:F1} images/s)")
            .OverallConsole("Overall image retrieval time for {0} images: {1:F3}s ({2:F1} images/s)")
            .Summary("Image retrieval time (sec): {1:F3}", "Avg image Rate: {2:F1}");
        table.Number(
                f => Math.Truncate(f.PerIntervalSecond(MeasuredUpdates(f))),
                f => InvariantText.PerSecond(MeasuredUpdates(f), f.Seconds(Moment.FirstUpdate, Moment.End)))
            .Interval("updateRate").Final("whole.updateRate").IsRate()
            .Column(8, "Update rate").Console(1, ", UpdRate: {0}").Summary("Avg update rate: {0:F1}");
        table.RunRate(Counter.PostsSent, SteadySeconds).Summary("Avg posting rate: {0:F1}").When(options.PostingRate > 0);
        generic.Rates(SteadySeconds, SteadySeconds, "{0:F1}");
        table.Cpu().Column(22, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}");
        table.Memory().Column(23, "Memory(MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    // rows that the guide does not have, below its own
    private static void AddLosses(ReportTable table, GenericRows generic, ConsPerfOptions options)
    {
        table.Count("postsNotSent", Counter.PostsNotSent).LowerIsBetter().Console(4, "- {0} posts not sent due to lack of output buffers.")
            .Summary("Posts not sent: {0}").When(options.PostingRate > 0).OfConnections();
        table.Count("postLatenciesSent", Counter.PostStampsSent);
        generic.NotSent(line: 7);
        table.Number(f => f[Counter.PostsNotSent] + f[Counter.GenericNotSent]).Metric(Threshold.NotSent);
        generic.Drained();
        table.Loss("primingRequestsSent", "Requests sent ahead", Counter.PrimingRequestsSent).NeitherIsBetter();
        table.Loss("primingRefreshesReceived", "Refreshes received ahead", Counter.PrimingRefreshesReceived).NeitherIsBetter();
        table.SendLag();
        table.RoundTrips(line: 9);
        if (options.MeasureDecode)
            table.DecodingTimes(line: 13);
        table.Loss("statusesReceived", "Status messages received", Counter.StatusesReceived).Console(10, "- Received {0} status messages.");
        AddItemLosses(table);
        AddSwitches(table);
        table.Loss("drainedUpdates", "Updates received after the end", Counter.DrainedUpdates).NeitherIsBetter();
        table.Sequence();
        table.MessagesDropped();
        table.Loss("fieldsSkipped", "Unknown fields skipped", Counter.FieldsSkipped);
        table.Loss("unknownFields", "Different unknown fields", Counter.UnknownFields);
        table.LatencyRecordsDropped();
        table.OutsideLatencies();
        table.SenderClock(options.SenderClock, line: 2);
    }

    private static void AddItemLosses(ReportTable table)
    {
        table.Number(f =>
            f.Items > f[Counter.ItemsWithRefresh] ? f.Items - f[Counter.ItemsWithRefresh] : null).Summary("Images missing: {0}");
        table.Loss("suspectRefreshes", "Suspect images received", Counter.SuspectRefreshes);
        table.Loss("itemsLost", "Items lost (suspect or closed after their image)", Counter.ItemsLost).Console(12, "- Items: {0} lost");
        table.Loss("itemsRecovered", "Items recovered", Counter.ItemsRecovered).NeitherIsBetter().Console(12, ", {0} recovered");
        table.Loss("serviceLosses", "Times the service went down", Counter.ServiceLosses);
    }

    // of a warm standby
    private static void AddSwitches(ReportTable table)
    {
        table.Loss("standbySwitches", "Warm standby switches", Counter.StandbySwitches).NeitherIsBetter()
            .Console(14, "- Switches to the standby server: {0}");
        table.Loss("switchMicros", "Time of switches, from the loss to the last image (usec)", Counter.SwitchMicros).IsTime("us");
        table.Loss("switchGapMicros", "Time without updates at switches (usec)", Counter.SwitchGapMicros).IsTime("us")
            .Console(14, ", usec without updates: {0}");
        table.Loss("switchUpdatesMissed", "Updates missed at switches (estimate)", Counter.UpdatesMissed).Console(14, ", updates missed about: {0}");
        table.Loss("standbyRefreshes", "Refreshes without content from the standby server", Counter.StandbyRefreshes).NeitherIsBetter();
        table.Loss("standbyMessages", "Messages of a server that was not active", Counter.StandbyMessages).NeitherIsBetter();
    }

    private static bool IsSteady(Figures f) => f[Moment.RefreshesComplete] is not null;

    private static long? SteadyFrom(Figures f) => f[Moment.SteadyBegan] ?? f[Moment.RefreshesComplete];

    private static long? SteadyOrEnd(Figures f) => SteadyFrom(f) ?? f[Moment.End];

    private static double StartupSeconds(Figures f) => Figures.Seconds(f[Moment.FirstRequest], SteadyOrEnd(f));

    private static double SteadySeconds(Figures f) => Figures.Seconds(SteadyFrom(f), f[Moment.End]);

    // the run's steady state begins with its last worker's
    private static long AheadUpdates(Figures f) => f.Info.Thread == 0 ? f[Counter.AheadUpdates] : 0;

    private static long StartupUpdates(Figures f) => f[Counter.StartupUpdates] + AheadUpdates(f);

    private static long SteadyUpdates(Figures f) => f[Counter.SteadyUpdates] - AheadUpdates(f);

    // drained updates are received, but count in no rate
    private static long MeasuredUpdates(Figures f) => f[Counter.StartupUpdates] + f[Counter.SteadyUpdates];
}
