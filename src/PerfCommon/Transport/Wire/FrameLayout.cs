namespace PerfCommon.Transport;

/// <summary>Constants of a frame header: length u16, flags u8, then the body, or extended flags u8 and the members they announce.</summary>
internal static class FrameLayout
{
    public const int HeaderBytes = 3; // wire/transport 2.1
    public const int PackedLengthBytes = 2; // wire/transport 3

    public const byte ExtendedFlag = 0x01; // wire/transport 2.1
    public const byte DataFlag = 0x02; // wire/transport 2.1
    public const byte CompressedFlag = 0x04; // wire/transport 2.1
    public const byte CompressedPartFlag = 0x08; // wire/transport 5.4
    public const byte PackedFlag = 0x10; // wire/transport 2.1

    /// <summary>Flags that have a meaning in a frame; the others are ignored.</summary>
    public const byte KnownFlags = ExtendedFlag | DataFlag | CompressedFlag | CompressedPartFlag | PackedFlag; // wire/transport 2.1

    public const byte ContinuationFragment = 0x04; // wire/transport 4
    public const byte FirstFragment = 0x08; // wire/transport 4

    private const int LargestCheckedFrame = 63_335; // wire/transport 2.1

    // wire/transport 4
    public static int FragmentHeaderBytes(bool isFirst, int fragmentIdBytes) => HeaderBytes + 1 + (isFirst ? 4 : 0) + fragmentIdBytes;

    /// <summary>Returns the largest frame that is accepted.</summary>
    // wire/transport 2.1
    public static int LargestFrame(int maxMessageBytes) =>
        maxMessageBytes + HeaderBytes > LargestCheckedFrame ? ushort.MaxValue : maxMessageBytes + HeaderBytes;

    /// <summary>Returns the largest body of a frame that we send.</summary>
    public static int LargestBody(int maxMessageBytes) => Math.Min(maxMessageBytes, ushort.MaxValue - HeaderBytes); // wire/transport 2.1
}

/// <summary>Content of the extended header of a frame.</summary>
/// <param name="Kind"><see cref="FrameLayout.FirstFragment"/>, <see cref="FrameLayout.ContinuationFragment"/>, or 0 for no
/// fragment.</param>
/// <param name="Id">Id of the message to which it belongs.</param>
/// <param name="TotalBytes">Length of the whole message; first fragments only.</param>
internal readonly record struct Fragment(int Kind, int Id, uint TotalBytes);
