using System.Globalization;
using System.Text;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Reporting;

namespace Tools.Tests.Reports;

/// <summary>
/// A run of which no figure equals another, whatever members the enums have: each counter, each percentile of each series and phase, each
/// gauge, each moment. A defect that shows one in place of another, or in another unit, changes a text.
/// </summary>
internal static class DistinctFigures
{
    private const int Seconds = 5;

    /// <summary>The counts, the later members the smaller: what is part of something is less than it.</summary>
    public static CounterSnapshot Counts { get; } = CounterSnapshot.Of(
        [.. HubCounter.Schema.Counters.Select(counter => (counter, 900_000L - (1_009 * (int)counter) - ((int)counter * (int)counter)))]);

    public static Figures Run { get; } = new()
    {
        Info = new(Seconds, ReportSamples.Utc, 4.96, Thread: 1, Threads: 1),
        Counts = Counts,
        Totals = Counts + Counts + CounterSnapshot.Of([.. HubCounter.Schema.Counters.Select(counter => (counter, 13L * ((int)counter + 1)))]),
        Latencies = Latencies(),
        Moments = Enum.GetValues<Moment>().ToDictionary(moment => moment,
            moment => ReportSamples.Start + ((int)moment * 1_250_000_000L) + ((int)moment * (int)moment * 10_000_000L)),
        SendingSeconds = 7.25,
        Gauges = HubCounter.Schema.Gauges.ToDictionary(gauge => gauge, gauge => 2_000_003L + (7 * (int)gauge)),
        Items = 77,
        Images = new ImageRetrieval(78, 0.3125),
        Process = ReportSamples.Process,
        CoreCpuPercent = 41.625,
        Placement = new(new Dictionary<int, long> { [2] = 3, [3] = 5 }, Changes: 79, WaitNanos: 12_345_678),
    };

    private static readonly TcpFacts Tcp = new()
    {
        BusyMicros = 6_000_001,
        PeerLimitedMicros = 999_000,
        PathMtu = 1_492,
        RoundTripMicros = 381,
        MinRoundTripMicros = 53,
        SegmentsSent = 610_054,
        SegmentsResent = 55,
        BytesSent = 710_000_056,
        BytesResent = 81_057,
    };

    private static readonly RunSummary Summary = new()
    {
        Overall = Run,
        Threads = [Run, Run with { Counts = Counts + Counts }],
        Connections = [new("10.1.2.3:40000", 51, Counts) { PeerLimitedPercent = 17.5 }],
        Network = [new("192.0.2.1", "192.0.2.2", 52, Tcp, MaxBusyMicros: 5_300_000)],
        Resources = ReportSamples.Resources(),
        Outcome = new RunOutcome(ExitCode.Incomplete, "why it ended", "why it is not comparable"),
        Notes = ["a note"],
    };

    /// <summary>Writes every output of a tool for it, each after its name.</summary>
    public static void Write(TextWriter writer, Report report)
    {
        writer.Write("# statistics file\n");
        report.WriteCsvHeader(writer);
        report.WriteCsvRow(writer, Run);
        writer.Write("# console\n");
        report.WriteConsole(writer, Run);
        report.WriteOverallConsole(writer, Run);
        writer.Write("# line of a collection\n" + Json(stream => report.WriteInterval(stream, Run, [Run])));
        writer.Write("# final line\n" + Json(stream => report.WriteFinal(stream, Summary)));
        writer.Write("# summary\n");
        report.WriteSummary(writer, Summary);
        writer.Write("# metrics\n" + MetricsText.Write(report.CollectMetrics("1.2.3", Run, []), []));
        writer.Write("# figures that -assert names\n");
        foreach (string metric in report.Metrics)
        {
            AssertedFigure figure = report.FindFigure(Summary, metric);
            writer.Write(string.Create(CultureInfo.InvariantCulture, $"{metric} {figure.Value} {figure.Samples}\n"));
        }
    }

    private static string Json(Action<Stream> write)
    {
        using MemoryStream stream = new();
        write(stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private static Dictionary<(Series, RunPhase?), LatencyFigures> Latencies()
    {
        Dictionary<(Series, RunPhase?), LatencyFigures> latencies = [];
        foreach (Series series in Enum.GetValues<Series>())
        {
            foreach (RunPhase? phase in Enum.GetValues<RunPhase>().Cast<RunPhase?>().Prepend(null))
                latencies[(series, phase)] = Latency(latencies.Count);
        }

        return latencies;
    }

    private static LatencyFigures Latency(int number) => new()
    {
        Count = 200_000 + (17 * number),
        Min = 1_000.5 + number,
        P50 = 2_000.5 + number,
        Average = 3_000.5 + number,
        Deviation = 4_000.5 + number,
        P90 = 5_000.5 + number,
        P99 = 6_000.5 + number,
        P999 = 7_000.5 + number,
        P9999 = 8_000.5 + number,
        Max = 9_000.5 + number,
        NegativeCount = 500 + number,
        OverflowCount = 700 + number,
    };
}
