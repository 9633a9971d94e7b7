namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a Update message.</summary>
public static class UpdateFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0010;

    /// <summary>Carries the conf info.</summary>
    public const int HasConfInfo = 0x0020;

    /// <summary>Not to be cached.</summary>
    public const int DoNotCache = 0x0040;

    /// <summary>Not to be conflated.</summary>
    public const int DoNotConflate = 0x0080;

    /// <summary>Fields do not ripple.</summary>
    public const int DoNotRipple = 0x0100;

    /// <summary>Carries the post user info.</summary>
    public const int HasPostUserInfo = 0x0200;

    /// <summary>May be dropped.</summary>
    public const int Discardable = 0x0400;
}
