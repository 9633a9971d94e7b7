using System.Globalization;
using PerfTools.Search;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>TransportPerf with messages of 76 bytes: rates, latency, reflection, compression, encryption.</summary>
internal sealed class TransportLadder(RunPool runs, MachineLimits limits, bool quick)
{
    private const int FirstRate = 4_000_000;
    private const int FirstCompressedRate = 1_000_000;
    private const int UsualRate = 100_000;
    private const int SlowRate = 1_000;

    // A TLS record holds 16 KB: both sides of the comparison write as much.
    private static readonly string[] RecordSizedWrites = ["--server", "-highWaterMark 16384"];

    public IEnumerable<LadderRow> Climb()
    {
        yield return Highest("transport, highest rate", FirstRate);
        yield return Highest("transport, highest rate, pack 10", FirstRate, "--pack", "10");
        yield return Highest("transport, highest rate, pack 50", FirstRate, "--pack", "50");
        yield return Highest("transport, highest rate, zlib, pack 50", FirstCompressedRate, "--pack", "50", "--compression", "zlib");
        yield return Highest("transport, highest rate, lz4, pack 50", FirstCompressedRate, "--pack", "50", "--compression", "lz4");
        RateSearch plain = Search(FirstRate, RecordSizedWrites);
        yield return Describe("transport, highest rate, 16 KB writes", plain);
        RateSearch tls = Search(FirstRate, [.. RecordSizedWrites, "--connection", "encrypted"]);
        yield return Describe("transport, highest rate, 16 KB writes, TLS", tls, PartOf(plain, tls));
        yield return Latency("transport, latency at 100,000/s", isRound: false, "transport", UsualRate);
        yield return Latency("reflection at 1,000/s", isRound: true, "reflect", SlowRate);
        yield return Latency("reflection at 1,000/s, busy", isRound: true, "reflect", SlowRate, "--server", "-busyRead", "--client", "-busyRead");
        yield return Latency("reflection at 100,000/s", isRound: true, "reflect", UsualRate);
        yield return Latency("reflection at 100,000/s, busy", isRound: true, "reflect", UsualRate, "--server", "-busyRead", "--client", "-busyRead");
    }

    private LadderRow Highest(string what, int firstRate, params string[] options) => Describe(what, Search(firstRate, options));

    private RateSearch Search(int firstRate, string[] options) =>
        new RateSearch(rate => Run("transport", rate, options), report => report.IsOk, quick).Find(firstRate);

    private LadderRow Describe(string what, RateSearch search, string remark = "") => search.Best is { } best
        ? new LadderRow(
            what, Invariant($"{best.Rate:N0}/s"), limits.Share(best.Rate * best.WireBytes), best.CostCell(), search.Note + remark)
        : new LadderRow(what, "none", Note: search.Note);

    private static string PartOf(RateSearch plain, RateSearch tls) =>
        plain.Best is { } whole && tls.Best is { } part ? Invariant($", {part.Rate / whole.Rate:P0} of plain") : "";

    private LadderRow Latency(string what, bool isRound, string scenario, int rate, params string[] options)
    {
        RunReport report = Run(scenario, rate, options);
        string times = isRound ? limits.Times(report.Latency?.Average ?? 0) : "";
        return new LadderRow(what, report.LatencyCell(), times, report.CostCell(), report.IsOk ? "" : report.Reason);
    }

    private RunReport Run(string scenario, int rate, string[] options) => runs.Run([scenario, "--rate", Invariant($"{rate}"), .. options]);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
