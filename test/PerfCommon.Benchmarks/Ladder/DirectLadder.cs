using System.Globalization;
using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Measures provider to consumer with 100,000 items: images, updates and their latency.</summary>
internal sealed class DirectLadder(RunPool runs, MachineLimits limits, bool quick)
{
    private const int Items = 100_000;
    private const int FirstRate = 2_000_000;
    private const int UsualRate = 100_000;
    private const int Pack = 30;
    private const int FrameHeaderBytes = 3;
    private const int PackLengthBytes = 2;

    // The updates are sent in turn.
    private static readonly double UpdateBytes = Enumerable.Range(0,
        Samples.Messages.Updates.Count).Average(i => Samples.CreateUpdate(i).Length);

    public IReadOnlyList<LadderStep> Steps =>
    [
        new("direct, highest rate", what => Highest(what, pack: 1, UpdateBytes + FrameHeaderBytes)),
        new($"direct, highest rate, pack {Pack}", what => Highest(what, Pack, UpdateBytes + PackLengthBytes)),
        new("direct, latency at 100,000/s", what => AtUsualRate(what, run => run.LatencyCell())),
        new("direct, images of 100,000 items", what => AtUsualRate(what, run => Invariant($"{run.Images?.Seconds:F3} s"))),
    ];

    private LadderRow Highest(string what, int pack, double bytes)
    {
        RateSearch search = new RateSearch(
            rate => runs.Run(Arguments(rate, pack)), rate => runs.RunForFigures(Arguments(rate, pack)), IsKept, quick).Find(FirstRate);
        return search.Best is { } best
            ? new(what, Invariant($"{best.Rate:N0}/s"), limits.Share(best.Rate * bytes), best.CostCell(), best.StateCell(), search.Note)
            : new(what, "none", Note: search.Note);
    }

    private LadderRow AtUsualRate(string what, Func<RunReport, string> figure)
    {
        RunReport run = runs.RunForFigures(Arguments(UsualRate, pack: 1));
        if (!IsKept(run))
            run = runs.RunForFigures(Arguments(UsualRate, pack: 1)); // one failure decides nothing
        return new(what, figure(run), Cost: run.CostCell(), State: run.StateCell(), Note: IsKept(run) ? "" : run.Reason);
    }

    private static bool IsKept(RunReport report) => report.IsOk && report.Images?.Count == Items;

    private static string[] Arguments(int rate, int pack) =>
        ["direct", "--rate", Invariant($"{rate}"), "--items", Invariant($"{Items}"), "--pack", Invariant($"{pack}")];

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
