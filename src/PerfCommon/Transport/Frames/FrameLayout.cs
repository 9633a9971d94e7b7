namespace PerfCommon.Transport;

/// <summary>The numbers of a frame header: length u16, flags u8, then the body, or extended flags u8 and what they announce.</summary>
internal static class FrameLayout
{
    public const int HeaderBytes = 3;
    public const int PackedLengthBytes = 2;

    public const byte ExtendedFlag = 0x01;
    public const byte DataFlag = 0x02;
    public const byte CompressedFlag = 0x04;
    public const byte CompressedPartFlag = 0x08;
    public const byte PackedFlag = 0x10;

    /// <summary>Flags that mean something in a frame; the others are ignored.</summary>
    public const byte KnownFlags = ExtendedFlag | DataFlag | CompressedFlag | CompressedPartFlag | PackedFlag;

    public const byte ContinuationFragment = 0x04;
    public const byte FirstFragment = 0x08;

    /// <summary>M + 3 above this makes the reference accept frames of any length.</summary>
    private const int LargestCheckedFrame = 63_335;

    /// <summary>Header, extended flags, in a first fragment the total length u32, fragment id.</summary>
    public static int FragmentHeaderBytes(bool isFirst, int fragmentIdBytes) => HeaderBytes + 1 + (isFirst ? 4 : 0) + fragmentIdBytes;

    /// <summary>Largest frame that is accepted.</summary>
    public static int LargestFrame(int maxMessageBytes) =>
        maxMessageBytes + HeaderBytes > LargestCheckedFrame ? ushort.MaxValue : maxMessageBytes + HeaderBytes;

    /// <summary>Largest body of a frame that we send: a frame is at most M + 3 and 65,535 bytes long.</summary>
    public static int LargestBody(int maxMessageBytes) => Math.Min(maxMessageBytes, ushort.MaxValue - HeaderBytes);
}

/// <summary>What the extended header of a frame says.</summary>
/// <param name="Kind"><see cref="FrameLayout.FirstFragment"/>, <see cref="FrameLayout.ContinuationFragment"/>, or 0 for no fragment.</param>
/// <param name="Id">Which message it belongs to.</param>
/// <param name="TotalBytes">Length of the whole message; first fragments only.</param>
internal readonly record struct Fragment(int Kind, int Id, uint TotalBytes);
