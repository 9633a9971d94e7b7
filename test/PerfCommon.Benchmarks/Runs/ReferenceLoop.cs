using PerfCommon.Measurement;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Measures the current speed of a core by independent loads and additions over 4 KB, bound by throughput.</summary>
/// <remarks>
/// A guest's core may share its units with another one's work. A chain of dependent operations does not slow down then; this loop slows
/// down as much as all other measured code.
/// </remarks>
internal sealed class ReferenceLoop
{
    private const int Bytes = 4096;
    private const int LoadsAtOnce = 8;
    private const int UsualPasses = 500;
    private const int UsualSlices = 200;

    private readonly ulong[] _words = [.. Enumerable.Range(1, Bytes / sizeof(ulong)).Select(i => (ulong)i)];

    /// <summary>The result of the additions, which the compiler must not remove.</summary>
    public ulong Sum { get; private set; }

    /// <summary>Runs the given number of passes over the 4 KB.</summary>
    public void Run(int passes)
    {
        (ulong a, ulong b, ulong c, ulong d, ulong e, ulong f, ulong g, ulong h) = (0, 0, 0, 0, 0, 0, 0, 0);
        for (int pass = 0; pass < passes; pass++)
        {
            ReadOnlySpan<ulong> rest = _words;
            while (rest.Length >= LoadsAtOnce)
            {
                a += rest[0];
                b += rest[1];
                c += rest[2];
                d += rest[3];
                e += rest[4];
                f += rest[5];
                g += rest[6];
                h += rest[7];
                rest = rest[LoadsAtOnce..];
            }
        }

        Sum += a + b + c + d + e + f + g + h;
    }

    /// <summary>Measures the speed of the core under this thread now; needs some 20 ms.</summary>
    /// <returns>The median time of one pass, in nanoseconds.</returns>
    public double MeasurePassNanos()
    {
        Run(UsualPasses);
        return MedianInterval.MedianOf(Enumerable.Range(0, UsualSlices).Select(_ => MeasureSlice() / UsualPasses))!.Value;
    }

    private double MeasureSlice()
    {
        long start = Clock.NowNanos;
        Run(UsualPasses);
        return Clock.NowNanos - start;
    }
}
