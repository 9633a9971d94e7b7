namespace PerfCommon.Measurement;

/// <summary>One latency sample as a line of the latency file.</summary>
/// <param name="SentAt">The stamp that came with the message, in the unit of the stamps.</param>
/// <param name="ReceivedAt">The receiver's stamp after decoding, in the same unit.</param>
internal readonly record struct LatencyRecord(long SentAt, long ReceivedAt);
