namespace PerfCommon.Codec;

/// <summary>First bytes that announce a longer form of a length or number, and the maximum of each form.</summary>
internal static class LengthMark
{
    /// <summary>Lowest first byte of an rb15 of two bytes, of which it is the high half.</summary>
    public const byte TwoByteRb15 = 0x80; // wire/rwf 1

    /// <summary>First byte of a u16ob that is followed by the number in two bytes; smaller ones are the number.</summary>
    public const byte TwoMoreBytes = 0xFE; // wire/rwf 1

    public const int MaxBuf8 = byte.MaxValue; // wire/rwf 9.2

    public const int MaxRb15 = 0x7FFF; // wire/rwf 9.2

    public const int MaxU16ob = ushort.MaxValue; // wire/rwf 9.2

    public const int MaxRb30 = 0x3FFFFFFF; // wire/rwf 9.2
}
