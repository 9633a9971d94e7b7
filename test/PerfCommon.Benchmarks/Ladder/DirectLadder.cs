using System.Globalization;
using PerfTools.Search;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Provider to consumer with 100,000 items: images, updates and their latency.</summary>
internal sealed class DirectLadder(RunPool runs, MachineLimits limits, bool quick)
{
    private const int Items = 100_000;
    private const int FirstRate = 1_000_000;
    private const int UsualRate = 100_000;
    private const int Pack = 30;
    private const int FrameHeaderBytes = 3;
    private const int PackLengthBytes = 2;

    // The updates are sent in turn.
    private static readonly double UpdateBytes = Enumerable.Range(0, Samples.Messages.Updates.Count).Average(i => Samples.CreateUpdate(i).Length);

    public IEnumerable<LadderRow> Climb()
    {
        yield return Highest("direct, highest rate", pack: 1, UpdateBytes + FrameHeaderBytes);
        yield return Highest($"direct, highest rate, pack {Pack}", Pack, UpdateBytes + PackLengthBytes);
        RunReport usual = Run(UsualRate, pack: 1);
        string note = IsKept(usual) ? "" : usual.Reason;
        yield return new LadderRow("direct, latency at 100,000/s", usual.LatencyCell(), Cost: usual.CostCell(), Note: note);
        yield return new LadderRow("direct, images of 100,000 items", Invariant($"{usual.Images?.Seconds ?? 0:F3} s"), Note: note);
    }

    private LadderRow Highest(string what, int pack, double bytes)
    {
        RateSearch search = new RateSearch(rate => Run(rate, pack), IsKept, quick).Find(FirstRate);
        return search.Best is { } best
            ? new LadderRow(what, Invariant($"{best.Rate:N0}/s"), limits.Share(best.Rate * bytes), best.CostCell(), search.Note)
            : new LadderRow(what, "none", Note: search.Note);
    }

    private static bool IsKept(RunReport report) => report.IsOk && report.Images?.Count == Items;

    private RunReport Run(int rate, int pack) => runs.Run("direct", "--rate", Invariant($"{rate}"), "--items", Invariant($"{Items}"), "--pack", Invariant($"{pack}"));

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
