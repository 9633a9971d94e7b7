namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a Status message.</summary>
internal static class StatusFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>Carries the group id.</summary>
    public const int HasGroupId = 0x0010;

    /// <summary>Carries the state.</summary>
    public const int HasState = 0x0020;

    /// <summary>Cached data is void.</summary>
    public const int ClearCache = 0x0040;

    /// <summary>Stream is private.</summary>
    public const int PrivateStream = 0x0080;

    /// <summary>Carries the post user info.</summary>
    public const int HasPostUserInfo = 0x0100;

    /// <summary>A second key follows the last member; ignored by this codec, never written.</summary>
    public const int HasReqMsgKey = 0x0200;

    /// <summary>Stream is qualified.</summary>
    public const int QualifiedStream = 0x0400;
}
