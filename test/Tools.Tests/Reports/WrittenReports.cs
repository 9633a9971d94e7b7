using System.Text;
using ConsPerf;
using HubPerf;
using NIProvPerf;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using ProvPerf;
using Tools.Tests.PerfToolsTests.Reports;
using Tools.Tests.Users;
using TransportPerf;
using UsersPerf;

namespace Tools.Tests.Reports;

/// <summary>Every report by the name of the file that holds its expected text.</summary>
internal static class WrittenReports
{
    public static readonly Report Consumer = ConsPerfReport.Create(new());
    public static readonly Report BusyConsumer = ConsPerfReport.Create(
        new() { PostingRate = 1000, PostingLatencyRate = 10, GenericMsgRate = 1000, GenericMsgLatencyRate = 10 });

    public static readonly Report Provider = ProvPerfReport.Create(new());
    public static readonly Report SilentProvider = ProvPerfReport.Create(new() { UpdateRate = 0 });
    public static readonly Report BusyProvider = ProvPerfReport.Create(
        new() { GenericMsgRate = 1000, GenericMsgLatencyRate = LatencyRate.Of(10) });

    public static readonly Report Publisher = NIProvPerfReport.Create(new());
    public static readonly Report SilentPublisher = NIProvPerfReport.Create(new() { UpdateRate = 0, LatencyUpdateRate = default });

    public static readonly Report Hub = HubPerfReport.Create(new());

    public static readonly Report Users = UsersPerfReport.Create(new() { PostRate = 0.5 });

    public static readonly Report Transport = TransportPerfReport.Create(new(), processId: 24_806);

