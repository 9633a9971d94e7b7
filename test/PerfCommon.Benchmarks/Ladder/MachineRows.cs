using System.Globalization;
using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Formats the machine's limits as rows, and figures as parts of them.</summary>
internal static class MachineRows
{
    private const double BytesPerGigabyte = 1e9;

    /// <summary>Returns one row for each write size, one for the round trip, one for the wake-up.</summary>
    public static IEnumerable<LadderRow> Describe(this MachineLimits limits)
    {
        foreach ((int writeBytes, double rate) in limits.Streams)
            yield return new($"loopback TCP, writes of {writeBytes / 1024} KB", Invariant($"{rate / BytesPerGigabyte:F2} GB/s"));
        if (limits.RoundMicros is { } round)
            yield return new($"busy ping-pong, {Samples.MessageBytes} bytes", Describe(round));
        if (limits.WakeUpMicros is { } wakeUp)
            yield return new("wake-up of an idle core, one way", Describe(wakeUp));
    }

    /// <summary>Formats a rate of bytes as a part of the limit.</summary>
    public static string Share(this MachineLimits limits, double bytesPerSecond) =>
        Invariant($"{bytesPerSecond / limits.BytesPerSecond:P0} of {MachineLimits.UsualWriteBytes / 1024} KB");

    /// <summary>Formats a round trip as a multiple of the busy one.</summary>
    public static string Times(this MachineLimits limits, double micros) =>
        limits.RoundMicros is { } round ? Invariant($"{micros / round.P50:F1} x ping-pong") : "";

    private static string Describe((double Mean, double P50, double P99) micros) =>
        Invariant($"p50 {micros.P50:F1} us, p99 {micros.P99:F1} us");

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
