namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Refresh message.</summary>
public static class RefreshFlags // wire/rwf 2.9
{
    /// <summary>The message carries permission data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>The message carries a key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>The message carries a sequence number.</summary>
    public const int HasSeqNum = 0x0010;

    /// <summary>The refresh answers a request.</summary>
    public const int Solicited = 0x0020;

    /// <summary>The refresh is the last part of the image.</summary>
    public const int RefreshComplete = 0x0040;

    /// <summary>The message carries a quality of service.</summary>
    public const int HasQos = 0x0080;

    /// <summary>Cached data is invalid and must be cleared.</summary>
    public const int ClearCache = 0x0100;

    /// <summary>The message must not be cached.</summary>
    public const int DoNotCache = 0x0200;

    /// <summary>The stream is private.</summary>
    public const int PrivateStream = 0x0400;

    /// <summary>The message carries the posting user.</summary>
    public const int HasPostUserInfo = 0x0800;

    /// <summary>The message carries a part number.</summary>
    public const int HasPartNum = 0x1000;

    /// <summary>A second key follows the last member.</summary>
    public const int HasReqMsgKey = 0x2000;

    /// <summary>The stream is qualified.</summary>
    public const int QualifiedStream = 0x4000;

    /// <summary>Members of the header of this class, each with its flag.</summary>
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
