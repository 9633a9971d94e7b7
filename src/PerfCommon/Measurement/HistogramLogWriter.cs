using System.Globalization;

namespace PerfCommon.Measurement;

/// <summary>Writes the lines of a log of histograms (<c>.hlog</c>), one histogram for each interval.</summary>
/// <remarks>
/// Every reader of the HdrHistogram family accepts this: version 1.3, no byte order mark, one line feed after each line and no empty one, no
/// comment below the legend, times absolute with three decimals.
/// </remarks>
public static class HistogramLogWriter
{
    /// <summary>The line above the intervals, which readers compare exactly.</summary>
    internal const string Legend = "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"";

    private const long MicrosPerMilli = 1_000;
    private const long NanosPerMilli = 1_000_000;
    private const decimal MillisPerSecond = 1_000;
    private const string TagBreaks = ", \r\n";

    /// <summary>Writes the lines above the intervals.</summary>
    /// <param name="writer">Receives the lines.</param>
    /// <param name="startMillis">Milliseconds since 1970 UTC, not after the start of the first interval.</param>
    /// <param name="unit">Unit of the values.</param>
    public static void WriteHeader(TextWriter writer, long startMillis, LatencyUnit unit)
    {
        string utc = DateTimeOffset.FromUnixTimeMilliseconds(startMillis).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'",
            CultureInfo.InvariantCulture);
        writer.Write("#[Histogram log format version 1.3]\n");
        writer.Write($"#[Unit: {NameOf(unit)}]\n");
        writer.Write($"#[StartTime: {Seconds(startMillis)} (seconds since epoch), {utc}]\n");
        writer.Write($"{Legend}\n");
    }

    /// <summary>Writes the line of one interval; an interval without samples has a line as well.</summary>
    /// <param name="writer">Receives the line.</param>
    /// <param name="startMillis">Start of the interval in milliseconds since 1970 UTC.</param>
    /// <param name="endMillis">Its end, not before the start.</param>
    /// <param name="histogram">The values recorded in the interval.</param>
    /// <param name="tag">Distinguishes several series of a log; null for none.</param>
    /// <exception cref="ArgumentException">The tag is invalid, or the interval ends before it begins.</exception>
    public static void WriteInterval(TextWriter writer, long startMillis, long endMillis, LongHistogram histogram, string? tag = null) =>
        WriteInterval(writer, startMillis, endMillis, histogram, UnitsPerMilli(histogram.Unit), tag);

    /// <summary>Writes the line of one interval with values of any unit.</summary>
    internal static void WriteInterval(
        TextWriter writer, long startMillis, long endMillis, LongHistogram histogram, long unitsPerMilli, string? tag)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(endMillis, startMillis);
        if (tag is not null && !IsTag(tag))
            throw new ArgumentException($"'{tag}' is no tag: it is empty, or has a comma, a space or a line end", nameof(tag));
        string max = Thousandths((decimal)histogram.GetMaxValue() / unitsPerMilli);
        string payload = Convert.ToBase64String(HistogramEncoding.Compress(histogram));
        string start = tag is null ? "" : $"Tag={tag},";
        writer.Write($"{start}{Seconds(startMillis)},{Seconds(endMillis - startMillis)},{max},{payload}\n");
    }

    /// <summary>True for a valid tag: not empty, and without comma, space and line end.</summary>
    internal static bool IsTag(string text) => text.Length > 0 && text.AsSpan().IndexOfAny(TagBreaks) < 0;

    /// <summary>Returns the name of a unit in the header.</summary>
    internal static string NameOf(LatencyUnit unit) => unit == LatencyUnit.Nanoseconds ? "ns" : "us";

    private static long UnitsPerMilli(LatencyUnit unit) => unit == LatencyUnit.Nanoseconds ? NanosPerMilli : MicrosPerMilli;

    private static string Seconds(long millis) => Thousandths(millis / MillisPerSecond);

    private static string Thousandths(decimal value) =>
        decimal.Round(value, 3, MidpointRounding.AwayFromZero).ToString("F3", CultureInfo.InvariantCulture);
}
