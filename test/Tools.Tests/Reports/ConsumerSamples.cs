using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using static Tools.Tests.Reports.ReportSamples;

namespace Tools.Tests.Reports;

/// <summary>Figures of a consumer, from an idle to a busy one.</summary>
internal static class ConsumerSamples
{
    private static readonly CounterSnapshot Counts = CounterSnapshot.Of(
        (Counter.RequestsSent, 101), (Counter.RefreshesReceived, 102), (Counter.StartupUpdates, 10_003),
        (Counter.SteadyUpdates, 490_004), (Counter.DrainedUpdates, 5), (Counter.ItemsWithRefresh, 102));

    public static CounterSnapshot BusyCounts { get; } = Counts + CounterSnapshot.Of(
        (Counter.PostsSent, 106), (Counter.PostsNotSent, 107), (Counter.GenericSent, 108), (Counter.GenericStampsSent, 109),
        (Counter.GenericNotSent, 110), (Counter.GenericReceived, 111), (Counter.GenericStampsReceived, 112),
        (Counter.StatusesReceived, 113), (Counter.MessagesDropped, 114), (Counter.FieldsSkipped, 115),
        (Counter.LatencyRecordsDropped, 116), (Counter.PostStampsSent, 117), (Counter.DrainedGeneric, 11),
        (Counter.PrimingRequestsSent, 118), (Counter.PrimingRefreshesReceived, 119), (Counter.SuspectRefreshes, 120),
        (Counter.ItemsLost, 121), (Counter.ItemsRecovered, 122), (Counter.ServiceLosses, 123), (Counter.UnknownFields, 124),
        (Counter.UpdatesSkipped, 140), (Counter.UpdatesLate, 12), (Counter.UpdatesOutOfOrder, 129), (Counter.UpdatesRepeated, 130),
        (Counter.StandbySwitches, 131), (Counter.SwitchMicros, 132), (Counter.SwitchGapMicros, 133), (Counter.UpdatesMissed, 134),
        (Counter.StandbyRefreshes, 135), (Counter.StandbyMessages, 136));

    public static Figures Run { get; } = new()
    {
        Items = 102,
        Images = new ImageRetrieval(102, 0.204),
        Moments = Moments(
            (Moment.FirstRequest, Start), (Moment.RefreshesComplete, Start + 204_000_000),
            (Moment.FirstUpdate, Start + 4_000_000), (Moment.End, Start + 5_204_000_000)),
        Counts = Counts,
        Latencies = Samples(
            (Series.Updates, RunPhase.Startup, Latency(6)), (Series.Updates, RunPhase.Steady, Latency(7)),
            (Series.Updates, null, Latency(8))),
    };

    public static Figures BusyRun { get; } = Run with
    {
        Counts = BusyCounts,
        Latencies = Samples(
            (Series.Updates, RunPhase.Startup, Latency(6)), (Series.Updates, RunPhase.Steady, Latency(7)),
            (Series.Updates, null, Latency(8)),
            (Series.Posts, null, Latency(2)), (Series.Generic, null, Latency(3) with { NegativeCount = 2, OverflowCount = 3 }),
            (Series.RoundTrips, null, Latency(4)), (Series.SendLag, null, Latency(5))),
    };

    private static readonly Figures WithoutImages = new()
    {
        Items = 50,
        Moments = Moments((Moment.FirstRequest, Start), (Moment.End, Start + 2_000_000_000)),
    };

    public static RunSummary BusySummary { get; } = new()
    {
        Overall = BusyRun,
        Threads = [BusyRun, WithoutImages],
        Connections = [new("10.1.2.3:14002", 50, BusyCounts), new("10.1.2.4:14002", 50, Counts)],
        Resources = Resources(),
        Outcome = new RunOutcome(ExitCode.Incomplete, "the provider closed the connection\n", "connection reset"),
        Notes = ["Server certificates were not checked."],
    };
}
