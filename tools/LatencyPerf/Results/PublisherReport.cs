using System.Text.Json;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Every figure that a publisher reports, one row each.</summary>
internal static class PublisherReport
{
    /// <summary>Creates the report of a test with these options.</summary>
    public static Report Create(LatencyPerfOptions options)
    {
        ReportTable table = new(LatencyPerfOptionTable.Tool) { Steady = (Moment.Connected, Moment.End), Sizes = SizeRows.Create() };
        table.Section();
        table.Add(new FirstSize()).Final("latency").Called("round trip of the first size");
        table.Number(f => Of(f).Cpu?.Seconds ?? 0).Final("seconds").Called("seconds of the test").IsTime("s");
        table.Number(f => InvariantText.PerSecond(Replies(Of(f)), Of(f).Cpu?.Seconds ?? 0)).Final("roundTripRate").Called("round trips a second").IsRate();
        AddCounts(table);
        table.Overall();
        AddMembers(table, options);
        return new Report(table);
    }

    private static void AddCounts(ReportTable table)
    {
        Count(table, "messagesSent", "messages sent", result => (long)result.LastSequence).NeitherIsBetter();
        Count(table, "repliesReceived", "replies received", result => Replies(result) + result.Counts.Late).NeitherIsBetter();
        Count(table, "repliesLost", "replies lost on their way", LostReplies);
        Count(table, "lost", "round trips lost", result => result.Counts.Lost);
        Count(table, "late", "replies too late", result => result.Counts.Late);
        Count(table, "resent", "messages sent again", result => result.Counts.Resent);
        Count(table, "duplicates", "replies received twice", result => result.Counts.Duplicates);
        Count(table, "notPositive", "round trips that took no time", result => result.Counts.NotPositive);
        Count(table, "lateStarts", "rounds started late", result => result.Counts.LateStarts);
        Count(table, "foreign", "packets of strangers", result => result.Foreign);
        Count(table, "droppedByKernel", "packets dropped by the kernel", result => result.KernelDrops);
        Count(table, "droppedByOption", "packets dropped on purpose", result => result.Dropped).NeitherIsBetter();
    }

    private static void AddMembers(ReportTable table, LatencyPerfOptions options)
    {
        SideMembers.AddRole(table, "publisher");
        table.Number(_ => options.Subscribers).Final("subscribers");
        table.Number(_ => options.NumIter).Final("numIter");
        table.Flag(_ => options.IntervalMicros == 0).Final("closedLoop");
        table.Member("conditions", (json, name, _) => TestConditions.Of(options).Write(json, name));
        SideMembers.AddOptions(table, options);
        table.Member("told", (json, name, f) => WriteTold(json, name, Of(f).Subscribers));
        SideMembers.AddPlacement(table, f => Of(f).Placement);
    }

    private static ReportRow Count(ReportTable table, string name, string words, Func<PublisherResult, long> read) =>
        table.Number(f => read(Of(f))).Final($"{ReportTable.Counts}.{name}").Called(words).IsSum()
            .LowerIsBetter();

    private static PublisherResult Of(Figures figures) => (PublisherResult)figures.Results!;

    private static long Replies(PublisherResult result) => result.Counts.Rounds - result.Counts.Lost;

    private static long LostReplies(PublisherResult result)
    {
        long replies = Replies(result), late = result.Counts.Late;
        long sent = result.Subscribers is [.., { } echoer] ? echoer.Replied : replies + late;
        return Math.Max(0, sent - replies - late);
    }

    private static void WriteTold(Utf8JsonWriter json, string name, IReadOnlyList<SubscriberCounts?> subscribers)
    {
        json.WriteStartArray(name);
        foreach (SubscriberCounts? told in subscribers)
        {
            json.WriteStartObject();
            if (told is { } counts)
                SubscriberReport.WriteCounts(json, counts);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    // The samples of the first size; the figures of all sizes have their own rows.
    private sealed class FirstSize : ReportValue
    {
        public override JsonPart Part => JsonPart.Numbers;
        public override bool Exists(Figures figures) => Of(figures).Sizes.Count > 0;
        public override object?[] Arguments(Figures figures, ReportScope scope) => LatencyFormats.Arguments(Of(figures).Sizes[0].Trips);

        public override void WriteJson(Utf8JsonWriter json, string name, Figures figures, ReportScope scope) =>
            JsonFigures.WriteLatency(json, name, Of(figures).Sizes[0].Trips);

        public override IEnumerable<FigureFacts> Describe(string name, ReportRow row) =>
            [RowFacts.Of(name, row, (FigureKind.Time, LatencyCell.Unit, FigureMerge.Histogram)) with { Better = FigureSense.Lower }];

        public override void AddMetrics(MetricSet metrics, string name, Figures figures)
        {
            // those of all sizes have it
        }
    }
}
