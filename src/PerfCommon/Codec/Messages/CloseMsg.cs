namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Close message; its header has no further member.</summary>
internal static class CloseFlags // wire/rwf 2.9
{
    public const int Ack = 0x0002; // an acknowledgement is requested
    public const int HasBatch = 0x0004; // payload lists streams
}
