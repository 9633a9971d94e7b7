namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a Ack message.</summary>
internal static class AckFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the text.</summary>
    public const int HasText = 0x0002;

    /// <summary>Stream is private.</summary>
    public const int PrivateStream = 0x0004;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0008;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0010;

    /// <summary>Carries the nak code.</summary>
    public const int HasNakCode = 0x0020;

    /// <summary>Stream is qualified.</summary>
    public const int QualifiedStream = 0x0040;
}