    private static readonly Dictionary<string, Action<Stream>> All = new()
    {
        ["TestInputs.txt"] = Text(w =>
            InputBlock.Write(w, InputBlock.WideLabels,
                [("Steady State Time", "300 sec"), ("Service", "DIRECT_FEED"), ("A label longer than all the others", "yes")])),
        ["TestInputsNarrow.txt"] = Text(w => InputBlock.Write(w, InputBlock.NarrowLabels, [("Runtime", "60 sec"), ("Port", "14002")])),
        ["Latency.csv"] = Text(WriteLatencyFile),
        ["TransportLatency.csv"] = Text(WriteTransportLatencyFile),
        ["ConsStats.csv"] = Stats(Consumer, ConsumerSamples.BusyCounts),
        ["ConsConsole.txt"] = Text(WriteConsumerConsole),
        ["ConsSummary.txt"] = Summary(Consumer, new() { Overall = ConsumerSamples.Run, Resources = ReportSamples.Resources() }),
        ["ConsSummaryBusy.txt"] = Summary(BusyConsumer, ConsumerSamples.BusySummary),
        ["ConsSummaryNothing.txt"] = Summary(Consumer, new() { Overall = new() }),
        ["Cons.jsonl"] = WriteConsumerJson,
        ["ProvStats.csv"] = Stats(Provider, ProviderSamples.BusyCounts),
        ["ProvConsole.txt"] = Text(w => WriteConsole(w, Provider, ProviderSamples.BusyCounts)),
        ["ProvSummary.txt"] = Summary(Provider, ProviderSamples.Summary),
        ["ProvSummaryBusy.txt"] = Summary(BusyProvider, ProviderSamples.BusySummary),
        ["ProvSummaryNothing.txt"] = Summary(SilentProvider, new() { Overall = new() }),
        ["Prov.jsonl"] = Json(Provider, ProviderSamples.BusyCounts, ProviderSamples.BusySummary),
        ["NIProvStats.csv"] = Stats(Publisher, PublisherSamples.BusyCounts),
        ["NIProvConsole.txt"] = Text(w => WriteConsole(w, Publisher, PublisherSamples.BusyCounts)),
        ["NIProvSummary.txt"] = Summary(Publisher, PublisherSamples.Summary),
        ["NIProvSummaryBusy.txt"] = Summary(Publisher, PublisherSamples.BusySummary),
        ["NIProvSummaryNothing.txt"] = Summary(SilentPublisher, new() { Overall = new() }),
        ["NIProv.jsonl"] = Json(Publisher, PublisherSamples.BusyCounts, PublisherSamples.BusySummary),
        ["HubStats.csv"] = Text(HubSamples.WriteStats),
        ["HubConsole.txt"] = Text(HubSamples.WriteConsole),
        ["HubSummaryBusy.txt"] = Summary(Hub, HubSamples.BusySummary),
        ["HubSummaryNothing.txt"] = Summary(Hub, new() { Overall = new() }),
        ["Hub.jsonl"] = HubSamples.WriteJson,
        ["UsersStats.csv"] = Text(UsersSamples.WriteStats),
        ["UsersConsole.txt"] = Text(UsersSamples.WriteConsole),
        ["UsersSummaryBusy.txt"] = Summary(Users, UsersSamples.BusySummary),
        ["Users.jsonl"] = UsersSamples.WriteJson,
        ["TransportStats.csv"] = Stats(Transport, TransportSamples.BusyCounts),
        ["TransportConsole.txt"] = Text(w => WriteConsole(w, Transport, TransportSamples.BusyCounts)),
        ["TransportSummaryBusy.txt"] = Summary(Transport, TransportSamples.BusySummary),
        ["TransportSummaryNothing.txt"] = Summary(TransportPerfReport.Create(new(), processId: 0), new() { Overall = new() }),
        ["Transport.jsonl"] = Json(Transport, TransportSamples.BusyCounts, TransportSamples.BusySummary),
        ["DistinctPeriod.txt"] = Text(DistinctPeriod.Write),
        ["DistinctRun.txt"] = Text(DistinctRun.Write),
        ["DistinctComparison.txt"] = Text(DistinctRun.WriteComparison),
        ["DistinctCons.txt"] = Text(w => DistinctFigures.Write(w, BusyConsumer)),
        ["DistinctProv.txt"] = Text(w => DistinctFigures.Write(w, BusyProvider)),
        ["DistinctNIProv.txt"] = Text(w => DistinctFigures.Write(w, Publisher)),
        ["DistinctHub.txt"] = Text(w => DistinctFigures.Write(w, Hub)),
        ["DistinctUsers.txt"] = Text(w => DistinctFigures.Write(w, Users)),
        ["DistinctTransport.txt"] = Text(w => DistinctFigures.Write(w, Transport)),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Write(string name) => Write(All[name]);

    public static string Write(Action<Stream> write)
    {
        using MemoryStream stream = new();
        write(stream);
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private static Action<Stream> Text(Action<TextWriter> write) => stream =>
    {
        using StreamWriter writer = new(stream, leaveOpen: true);
        write(writer);
    };

    private static Action<Stream> Summary(Report report, RunSummary summary) => Text(writer => report.WriteSummary(writer, summary));

    private static Action<Stream> Stats(Report report, CounterSnapshot counts) => Text(writer =>
    {
        report.WriteCsvHeader(writer);
        report.WriteCsvRow(writer, ReportSamples.Interval(counts));
        report.WriteCsvRow(writer, new Figures());
    });

    private static void WriteConsole(TextWriter writer, Report report, CounterSnapshot counts)
    {
        report.WriteConsole(writer, new Figures { Info = ReportSamples.Info() });
        report.WriteConsole(writer, ReportSamples.Interval(counts));
        report.WriteConsole(writer, ReportSamples.Interval(counts, thread: 2, threads: 2));
        report.WriteOverallConsole(writer, ReportSamples.Interval(counts));
    }

    private static Action<Stream> Json(Report report, CounterSnapshot counts, RunSummary summary) => stream =>
    {
        Figures all = ReportSamples.Interval(counts);
        report.WriteInterval(stream, all, [all]);
        report.WriteFinal(stream, summary);
    };

    private static void WriteLatencyFile(TextWriter writer)
    {
        LatencyFormat micros = LatencyFormat.Of(LatencyUnit.Microseconds);
        micros.WriteHeader(writer);
        micros.WriteRows(writer, Ring(StampedKind.Update));
        micros.WriteRows(writer, Ring(StampedKind.Post));
        LatencyFormat.Of(LatencyUnit.Nanoseconds).WriteRows(writer, Ring(StampedKind.Generic));
    }

    private static void WriteTransportLatencyFile(TextWriter writer)
    {
        LatencyFormat.Transport.WriteHeader(writer);
        LatencyFormat.Transport.WriteRows(writer, Ring(StampedKind.Update));
    }

    private static RecordRing<LatencyRecord> Ring(StampedKind kind)
    {
        RecordRing<LatencyRecord> ring = new(4);
        ring.TryWrite(new LatencyRecord(1_000_000, 1_001_234, kind));
        ring.TryWrite(new LatencyRecord(2_000_000, 1_999_990, kind));
        return ring;
    }

    private static void WriteConsumerConsole(TextWriter writer)
    {
        Figures overall = ReportSamples.Interval(default, thread: 0, threads: 2) with { Images = new ImageRetrieval(100_000, 0.2) };
        WriteConsole(writer, Consumer, ConsumerSamples.BusyCounts);
        Consumer.WriteOverallConsole(writer, overall with { Images = null });
        Consumer.WriteOverallConsole(writer, overall);
    }

    private static void WriteConsumerJson(Stream stream)
    {
        Figures all = ReportSamples.Interval(ConsumerSamples.BusyCounts, thread: 0, threads: 2);
        Consumer.WriteInterval(stream, all, [all, new Figures { Info = ReportSamples.Info(2, 2) }]);
        Consumer.WriteFinal(stream, ConsumerSamples.BusySummary);
        Consumer.WriteFinal(stream, new RunSummary { Overall = new Figures() });
    }
}
