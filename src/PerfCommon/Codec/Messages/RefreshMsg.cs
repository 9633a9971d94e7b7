namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Refresh message.</summary>
public static class RefreshFlags // wire/rwf 2.9
{
    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0010;

    /// <summary>Answers a request.</summary>
    public const int Solicited = 0x0020;

    /// <summary>Last part of the image.</summary>
    public const int RefreshComplete = 0x0040;

    /// <summary>Carries the qos.</summary>
    public const int HasQos = 0x0080;

    /// <summary>Cached data is void.</summary>
    public const int ClearCache = 0x0100;

    /// <summary>Not to be cached.</summary>
    public const int DoNotCache = 0x0200;

    /// <summary>Stream is private.</summary>
    public const int PrivateStream = 0x0400;

    /// <summary>Carries the post user info.</summary>
    public const int HasPostUserInfo = 0x0800;

    /// <summary>Carries the part num.</summary>
    public const int HasPartNum = 0x1000;

    /// <summary>A second key follows the last member.</summary>
    public const int HasReqMsgKey = 0x2000;

    /// <summary>Stream is qualified.</summary>
    public const int QualifiedStream = 0x4000;

    /// <summary>What the header of this class carries, and by which flag.</summary>
    internal static HeaderBits Members => new( // wire/rwf 2.2
        SeqNum: HasSeqNum,
        State: HeaderBits.Always,
        GroupId: HeaderBits.Always,
        PermData: HasPermData,
        Qos: HasQos,
        Key: HasMsgKey,
        PostUserInfo: HasPostUserInfo,
        PartNum: HasPartNum,
        SecondKey: HasReqMsgKey);
}
