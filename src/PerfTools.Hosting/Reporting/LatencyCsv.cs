using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>The latency files: one line per stamped message.</summary>
internal static class LatencyCsv
{
    /// <summary>Name of updates in the first column.</summary>
    public const string Updates = "Upd";

    /// <summary>Name of posts in the first column.</summary>
    public const string Posts = "Pst";

    /// <summary>Name of generic messages in the first column.</summary>
    public const string GenericMessages = "Gen";

    /// <summary>Writes the header of ConsPerf's and ProvPerf's files.</summary>
    public static void WriteHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"Message type, Send time, Receive time, Latency (usec)");
    }

    /// <summary>Writes the header of TransportPerf's files.</summary>
    public static void WriteTransportHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Line($"Send Time, Receive Time, Latency(nsec)");
    }

    /// <summary>Writes what the ring holds, each record a line of one kind; the oldest first.</summary>
    /// <param name="writer">The file.</param>
    /// <param name="kind"><see cref="Updates"/>, <see cref="Posts"/> or <see cref="GenericMessages"/>.</param>
    /// <param name="records">Emptied up to what it held when it was full once.</param>
    /// <param name="unit">Unit of the stamps; latencies in nanoseconds are printed as microseconds with three decimals.</param>
    public static void WriteRows(TextWriter writer, string kind, RecordRing<LatencyRecord> records, LatencyUnit unit = LatencyUnit.Microseconds)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(records);
        for (int i = 0; i < records.Capacity && records.TryRead(out LatencyRecord record); i++)
        {
            long latency = record.ReceivedAt - record.SentAt;
            if (unit == LatencyUnit.Nanoseconds)
                writer.Line($"{kind}, {record.SentAt}, {record.ReceivedAt}, {latency / 1000.0:F3}");
            else
                writer.Line($"{kind}, {record.SentAt}, {record.ReceivedAt}, {latency}");
        }
    }

    /// <summary>Writes what the ring holds in TransportPerf's form, nanoseconds throughout.</summary>
    public static void WriteTransportRows(TextWriter writer, RecordRing<LatencyRecord> records)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(records);
        for (int i = 0; i < records.Capacity && records.TryRead(out LatencyRecord record); i++)
            writer.Line($"{record.SentAt}, {record.ReceivedAt}, {record.ReceivedAt - record.SentAt}");
    }
}
