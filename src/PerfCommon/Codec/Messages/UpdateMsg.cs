namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of an Update message.</summary>
internal static class UpdateFlags // wire/rwf 2.9
{
    public const int HasPermData = 0x0002;
    public const int HasMsgKey = 0x0008;
    public const int HasSeqNum = 0x0010;
    public const int HasConfInfo = 0x0020;
    public const int DoNotCache = 0x0040; // not to be cached
    public const int DoNotConflate = 0x0080; // not to be conflated
    public const int DoNotRipple = 0x0100; // field values must not be rippled
    public const int HasPostUserInfo = 0x0200;
    public const int Discardable = 0x0400; // may be discarded

    /// <summary>Members of the header of this class, each with its flag.</summary>
    public static HeaderBits Members => new( // wire/rwf 2.4
        UpdateType: HeaderBits.Always,
        SeqNum: HasSeqNum,
        ConfInfo: HasConfInfo,
        PermData: HasPermData,
        Key: HasMsgKey,
        PostUserInfo: HasPostUserInfo);
}

/// <summary>Kind of an update.</summary>
public enum UpdateType : byte // wire/rwf 5
{
    /// <summary>Unspecified.</summary>
    Unspecified = 0,

    /// <summary>Quote.</summary>
    Quote = 1,

    /// <summary>Trade.</summary>
    Trade = 2,

    /// <summary>News alert.</summary>
    NewsAlert = 3,

    /// <summary>Volume alert.</summary>
    VolumeAlert = 4,

    /// <summary>Order indication.</summary>
    OrderIndication = 5,

    /// <summary>Closing run.</summary>
    ClosingRun = 6,

    /// <summary>Correction.</summary>
    Correction = 7,

    /// <summary>Market digest.</summary>
    MarketDigest = 8,

    /// <summary>Quotes trade.</summary>
    QuotesTrade = 9,

    /// <summary>Multiple.</summary>
    Multiple = 10,

    /// <summary>Verify.</summary>
    Verify = 11,
}
