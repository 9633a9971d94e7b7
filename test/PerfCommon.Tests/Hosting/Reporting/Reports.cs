using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfCommon.Tests.Hosting.Reporting;

/// <summary>Every report by the name of the file that holds its expected text.</summary>
internal static class Reports
{
    private static readonly Dictionary<string, Action<Stream>> All = new()
    {
        ["TestInputs.txt"] = Text(w => InputBlock.Write(w, InputBlock.WideLabels, [("Steady State Time", "300 sec"), ("Service", "DIRECT_FEED"), ("A label longer than all the others", "yes")])),
        ["TestInputsNarrow.txt"] = Text(w => InputBlock.Write(w, InputBlock.NarrowLabels, [("Runtime", "60 sec"), ("Port", "14002")])),
        ["Latency.csv"] = Text(WriteLatencyFile),
        ["TransportLatency.csv"] = Text(WriteTransportLatencyFile),
        ["ConsStats.csv"] = Text(WriteConsumerStats),
        ["ConsConsole.txt"] = Text(WriteConsumerConsole),
        ["ConsSummary.txt"] = Text(w => ConsumerSummaryText.Write(w, new ConsumerSummary { Overall = ReportSamples.ConsumerFigures(), Resources = ReportSamples.Resources() })),
        ["ConsSummaryBusy.txt"] = Text(w => ConsumerSummaryText.Write(w, ReportSamples.BusyConsumerSummary())),
        ["ConsSummaryNothing.txt"] = Text(w => ConsumerSummaryText.Write(w, new ConsumerSummary { Overall = new ConsumerFigures() })),
        ["Cons.jsonl"] = WriteConsumerJson,
        ["ProvStats.csv"] = Text(WriteProviderStats),
        ["ProvConsole.txt"] = Text(WriteProviderConsole),
        ["ProvSummary.txt"] = Text(w => ProviderSummaryText.Write(w, new ProviderSummary { Overall = new ProviderFigures { Counts = ReportSamples.ProviderCounts(), SendLag = ReportSamples.Latency(5) }, Updates = true, Resources = ReportSamples.Resources() })),
        ["ProvSummaryBusy.txt"] = Text(w => ProviderSummaryText.Write(w, ReportSamples.BusyProviderSummary())),
        ["ProvSummaryNothing.txt"] = Text(w => ProviderSummaryText.Write(w, new ProviderSummary { Overall = new ProviderFigures() })),
        ["Prov.jsonl"] = WriteProviderJson,
        ["TransportStats.csv"] = Text(WriteTransportStats),
        ["TransportConsole.txt"] = Text(WriteTransportConsole),
        ["TransportSummaryBusy.txt"] = Text(w => TransportSummaryText.Write(w, ReportSamples.BusyTransportSummary())),
        ["TransportSummaryNothing.txt"] = Text(w => TransportSummaryText.Write(w, new TransportSummary { Overall = new TransportFigures() })),
        ["Transport.jsonl"] = WriteTransportJson,
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Write(string name)
    {
        using MemoryStream stream = new();
        All[name](stream);
        return System.Text.Encoding.UTF8.GetString(stream.ToArray());
    }

    private static Action<Stream> Text(Action<TextWriter> write) => stream =>
    {
        using StreamWriter writer = new(stream, leaveOpen: true);
        write(writer);
    };

    private static void WriteLatencyFile(TextWriter writer)
    {
        LatencyCsv.WriteHeader(writer);
        LatencyCsv.WriteRows(writer, LatencyCsv.Updates, Ring());
        LatencyCsv.WriteRows(writer, LatencyCsv.Posts, Ring());
        LatencyCsv.WriteRows(writer, LatencyCsv.GenericMessages, Ring(), LatencyUnit.Nanoseconds);
    }

    private static void WriteTransportLatencyFile(TextWriter writer)
    {
        LatencyCsv.WriteTransportHeader(writer);
        LatencyCsv.WriteTransportRows(writer, Ring());
    }

    private static RecordRing<LatencyRecord> Ring()
    {
        RecordRing<LatencyRecord> ring = new(4);
        ring.TryWrite(new LatencyRecord(1_000_000, 1_001_234));
        ring.TryWrite(new LatencyRecord(2_000_000, 1_999_990));
        return ring;
    }

    private static void WriteConsumerStats(TextWriter writer)
    {
        ConsumerStatsCsv.WriteHeader(writer);
        ConsumerStatsCsv.WriteRow(writer, ReportSamples.BusyConsumerInterval());
        ConsumerStatsCsv.WriteRow(writer, new ConsumerInterval { Info = default });
    }

    private static void WriteConsumerConsole(TextWriter writer)
    {
        ConsumerConsole.Write(writer, new ConsumerInterval { Info = ReportSamples.Info() });
        ConsumerConsole.Write(writer, ReportSamples.BusyConsumerInterval());
        ConsumerConsole.Write(writer, ReportSamples.BusyConsumerInterval(thread: 2, threads: 2));
        ConsumerConsole.WriteOverallImages(writer, new ImageRetrieval(100_000, 0.2));
    }

    private static void WriteConsumerJson(Stream stream)
    {
        ConsumerInterval all = ReportSamples.BusyConsumerInterval(thread: 0, threads: 2);
        ConsumerJson.WriteInterval(stream, all, [all, new ConsumerInterval { Info = ReportSamples.Info(2, 2) }]);
        ConsumerJson.WriteFinal(stream, ReportSamples.BusyConsumerSummary());
        ConsumerJson.WriteFinal(stream, new ConsumerSummary { Overall = new ConsumerFigures() });
    }

    private static void WriteProviderStats(TextWriter writer)
    {
        ProviderStatsCsv.WriteHeader(writer);
        ProviderStatsCsv.WriteRow(writer, ReportSamples.BusyProviderInterval());
        ProviderStatsCsv.WriteRow(writer, new ProviderInterval { Info = default });
    }

    private static void WriteProviderConsole(TextWriter writer)
    {
        ProviderConsole.Write(writer, new ProviderInterval { Info = ReportSamples.Info() });
        ProviderConsole.Write(writer, ReportSamples.BusyProviderInterval());
        ProviderConsole.Write(writer, ReportSamples.BusyProviderInterval(thread: 2, threads: 2));
    }

    private static void WriteProviderJson(Stream stream)
    {
        ProviderInterval all = ReportSamples.BusyProviderInterval();
        ProviderJson.WriteInterval(stream, all, [all]);
        ProviderJson.WriteFinal(stream, ReportSamples.BusyProviderSummary());
    }

    private static void WriteTransportStats(TextWriter writer)
    {
        TransportStatsCsv.WriteHeader(writer);
        TransportStatsCsv.WriteRow(writer, ReportSamples.BusyTransportInterval());
        TransportStatsCsv.WriteRow(writer, new TransportInterval { Info = default });
    }

    private static void WriteTransportConsole(TextWriter writer)
    {
        TransportConsole.Write(writer, new TransportInterval { Info = ReportSamples.Info() });
        TransportConsole.Write(writer, ReportSamples.BusyTransportInterval());
        TransportConsole.Write(writer, ReportSamples.BusyTransportInterval(thread: 2, threads: 2));
    }

    private static void WriteTransportJson(Stream stream)
    {
        TransportInterval all = ReportSamples.BusyTransportInterval();
        TransportJson.WriteInterval(stream, all, [all]);
        TransportJson.WriteFinal(stream, ReportSamples.BusyTransportSummary());
    }
}
