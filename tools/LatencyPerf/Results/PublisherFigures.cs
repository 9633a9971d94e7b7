using System.Text.Json;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>The figures of a whole test at the publisher, each defined once: its member of <c>overall</c>, and its entry of the catalogue.</summary>
internal static class PublisherFigures
{
    private const string Counts = "counts";
    private const string Latency = "latency";

    private static readonly (FigureFacts Facts, Func<PublisherResult, double> Read)[] Numbers =
    [
        (Of("seconds", "seconds of the test", FigureKind.Time, FigureSense.None, FigureMerge.Max) with { Unit = "s" },
            result => result.Cpu?.Seconds ?? 0),
        (Of("roundTripRate", "round trips a second", FigureKind.Rate, FigureSense.Higher) with { Unit = "1/s" },
            result => InvariantText.PerSecond(Replies(result), result.Cpu?.Seconds ?? 0)),
    ];

    private static readonly (FigureFacts Facts, Func<PublisherResult, long> Read)[] Counted =
    [
        (Count("messagesSent", "messages sent"), result => (long)result.LastSequence),
        (Count("repliesReceived", "replies received"), result => Replies(result) + result.Counts.Late),
        (Count("repliesLost", "replies lost on their way", FigureSense.Lower), LostReplies),
        (Count("lost", "round trips lost", FigureSense.Lower), result => result.Counts.Lost),
        (Count("late", "replies too late", FigureSense.Lower), result => result.Counts.Late),
        (Count("resent", "messages sent again", FigureSense.Lower), result => result.Counts.Resent),
        (Count("duplicates", "replies received twice", FigureSense.Lower), result => result.Counts.Duplicates),
        (Count("notPositive", "round trips that took no time", FigureSense.Lower), result => result.Counts.NotPositive),
        (Count("lateStarts", "rounds started late", FigureSense.Lower), result => result.Counts.LateStarts),
        (Count("foreign", "packets of strangers", FigureSense.Lower), result => result.Foreign),
        (Count("droppedByKernel", "packets dropped by the kernel", FigureSense.Lower), result => result.KernelDrops),
        (Count("droppedByOption", "packets dropped on purpose"), result => result.Dropped),
    ];

    /// <summary>The catalogue: the figures of the whole test, then those of each size.</summary>
    public static IEnumerable<FigureFacts> Catalogue =>
    [
        Of(Latency, "round trip of the first size", FigureKind.Time, FigureSense.Lower, FigureMerge.Histogram) with { Unit = LatencyCell.Unit },
        .. Numbers.Select(number => number.Facts), .. Counted.Select(count => count.Facts), .. SizeResultJson.Catalogue,
    ];

    /// <summary>Writes the member <c>overall</c>.</summary>
    public static void WriteOverall(Utf8JsonWriter json, PublisherResult result)
    {
        json.WriteStartObject("overall");
        if (result.Sizes is [{ } first, ..])
            JsonFigures.WriteLatency(json, Latency, first.Trips);
        foreach ((FigureFacts facts, Func<PublisherResult, double> read) in Numbers)
            JsonFigures.WriteDouble(json, facts.Name, read(result));
        json.WriteStartObject(Counts);
        foreach ((FigureFacts facts, Func<PublisherResult, long> read) in Counted)
            json.WriteNumber(facts.Name[(Counts.Length + 1)..], read(result));
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static long Replies(PublisherResult result) => result.Counts.Rounds - result.Counts.Lost;

    private static long LostReplies(PublisherResult result)
    {
        long replies = Replies(result), late = result.Counts.Late;
        long sent = result.Subscribers is [.., { } echoer] ? echoer.Replied : replies + late;
        return Math.Max(0, sent - replies - late);
    }

    private static FigureFacts Count(string name, string words, FigureSense better = FigureSense.None) =>
        Of($"{Counts}.{name}", words, FigureKind.Count, better);

    private static FigureFacts Of(string name, string words, FigureKind kind, FigureSense better, FigureMerge merge = FigureMerge.Sum) =>
        new() { Name = name, Words = words, Kind = kind, Better = better, Merge = merge };
}
