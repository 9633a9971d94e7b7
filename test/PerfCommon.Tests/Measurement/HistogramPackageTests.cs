using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using HdrHistogram;
using PerfCommon.Measurement;
using Xunit;
using HistogramEncoding = PerfCommon.Measurement.HistogramEncoding;
using HistogramLogReader = PerfCommon.Measurement.HistogramLogReader;
using HistogramLogWriter = PerfCommon.Measurement.HistogramLogWriter;
using LongHistogram = PerfCommon.Measurement.LongHistogram;
using PackageHistogram = HdrHistogram.LongHistogram;
using PackageReader = HdrHistogram.HistogramLogReader;
using PackageWriter = HdrHistogram.HistogramLogWriter;

namespace PerfCommon.Tests.Measurement;

/// <summary>Compares with the package HdrHistogram: we read its output, it reads ours, and the figures are equal where its are correct.</summary>
public class HistogramPackageTests
{
    private const long StartMillis = 1_700_000_000_000;
    private const int HeaderBytes = 40;
    private const int CompressedHeaderBytes = 8;

    public static TheoryData<string> Samples => ["none", "one", "small", "latencies", "wide"];

    [Theory, MemberData(nameof(Samples))]
    public void Read_OfALogOfThePackage_GivesWhatItRecorded(string samples)
    {
        (LongHistogram ours, PackageHistogram theirs) = Record(samples);
        theirs.StartTimeStamp = StartMillis;
        theirs.EndTimeStamp = StartMillis + 1_000;
        using MemoryStream log = new();
        PackageWriter.Write(log, DateTimeOffset.FromUnixTimeMilliseconds(StartMillis).UtcDateTime, theirs);

        using MemoryStream copy = new(log.ToArray());
        HistogramLogInterval interval = Assert.Single(new HistogramLogReader(LatencyUnit.Microseconds).Read(copy));

        HistogramAssert.Same(ours, interval.Histogram);
        Assert.Equal((StartMillis, StartMillis + 1_000), (interval.StartMillis, interval.EndMillis));
    }

    [Theory, MemberData(nameof(Samples))]
    public void ReadHistograms_OfALogOfOurs_GivesWhatWeRecorded(string samples)
    {
        (LongHistogram ours, PackageHistogram theirs) = Record(samples);
        using StringWriter text = new();
        HistogramLogWriter.WriteHeader(text, StartMillis, LatencyUnit.Microseconds);
        HistogramLogWriter.WriteInterval(text, StartMillis, StartMillis + 1_000, ours);
        using MemoryStream log = new(Encoding.UTF8.GetBytes(text.ToString()));

        HistogramBase read = Assert.Single(new PackageReader(log).ReadHistograms());

        Assert.Equal((theirs.TotalCount, StartMillis), (read.TotalCount, read.StartTimeStamp));
        Assert.Equal(Counts(theirs), Counts(read));
    }

    [Theory, MemberData(nameof(Samples))]
    public void GetValueAtPercentile_WhereTheCountIsWhole_IsThePackages(string samples)
    {
        (LongHistogram ours, PackageHistogram theirs) = Record(samples);
        if (ours.TotalCount == 0)
            return; // the package throws
        Assert.Equal((theirs.TotalCount, theirs.GetMaxValue()), (ours.TotalCount, ours.GetMaxValue()));
        Assert.Equal(theirs.GetMean(), ours.GetMean(), 1e-9 * theirs.GetMean());
        foreach (double percentile in (double[])[10, 50, 75, 90, 99, 99.5, 100])
        {
            double wanted = percentile / 100 * ours.TotalCount;
            if (Math.Abs(wanted - Math.Round(wanted)) < 1e-9)
                Assert.Equal(theirs.GetValueAtPercentile(percentile), ours.GetValueAtPercentile(percentile));
        }
    }

    [Fact]
    public void Decompress_ZerosBehindThePayload_AreTakenUpToWhatTheCellsCanNeed()
    {
        (LongHistogram histogram, _) = Record("small");
        using MemoryStream plain = new();
        HistogramEncoding.WritePlain(plain, histogram);
        int most = HeaderBytes + (9 * histogram.Layout.Length);

        HistogramAssert.Same(histogram, HistogramEncoding.Decompress(Deflate(plain.ToArray(), most), LatencyUnit.Microseconds));
        Refuses(Deflate(plain.ToArray(), most + 1));
        foreach (int behind in (int[])[0, 1, 1_023, 1_024, 5_000])
        {
            byte[] bytes = [.. plain.ToArray(), .. new byte[behind], 1, 0];
            Refuses(Deflate(bytes, bytes.Length));
        }
    }

    private static void Refuses(byte[] compressed) =>
        Assert.Throws<HistogramFormatException>(() => HistogramEncoding.Decompress(compressed, LatencyUnit.Microseconds));

    private static byte[] Deflate(byte[] plain, int length)
    {
        using MemoryStream target = new();
        target.Write(stackalloc byte[CompressedHeaderBytes]);
        using (ZLibStream zlib = new(target, CompressionLevel.Fastest, leaveOpen: true))
        {
            zlib.Write(plain);
            zlib.Write(new byte[length - plain.Length]);
        }

        byte[] compressed = target.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(compressed, 0x1c849314);
        BinaryPrimitives.WriteInt32BigEndian(compressed.AsSpan(4), compressed.Length - CompressedHeaderBytes);
        return compressed;
    }

    private static Dictionary<long, long> Counts(HistogramBase histogram) =>
        histogram.RecordedValues().ToDictionary(value => value.ValueIteratedTo, value => value.CountAddedInThisIterationStep);

    private static (LongHistogram Ours, PackageHistogram Theirs) Record(string samples)
    {
        LongHistogram ours = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        PackageHistogram theirs = new(ours.Layout.Lowest, ours.Layout.Highest, ours.Layout.Digits);
        Random random = new(37);
        IEnumerable<long> values = samples switch
        {
            "none" => [],
            "one" => [4_711],
            "small" => Enumerable.Range(0, 1_000).Select(value => (long)value),
            "latencies" => Enumerable.Range(0, 20_000).Select(i => 20 + random.NextInt64(i % 100 == 0 ? 30_000 : 80)),
            _ => Enumerable.Range(0, 4_000).Select(i => random.NextInt64(1L << (i % 31))), // below 2.2e12 units, where its figures are correct
        };
        foreach (long value in values)
        {
            ours.RecordValue(value);
            theirs.RecordValue(value);
        }

        return (ours, theirs);
    }
}
