namespace PerfHub.FanOut;

/// <summary>The bytes of delivered messages.</summary>
/// <param name="run">The bytes of the batch.</param>
/// <param name="kept">The kept updates.</param>
internal readonly ref struct MessageBytes(byte[] run, PendingUpdates kept)
{
    /// <summary>Returns the bytes of one message.</summary>
    public ReadOnlySpan<byte> Of(in Delivery delivery) =>
        delivery.IsKept ? kept.Bytes.AsSpan(kept.PlaceOf(delivery.At), delivery.Length) : run.AsSpan(delivery.At, delivery.Length);
}
