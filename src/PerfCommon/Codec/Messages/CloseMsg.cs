namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Close message.</summary>
internal static class CloseFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>An acknowledgement is wanted.</summary>
    public const int Ack = 0x0002;

    /// <summary>Payload lists items of a batch.</summary>
    public const int HasBatch = 0x0004;
}
