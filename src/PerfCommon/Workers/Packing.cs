namespace PerfCommon.Workers;

/// <summary>Determines how messages share a buffer.</summary>
/// <param name="MaxCount">Maximum messages in one buffer; 1 does not pack.</param>
/// <param name="BufferBytes">Size of a packed buffer, the 2-byte length of each message included; at most M of the channel.</param>
internal readonly record struct Packing(int MaxCount, int BufferBytes)
{
    private const int PackedLengthBytes = 2;

    /// <summary>Each message in its own buffer.</summary>
    public static Packing None { get; } = new(1, 0);

    public bool IsOn => MaxCount > 1;

    /// <summary>True when a message is packed.</summary>
    public bool Holds(int maxBytes) => IsOn && maxBytes + PackedLengthBytes <= BufferBytes;
}
