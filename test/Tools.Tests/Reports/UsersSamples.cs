using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using UsersPerf;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of simulated users.</summary>
internal static class UsersSamples
{
    public static CounterSnapshot BusyCounts { get; } = CounterSnapshot.Of(
        (Counter.RequestsSent, 2_002), (Counter.RefreshesReceived, 2_001), (Counter.ItemsWithRefresh, 2_000),
        (Counter.SteadyUpdates, 50_003), (Counter.DrainedUpdates, 4),
        (UserCounter.UpdateReads, 10_001), (Counter.UpdatesOutOfOrder, 5), (Counter.UpdatesSkipped, 15), (Counter.UpdatesLate, 3), (Counter.UpdatesRepeated, 10),
            (Counter.BytesReceived, 2_700_378), (UserCounter.UsersLost, 6),
        (UserCounter.UsersRefused, 7), (UserCounter.LoginsRetried, 11), (Counter.ServiceLosses, 17), (Counter.PostsSent, 14), (Counter.PostsNotSent, 16),
        (Counter.StatusesReceived, 8), (Counter.MessagesDropped, 9));

    private static readonly Dictionary<Gauge, long> Gauges = new() { [UserGauge.UsersAsked] = 1_000, [UserGauge.UsersIn] = 987 };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = Interval,
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Incomplete, "13 users were lost: connection lost"),
    };

    private static Figures Interval =>
        ReportSamples.Interval(BusyCounts) with { Gauges = Gauges, Latencies = Samples((Series.Updates, null, Latency(1)), (Series.Posts, null, Latency(2))) };

    public static void WriteStats(TextWriter writer)
    {
        WrittenReports.Users.WriteCsvHeader(writer);
        WrittenReports.Users.WriteCsvRow(writer, Interval);
    }

    public static void WriteConsole(TextWriter writer)
    {
        WrittenReports.Users.WriteConsole(writer, new Figures { Info = Info() });
        WrittenReports.Users.WriteConsole(writer, Interval);
    }

    public static void WriteJson(Stream stream)
    {
        WrittenReports.Users.WriteInterval(stream, Interval, [Interval]);
        WrittenReports.Users.WriteFinal(stream, BusySummary);
    }
}
