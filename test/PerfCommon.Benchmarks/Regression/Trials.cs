using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Begins trials, each with arrays at other addresses: a case of few nanoseconds must not fail because of an address.</summary>
internal sealed class Trials
{
    private const int LineBytes = 64;
    private const int Lines = 64; // of a page
    private const int Stride = 37; // has no divisor in common with the lines: successive steps reach all of them
    private const int LargeBytes = 100_000; // in the heap of large objects

    private readonly ReferenceLoop _reference = new();
    private readonly List<byte[]> _kept = [];
    private int _turn;

    /// <summary>Creates the case anew, some cache lines further in both heaps.</summary>
    public RatioRounds Begin(HotCase what)
    {
        int bytes = ++_turn * Stride % Lines * LineBytes;
        _kept.Add(new byte[bytes]);
        _kept.Add(new byte[LargeBytes + bytes]);
        return new RatioRounds(_reference.Run, what.Create());
    }
}
