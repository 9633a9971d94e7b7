using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace UsersPerf;

/// <summary>Every figure that UsersPerf reports, one row each, in the order of its summary.</summary>
internal static class UsersPerfReport
{
    /// <summary>Creates the report of a run with these options.</summary>
    public static Report Create(UsersPerfOptions options)
    {
        ReportTable table = new("UsersPerf")
        {
            ConsoleThread = "Users {0}:",
            ConsoleSecond = "{0}:",
            Steady = (Moment.Connected, Moment.Disconnected),
            CpuPerCore = options.Run.CpuPerCore,
        };
        table.Section("Overall Statistics:");
        AddUsers(table);
        AddMessages(table);
        table.Latency(Series.Updates).Json("updateLatency")
            .Column(11, "Latency updates", LatencyFormats.Count).Columns(12, LatencyFormats.GuideColumns("Latency"))
            .Columns(ReportColumn.Ours, LatencyFormats.PercentileColumns("Latency"))
            .Console(2, LatencyFormats.Line("Latency(usec)")).Console(3, LatencyFormats.PercentileLine("Latency percentiles(usec)"))
            .Summary(LatencyFormats.SummaryLines("Latency")).WithoutValue("No latency information was received.")
            .Metric([.. LatencyCell.All.Select(cell => cell.Name)]);
        AddPosts(table, options.PostRate > 0);
        table.Overall();
        table.Section();
        AddLosses(table);
        return new Report(table);
    }

    private static void AddUsers(ReportTable table)
    {
        table.Gauge("usersIn", UserGauge.UsersIn).Column(3, "Users in").Console(1, "Users: {0}");
        table.Gauge("usersAsked", UserGauge.UsersAsked).Column(2, "Users asked").Console(1, " of {0}").Summary("Users asked: {0}");
        table.Count("usersLost", UserCounter.UsersLost, UserCounter.UsersRefused).LowerIsBetter().Column(4, "Users lost").Summary("Users lost: {0}");
        table.Loss("usersRefused", "Users refused", UserCounter.UsersRefused);
        table.Loss("loginsRetried", "Log-ins tried again", UserCounter.LoginsRetried);
    }

    private static void AddMessages(ReportTable table)
    {
        table.Count("requestsSent", Counter.RequestsSent).Column(5, "Requests").Summary("Requests sent: {0}");
        table.Count("refreshesReceived", Counter.RefreshesReceived).Column(6, "Images").Console(1,
            ", Images: {0}").Summary("Refreshes received: {0}");
        table.Count("itemsWithRefresh", Counter.ItemsWithRefresh);
        table.Number(f =>
            f[Counter.RequestsSent] > f[Counter.ItemsWithRefresh] ? f[Counter.RequestsSent] - f[Counter.ItemsWithRefresh] : null)
            .Summary("Images missing: {0}");
        table.Count("updatesReceived", Counter.SteadyUpdates, Counter.DrainedUpdates).Column(7,
            "Updates received").Summary("Updates received: {0}");
        table.Number(
                f => Math.Truncate(f.PerIntervalSecond(f[Counter.SteadyUpdates])),
                f => InvariantText.PerSecond(f[Counter.SteadyUpdates], f.Seconds(Moment.Connected, Moment.Disconnected)))
            .Json("updateRate").IsRate().Column(8, "Update rate").Console(1,
                ", UpdRate: {0}").Summary("Avg update rate: {0:F1}").Metric(Threshold.Rate);
        table.Count("bytesReceived", Counter.BytesReceived).IsSum("bytes").Column(9, "Bytes received")
            .Summary("Bytes received: {0}");
        table.Count("updateReads", UserCounter.UpdateReads);
        table.Number(f => UpdatesPerRead(f)).Json("updatesPerRead").IsMean().Column(10, "Updates per read",
            "{0:F2}").Summary("Updates per read: {0:F2}");
        table.Cpu().Column(16, "CPU usage (%)", "{0:F2}").Console(1, ", CPU: {0:F2}");
        table.Memory().Column(17, "Memory(MB)", "{0:F2}").Console(1, ", Mem: {0:F2}MB");
    }

    private static void AddPosts(ReportTable table, bool posts)
    {
        table.Count("postsSent", Counter.PostsSent).Column(ReportColumn.Ours, "Posts").Summary("Posts sent: {0}").When(posts);
        table.Count("postsNotSent", Counter.PostsNotSent).LowerIsBetter().Summary("Posts not sent: {0}").When(Counter.PostsNotSent);
        table.Latency(Series.Posts).Json("postLatency").Console(4, LatencyFormats.Line("PostLat(usec)"))
            .Summary(LatencyFormats.SummaryLines("Posting latency")).When(posts).WithoutValue("No posting latency information was received.");
    }

    private static void AddLosses(ReportTable table)
    {
        table.Loss("drainedUpdates", "Updates received after the end", Counter.DrainedUpdates).NeitherIsBetter();
        table.Sequence();
        table.Loss("serviceLosses", "Times the service went down", Counter.ServiceLosses);
        table.Loss("statusesReceived", "Status messages received", Counter.StatusesReceived);
        table.Number(f => f[UserCounter.UsersLost] + f[UserCounter.UsersRefused] + f[Counter.MessagesDropped]).Metric(Threshold.Lost);
        table.Loss("messagesDropped", "Messages dropped", Counter.MessagesDropped);
        table.OutsideLatencies();
    }

    private static double UpdatesPerRead(Figures f) =>
        f[UserCounter.UpdateReads] == 0 ? 0 : (f[Counter.SteadyUpdates] + f[Counter.DrainedUpdates]) / (double)f[UserCounter.UpdateReads];
}
