using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>The format of a latency file: one line per stamped message.</summary>
internal sealed record LatencyFormat(string Header, Func<LatencyRecord, FormattableString> Line)
{
    /// <summary>TransportPerf's format, nanoseconds throughout.</summary>
    public static LatencyFormat Transport { get; } = new(
        "Send Time, Receive Time, Latency(nsec)", record => $"{record.SentAt}, {record.ReceivedAt}, {LatencyOf(record)}");

    // the words of the first column
    private static readonly string[] KindNames = ["Upd", "Pst", "Gen"];

    /// <summary>Returns the format of ConsPerf and ProvPerf.</summary>
    /// <param name="unit">Unit of the stamps; latencies in nanoseconds are printed as microseconds with three decimals.</param>
    public static LatencyFormat Of(LatencyUnit unit) => new(
        "Message type, Send time, Receive time, Latency (usec)",
        unit == LatencyUnit.Nanoseconds
            ? record => $"{NameOf(record.Kind)}, {record.SentAt}, {record.ReceivedAt}, {LatencyOf(record) / 1000.0:F3}"
            : record => $"{NameOf(record.Kind)}, {record.SentAt}, {record.ReceivedAt}, {LatencyOf(record)}");

    public void WriteHeader(TextWriter writer) => writer.Line($"{Header}");

    /// <summary>Writes and removes the records of the ring, the oldest first; at most as many records as the ring can hold.</summary>
    public void WriteRows(TextWriter writer, RecordRing<LatencyRecord> records)
    {
        for (int i = 0; i < records.Capacity && records.TryRead(out LatencyRecord record); i++)
            writer.Line(Line(record));
    }

    private static string NameOf(StampedKind kind) => KindNames[(int)kind];

    private static long LatencyOf(LatencyRecord record) => record.ReceivedAt - record.SentAt;
}
