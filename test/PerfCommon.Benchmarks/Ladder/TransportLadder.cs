using System.Globalization;
using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Measures TransportPerf with messages of 76 bytes: rates, latency, reflection, compression, encryption.</summary>
internal sealed class TransportLadder(RunPool runs, MachineLimits limits, bool quick)
{
    private const int FirstRate = 4_000_000;
    private const int FirstCompressedRate = 1_000_000;
    private const int UsualRate = 100_000;
    private const int SlowRate = 1_000;
    private const int LatencyRuns = 3;
    private static readonly string[] BusyReads = ["--server", "-busyRead", "--client", "-busyRead"];

    private double? _plainRate; // once it was measured

    public IReadOnlyList<LadderStep> Steps =>
    [
        new("transport, highest rate", what => Plain(what)),
        new("transport, highest rate, pack 10", what => Highest(what, FirstRate, "--pack", "10")),
        new("transport, highest rate, pack 50", what => Highest(what, FirstRate, "--pack", "50")),
        new("transport, highest rate, zlib, pack 50", what => Highest(what, FirstCompressedRate, "--pack", "50", "--compression", "zlib")),
        new("transport, highest rate, lz4, pack 50", what => Highest(what, FirstCompressedRate, "--pack", "50", "--compression", "lz4")),
        new("transport, highest rate, TLS", what => Encrypted(what)),
        new("transport, latency at 100,000/s", what => Latency(what, isRound: false, "transport", UsualRate)),
        new("reflection at 1,000/s", what => Latency(what, isRound: true, "reflect", SlowRate)),
        new("reflection at 1,000/s, busy", what => Latency(what, isRound: true, "reflect", SlowRate, BusyReads)),
        new("reflection at 100,000/s", what => Latency(what, isRound: true, "reflect", UsualRate)),
        new("reflection at 100,000/s, busy", what => Latency(what, isRound: true, "reflect", UsualRate, BusyReads)),
    ];

    private LadderRow Highest(string what, int firstRate, params string[] options) => Describe(what, Search(firstRate, options));

    private LadderRow Plain(string what)
    {
        RateSearch search = Search(FirstRate, []);
        _plainRate = search.Best?.Rate;
        return Describe(what, search);
    }

    private LadderRow Encrypted(string what)
    {
        RateSearch search = Search(FirstRate, ["--connection", "encrypted"]);
        return Describe(what, search, search.Best?.Rate / _plainRate is { } part ? Invariant($", {part:P0} of plain") : "");
    }

    private RateSearch Search(int firstRate, string[] options) => new RateSearch(
        rate => runs.Run(Arguments("transport", rate, options)),
        rate => runs.RunForFigures(Arguments("transport", rate, options)), report => report.IsOk, quick).Find(firstRate);

    private LadderRow Describe(string what, RateSearch search, string remark = "") => search.Best is { } best
        ? new(what, Invariant($"{best.Rate:N0}/s"), limits.Share(best.Rate * best.WireBytes), best.CostCell(), best.StateCell(),
            search.Note + remark)
        : new(what, "none", Note: search.Note);

    // The median run of several: one that failed or was stalled decides nothing.
    private LadderRow Latency(string what, bool isRound, string scenario, int rate, params string[] options)
    {
        string[] arguments = Arguments(scenario, rate, options);
        RunReport[] all = [.. Enumerable.Range(0, quick ? 1 : LatencyRuns).Select(_ => runs.RunForFigures(arguments))];
        RunReport[] good = [.. all.Where(run => run.IsOk).OrderBy(run => run.Window?.Client.P50Micros)];
        if (good.Length == 0)
            return new(what, "none", Note: all[^1].Reason);
        RunReport middle = good[good.Length / 2];
        string times = isRound && middle.Window?.Client.P50Micros is { } micros ? limits.Times(micros) : "";
        return new(what, middle.LatencyCell(), times, middle.CostCell(), middle.StateCell(), Invariant($"median of {good.Length} runs"));
    }

    private static string[] Arguments(string scenario, int rate, string[] options) =>
        [scenario, "--rate", Invariant($"{rate}"), .. options];

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
