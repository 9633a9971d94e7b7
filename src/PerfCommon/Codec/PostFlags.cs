namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a Post message.</summary>
public static class PostFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the post id.</summary>
    public const int HasPostId = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0004;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0008;

    /// <summary>Last part of the post.</summary>
    public const int PostComplete = 0x0020;

    /// <summary>An acknowledgement is wanted.</summary>
    public const int Ack = 0x0040;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0080;

    /// <summary>Carries the part num.</summary>
    public const int HasPartNum = 0x0100;

    /// <summary>Carries the post user rights.</summary>
    public const int HasPostUserRights = 0x0200;
}
