using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>Adds rows that several tools have below the guide's: late and lost messages.</summary>
internal sealed partial class ReportTable
{
    /// <summary>Adds the lag with which the ticks started.</summary>
    public ReportRow SendLag() => Latency(Series.SendLag).Json("sendLag").Summary(LatencyFormats.LagLines)
        .Metric([.. LatencyCell.All.Select(cell => cell.Name == "p99" ? Threshold.SendLag : "")]);

    /// <summary>Adds the round trips on the login stream.</summary>
    public ReportRow RoundTrips(int line) => Latency(Series.RoundTrips).Json("roundTrips")
        .Console(line, LatencyFormats.Line("RTT(usec)")).Summary(LatencyFormats.Line("RTT(usec)"));

    /// <summary>Adds the time that encoding the stamped messages took.</summary>
    public ReportRow EncodingTimes(int line) => Latency(Series.Encoding).Json("encodingTime")
        .Console(line,
            LatencyFormats.ThousandthsLine("Message encode time (usec)")).Summary(
            LatencyFormats.ThousandthsLine("Message encode time (usec)"));

    /// <summary>Adds the time that decoding the updates took.</summary>
    public ReportRow DecodingTimes(int line) => Latency(Series.Decoding).Json("decodingTime")
        .Console(line,
            LatencyFormats.ThousandthsLine("Update decode time (usec)")).Summary(
            LatencyFormats.ThousandthsLine("Update decode time (usec)"));

    /// <summary>Adds the messages that were received and not used.</summary>
    public ReportRow MessagesDropped() => Loss("messagesDropped", "Messages dropped", Counter.MessagesDropped)
        .Metric(Threshold.Lost).OfConnections();

    /// <summary>Adds the sequence faults of updates with counts: updates that were missing, late, or repeated.</summary>
    public void Sequence()
    {
        Number(f => f[Counter.UpdatesSkipped] - f[Counter.UpdatesLate]).Json($"{Counts}.updatesMissing").IsSum()
            .LowerIsBetter()
            .Summary("Updates missing: {0}").When(Counter.UpdatesSkipped);
        Loss("outOfOrder", "Updates out of order", Counter.UpdatesOutOfOrder);
        Loss("updatesRepeated", "Updates repeated", Counter.UpdatesRepeated);
    }

    /// <summary>Adds the number of rows missing in the latency file.</summary>
    public ReportRow LatencyRecordsDropped() =>
        Loss("latencyRecordsDropped", "Latency file records dropped", Counter.LatencyRecordsDropped);

    /// <summary>Adds a count that the summary shows only when it is not 0.</summary>
    public ReportRow Loss(string jsonName, string summaryName, Counter counter) =>
        Count(jsonName, counter).Summary(summaryName + ": {0}").When(counter)
            .LowerIsBetter();

    /// <summary>Adds the bound of the sender's clock, below a latency that it corrects; nothing where none is configured.</summary>
    /// <param name="options">Where the clock is.</param>
    public void LatencyBound(ClockOptions options)
    {
        if (options.Peer is not null)
            Add(new ClockValue()).Summary("Latency bound: {0}");
    }

    /// <summary>Adds the sender's clock and the stamps that it did not correct; nothing where none is configured.</summary>
    /// <param name="options">Where the clock is.</param>
    /// <param name="line">The console line of the latency.</param>
    public void SenderClock(ClockOptions options, int line)
    {
        if (options.Peer is null)
            return;
        Add(new ClockValue()).Json("clock").Console(line, " {0}").Column(ReportColumn.Ours, "clockBoundMicros", "{1}")
            .Summary("Clock of {2}: offset {3:F6} s, drift {4:F2} ppm, min RTT {5:F1} us, exchanges {6}, lost {7}, segments {8}");
        Loss("belowZero", "Latencies below 0 within the bound of the clock", Counter.BelowZero).NeitherIsBetter();
        Loss("beyondBound", "Latencies below 0 beyond the bound of the clock", Counter.BeyondBound);
        Loss("uncorrected", "Stamps without latency: clock unknown", Counter.Uncorrected);
    }

    /// <summary>Adds the summary's warnings about latencies outside the range of the histograms, over every series.</summary>
    public void OutsideLatencies()
    {
        OutsideLatencies(f => f.NegativeCount, "Warning: {0} latencies were negative; the clocks of the two sides differ.");
        OutsideLatencies(f => f.OverflowCount,
            "Warning: {0} latencies were above 1 hour; no percentile shows them, and the clocks of the two sides probably differ.");
    }

    private void OutsideLatencies(Func<LatencyFigures, long> count, string warning) =>
        Number(f => Enum.GetValues<Series>().Sum(series => count(f[series])) is > 0 and long outside ? outside : null).Summary(warning);
}
