namespace PerfHub.FanOut;

/// <summary>The bytes of messages that are handed over.</summary>
/// <param name="run">Those of the run.</param>
/// <param name="kept">Those that were kept.</param>
internal readonly ref struct MessageBytes(byte[] run, KeptUpdates kept)
{
    /// <summary>Those of one message.</summary>
    public ReadOnlySpan<byte> Of(in Delivery delivery) =>
        delivery.IsKept ? kept.Bytes.AsSpan(kept.PlaceOf(delivery.At), delivery.Length) : run.AsSpan(delivery.At, delivery.Length);
}
