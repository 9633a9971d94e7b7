using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>Adds the rows about generic messages, which are alike in every tool that has them.</summary>
/// <param name="table">The tool's table.</param>
/// <param name="firstColumn">The guide's number of the first of their eight columns.</param>
/// <param name="consoleLine">Number of the console line for their counts.</param>
/// <param name="isSent">True with <c>-genericMsgRate</c> above 0.</param>
/// <param name="isStamped">True with <c>-genericMsgLatencyRate</c> above 0.</param>
internal sealed class GenericRows(ReportTable table, int firstColumn, int consoleLine, bool isSent, bool isStamped)
{
    public void Latency(int line) => table.Latency(Series.Generic).Json("genericLatency")
        .Columns(firstColumn + 4, LatencyFormats.GuideColumns("GenMsg Latency")).Console(line, LatencyFormats.Line("GenMsgLat(usec)"))
        .Summary(LatencyFormats.SummaryLines("GenMsg latency")).WithoutValue("No GenMsg latency information was received.")
        .Metric([.. LatencyCell.All.Select(cell => cell.Name)]);

    /// <summary>Adds the numbers sent and received.</summary>
    public void Counts()
    {
        table.Count("genericSent", Counter.GenericSent).Column(firstColumn, "GenMsgs sent")
            .Console(consoleLine, "GenMsgs: sent {0}").Summary("GenMsgs sent: {0}").When(isSent);
        table.Count("genericReceived", Counter.GenericReceived).Column(firstColumn + 2, "GenMsgs received")
            .Console(consoleLine, ", received {0}").Summary("GenMsgs received: {0}").When(Counter.GenericReceived);
        table.Count("genericLatenciesSent", Counter.GenericStampsSent).Column(firstColumn + 1, "GenMsg Latencies sent")
            .Console(consoleLine, ", latencies sent {0}").Summary("GenMsg latencies sent: {0}").When(isStamped);
        table.Count("genericLatenciesReceived", Counter.GenericStampsReceived).Column(firstColumn + 3, "GenMsg Latencies received")
            .Console(consoleLine, ", latencies received {0}").Summary("GenMsg latencies received: {0}").When(Counter.GenericStampsReceived);
    }

    /// <summary>Adds the rates of the times of sending and receiving, in the summary.</summary>
    public void Rates(Func<Figures, double> sendingSeconds, Func<Figures, double> receivingSeconds, string format)
    {
        table.RunRate(Counter.GenericSent, sendingSeconds).Summary("Avg GenMsg send rate: " + format).When(isSent);
        table.Number(f => InvariantText.PerSecond(f[Counter.GenericReceived] - f[Counter.DrainedGeneric], receivingSeconds(f)))
            .Summary("Avg GenMsg receive rate: " + format).When(Counter.GenericReceived);
        table.RunRate(Counter.GenericStampsSent, sendingSeconds).Summary("Avg GenMsg latency send rate: " + format).When(isStamped);
        table.RunRate(Counter.GenericStampsReceived, receivingSeconds)
            .Summary("Avg GenMsg latency receive rate: " + format).When(Counter.GenericStampsReceived);
    }

    /// <summary>Adds the number received after the end of measuring: received, but in no rate.</summary>
    public void Drained() => table.Loss("drainedGeneric", "GenMsgs received after the end", Counter.DrainedGeneric).NeitherIsBetter();

    /// <summary>Adds the number that were due and never sent.</summary>
    public void NotSent(int line) => table.Count("genericNotSent", Counter.GenericNotSent).LowerIsBetter()
        .Console(line, "- {0} GenMsgs not sent due to lack of output buffers.").Summary("GenMsgs not sent: {0}").When(isSent).OfConnections();
}
