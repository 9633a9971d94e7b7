using System.Globalization;
using System.Text;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using LatencyPerf.Rounds;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Formats the guide's output, to the character, and our lines between its table and its last line.</summary>
internal static class GuideText
{
    public const string Publisher = "LatencyPerf - Publisher\n~~~~~\n";
    public const string Subscriber = "LatencyPerf - Subscriber\n~~~~~\n";
    public const string TableHead = "bytes ,stdev us,ave us, min us, 50% us, 90% us, 99% us, 99.99%, max us\n-----\n";
    public const string Successful = "Test successful!\n";
    public const string NotPositive = "roundtrip time <= 0\n";

    private const double Percent = 0.01;
    private const double LastPercentile = 99.99;
    private const long SamplesOfLastPercentile = 100_000;

    public static string Registered(string transport) => $"Successfully registered {transport} transport\n";

    public static string Enabled(string transport) => $"{transport} enabled\n";

    public static string Failed(string reason) => $"Test failed: {reason}\n";

    /// <summary>The row of a size; wider numbers widen their cell.</summary>
    public static string Row(SizeResult size) => Cells(size.Bytes,
        size.Trips.Deviation, size.Trips.Average, size.Trips.Min, size.P50, size.P90, size.P99, size.P9999, size.Trips.Max);

    /// <summary>The last line of a subscriber: the end counts as a message, and for the echoer as a reply.</summary>
    public static string Counted(SubscriberCounts counts, bool echoes) => Format(
        $"Test successful: {counts.Received + 1} messages received, {(echoes ? counts.Replied + 1 : 0)} replies sent.\n");

    /// <summary>Creates the remarks on a publisher's test between the table and the last line.</summary>
    public static string Remarks(LatencyPerfOptions options, PublisherResult result)
    {
        RoundCounts counts = result.Counts;
        StringBuilder text = new();
        if (options.NumIter < SamplesOfLastPercentile)
            text.Append(Beyond(options.NumIter));
        if (counts.Lost > 0 || counts.Late > 0)
            text.Append(Losses(counts, options.ReplyTimeoutMillis));
        Count(text, "resent", counts.Resent);
        Count(text, "duplicates", counts.Duplicates);
        for (int i = 0; i < result.Subscribers.Count - 1; i++) // the last one echoes: its losses are counted as rounds
            text.Append(Silent(i + 1, result.Subscribers[i]));
        Count(text, "rounds that began late", counts.LateStarts);
        Count(text, "foreign datagrams", result.Foreign);
        Count(text, "dropped by the kernel", result.KernelDrops);
        Count(text, "dropped by -dropRate", result.Dropped);
        return text.Append(Cost(result)).ToString();
    }

    /// <summary>Creates the remarks on a subscriber's test.</summary>
    public static string Remarks(SubscriberCounts counts)
    {
        StringBuilder text = new();
        Count(text, "lost", counts.Lost);
        Count(text, "late", counts.Late);
        Count(text, "duplicates", counts.Duplicates);
        Count(text, "foreign datagrams", counts.Foreign);
        Count(text, "dropped by the kernel", counts.KernelDrops);
        Count(text, "dropped by -dropRate", counts.Dropped);
        return text.ToString();
    }

    /// <summary>Describes the part of a test that was completed before its early end; empty when it did not begin.</summary>
    public static string SoFar(SubscriberCounts counts)
    {
        StringBuilder text = new();
        Count(text, "messages received", counts.Received);
        Count(text, "replies sent", counts.Replied);
        return text.ToString();
    }

    /// <summary>The table of one-way times.</summary>
    public static string OneWay(IEnumerable<OneWayTime> times, bool isByBaseline)
    {
        StringBuilder text = new(isByBaseline ? "\nbytes, ave us, 50% us (estimate)\n-----\n" : "\nbytes, ave us, min us, 50% us\n-----\n");
        foreach (OneWayTime time in times)
            text.Append(isByBaseline ? Cells(time.Bytes, time.Average, time.P50) : Cells(time.Bytes, time.Average, time.Min, time.P50));
        return text.ToString();
    }

    /// <summary>The end of a publisher's output: one-way times, thresholds, the last line.</summary>
    /// <param name="oneWay">The one-way times; empty for none.</param>
    /// <param name="isByBaseline">True for times with several subscribers.</param>
    /// <param name="assertions">The results of the thresholds.</param>
    /// <param name="failure">Why the test failed; null when it was successful.</param>
    public static string End(
        IReadOnlyCollection<OneWayTime> oneWay, bool isByBaseline, IEnumerable<ThresholdResult> assertions, string? failure) =>
        (oneWay.Count > 0 ? OneWay(oneWay, isByBaseline) : "") + string.Concat(assertions.Select(assertion => assertion.Line + "\n"))
        + (failure is null ? Successful : Failed(failure));

    private static string Losses(RoundCounts counts, int timeoutMillis) =>
        Format($"lost {counts.Lost} (no reply within {timeoutMillis} ms), late {counts.Late}")
        + (counts.Late > 0 ? Format($" (longest {counts.LongestLateNanos / 1000.0:F1} us)\n") : "\n");

    private static string Silent(int cookie, SubscriberCounts? told)
    {
        (string What, long Count)[] all =
        [
            ("lost", told?.Lost ?? 0), ("late", told?.Late ?? 0), ("duplicates", told?.Duplicates ?? 0),
            ("dropped by the kernel", told?.KernelDrops ?? 0),
        ];
        (string What, long Count)[] some = Array.FindAll(all, one => one.Count > 0);
        return some is [] ? "" : Format($"subscriber with cookie {cookie}: ")
            + string.Join(", ", some.Select(one => Format($"{one.What} {one.Count}"))) + "\n";
    }

    private static string Beyond(long samples)
    {
        long beyond = samples - (long)Math.Ceiling(samples * LastPercentile * Percent);
        return Format($"99.99%: {beyond} of {samples} samples lie beyond it\n");
    }

    private static string Cost(PublisherResult result)
    {
        if (result.Subscribers is not [.., { } echoer])
            return "";
        double echoerPercent = result.Cpu is { Seconds: > 0 } use ? echoer.CpuMicros / (use.Seconds * 10_000) : 0;
        Placement own = result.Placement;
        return Format($"Processors: publisher {own.Processor}, echoer {echoer.Placement.Processor} (moved {own.Moves}, {echoer.Placement.Moves} times)\n")
            + Format($"CPU (percent of one core): publisher {result.Cpu?.CorePercent ?? 0:F1}, echoer {echoerPercent:F1}\n");
    }

    private static void Count(StringBuilder text, string what, long count)
    {
        if (count > 0)
            text.Append(Format($"{what} {count}\n"));
    }

    private static string Cells(int bytes, params double?[] micros) => Format($"{bytes,6}")
        + string.Concat(micros.Select(value => "," + (value is { } known ? Format($"{known:F1}") : "-").PadLeft(7))) + "\n";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
