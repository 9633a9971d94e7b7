using System.Text;
using PerfCommon.Measurement;

namespace Fuzz.Targets;

/// <summary>Histograms of other writers: the plain form, and logs of compressed ones.</summary>
internal static class HistogramTarget
{
    private const int MaxCells = 100_000;
    private const long MillisOfLog = 1_753_000_000_000;
    private const int MillisPerInterval = 1_000;

    public static void ReadPlain(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        try
        {
            LongHistogram histogram = HistogramEncoding.ReadPlain(input.ToArray(), LatencyUnit.Microseconds, MaxCells);
            if (histogram.TotalCount < 0)
                throw new FuzzException("a histogram of fewer than no values");
        }
        catch (HistogramFormatException)
        {
            // the error, as a sentence
        }
    }

    public static void ReadLog(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        using MemoryStream log = new(input.ToArray());
        try
        {
            foreach (HistogramLogInterval interval in new HistogramLogReader(keepsOne: true).Read(log))
            {
                if (interval.EndMillis < interval.StartMillis)
                    throw new FuzzException("an interval that ends before it begins");
            }
        }
        catch (HistogramFormatException)
        {
            // the error, and its line
        }
    }

    public static IEnumerable<byte[]> CreatePlain()
    {
        foreach (int values in (int[])[0, 1, 50])
        {
            using MemoryStream plain = new();
            HistogramEncoding.WritePlain(plain, CreateHistogram(values));
            yield return plain.ToArray();
        }
    }

    public static IEnumerable<byte[]> CreateLogs()
    {
        StringWriter log = new();
        HistogramLogWriter.WriteHeader(log, MillisOfLog, LatencyUnit.Microseconds);
        for (int i = 0; i < 3; i++)
        {
            long start = MillisOfLog + (i * MillisPerInterval);
            HistogramLogWriter.WriteInterval(log, start, start + MillisPerInterval, CreateHistogram(10 * i), i == 2 ? "p1" : null);
        }

        yield return Encoding.ASCII.GetBytes(log.ToString());
    }

    private static LongHistogram CreateHistogram(int values)
    {
        LongHistogram histogram = new(1, 1_000_000, 2, LatencyUnit.Microseconds);
        for (int i = 1; i <= values; i++)
            histogram.RecordValue(i * i);
        return histogram;
    }
}
