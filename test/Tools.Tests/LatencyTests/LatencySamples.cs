using System.Text;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Results;
using LatencyPerf.Rounds;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace Tools.Tests.LatencyTests;

/// <summary>A test of round trips in which every figure differs from every other, and what is written of it.</summary>
internal static class LatencySamples
{
    public static LatencyPerfOptions PublisherOptions { get; } = OptionLines.Accept(LatencyPerfOptionTable.Instance,
        "-publish -subscribers 3 -numIter 20000 -maxSize 64 -spin 7 -assert p99@32<300us,lost<1000");

    public static LatencyPerfOptions SubscriberOptions { get; } = OptionLines.Accept(LatencyPerfOptionTable.Instance, "-subscribe -cookie 3");

    public static SizeResult[] Sizes { get; } = [Size(16, 100), Size(32, 300), Size(64, 500)];

    public static PublisherResult Result { get; } = new()
    {
        Sizes = Sizes,
        Subscribers = [Told(1, 10_000), Told(2, 20_000), Told(3, 30_000)],
        LastSequence = 60_123,
        Foreign = 901,
        KernelDrops = 902,
        Dropped = 903,
        Cpu = new CpuUse(1_000_000_000, 3_500_000_000, 1_127_500_000),
        Placement = new(1, 17),
    };

    /// <summary>A test that broke off in its second size.</summary>
    public static PublisherResult Broken { get; } = Result with
    {
        Sizes = [Sizes[0]],
        Unfinished = Sizes[1],
        Subscribers = [null, Told(2, 20_000), null],
        Trouble = "10 rounds in a row without a reply",
    };

    public static SubscriberCounts Counts { get; } = Told(3, 30_000);

    /// <summary>Of the publisher: what it prints from its table on.</summary>
    public static string WriteConsole(PublisherResult result)
    {
        StringBuilder text = new(GuideText.TableHead);
        foreach (SizeResult size in result.Sizes)
            text.Append(size.Counts.NotPositive > 0 ? GuideText.NotPositive : "").Append(GuideText.Row(size));
        text.Append(GuideText.Remarks(PublisherOptions, result));
        return text.Append(GuideText.End([.. result.Sizes.Select(OneWayTimes.HalfOf)], isByBaseline: false, SummaryOf(result).Assertions, result.Trouble))
            .ToString();
    }

    /// <summary>Its JSON lines.</summary>
    public static string WriteJson(PublisherResult result)
    {
        using MemoryStream stream = new();
        Report report = PublisherReport.Create(PublisherOptions);
        foreach (Figures size in FiguresOf(result))
            report.Sizes!.WriteLine(stream, size);
        report.WriteFinal(stream, SummaryOf(result));
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    /// <summary>Its metrics.</summary>
    public static string WriteMetrics(PublisherResult result) =>
        MetricsText.Write(PublisherReport.Create(PublisherOptions).Sizes!.CollectMetrics("1.2.3", FiguresOf(result)), []);

    /// <summary>Of a subscriber: what it prints at its end.</summary>
    public static string WriteSubscriberConsole() => GuideText.Remarks(Counts) + GuideText.Counted(Counts, echoes: true)
        + GuideText.SoFar(Counts) + GuideText.Failed("the publisher is gone");

    public static string WriteSubscriberJson()
    {
        using MemoryStream stream = new();
        SubscriberReport.Create(SubscriberOptions).WriteFinal(stream, new()
        {
            Overall = new() { Results = Counts },
            SteadyCpu = new CpuUse(0, 2_000_000_000, 700_000_000),
        });
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    private static Figures[] FiguresOf(PublisherResult result) => [.. result.Sizes.Select(size => SizeRows.Of(size, OneWayTimes.HalfOf(size)))];

    private static RunSummary SummaryOf(PublisherResult result)
    {
        RunSummary summary = new() { Overall = new() { Results = result }, Sizes = FiguresOf(result), SteadyCpu = result.Cpu };
        if (result.Trouble is { } trouble)
            return summary with { Outcome = new RunOutcome(ExitCode.Incomplete, trouble, trouble) };
        IReadOnlyList<ThresholdResult> all = PublisherReport.Create(PublisherOptions).Compare(PublisherOptions.Run.Thresholds!, summary);
        return summary with { Assertions = all, Outcome = new RunOutcome(ExitCode.AssertionMissed, all.First(one => !one.IsKept).Reason) };
    }

    private static SizeResult Size(int bytes, int seed) => new()
    {
        Bytes = bytes,
        Trips = new LatencyFigures
        {
            Count = 20_000 + seed,
            Deviation = seed + 1.125,
            Average = seed + 20.25,
            Min = seed + 2.5,
            Max = seed + 90.75,
            P50 = seed + 11.5,
            P90 = seed + 42.5,
            P99 = seed + 63.5,
            P999 = seed + 74.5,
        },
        P50 = seed + 11.5,
        P90 = seed + 42.5,
        P99 = seed + 63.5,
        P9999 = seed + 85.25,
        Counts = new RoundCounts
        {
            Lost = seed + 1,
            Late = seed + 2,
            LongestLateNanos = (seed * 1_000) + 3_500,
            Resent = seed + 4,
            Duplicates = seed + 5,
            NotPositive = seed - 99,
            LateStarts = seed + 6,
            Rounds = 30_000 + seed,
        },
    };

    private static SubscriberCounts Told(int cookie, long seed) => new()
    {
        Received = seed + 1,
        Replied = seed + 2,
        Lost = seed + 3,
        Duplicates = seed + 4,
        Late = seed + 5,
        Foreign = seed + 6,
        Dropped = seed + 7,
        KernelDrops = seed + 8,
        CpuMicros = 100_000 + seed,
        Placement = new(cookie, 40 + cookie),
    };
}
