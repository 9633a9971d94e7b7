namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of an Ack message.</summary>
internal static class AckFlags // wire/rwf 2.9
{
    public const int HasText = 0x0002;
    public const int PrivateStream = 0x0004; // stream is private
    public const int HasSeqNum = 0x0008;
    public const int HasMsgKey = 0x0010;
    public const int HasNakCode = 0x0020;
    public const int QualifiedStream = 0x0040; // stream is qualified

    /// <summary>Members of the header of this class, each with its flag.</summary>
    public static HeaderBits Members => new( // wire/rwf 2.6
        AckId: HeaderBits.Always,
        NakCode: HasNakCode,
        Text: HasText,
        SeqNum: HasSeqNum,
        Key: HasMsgKey);
}

/// <summary>The reason why an acknowledgement is negative.</summary>
public enum NakCode : byte // wire/rwf 5
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Access denied.</summary>
    AccessDenied = 1,

    /// <summary>Denied by src.</summary>
    DeniedBySrc = 2,

    /// <summary>Source down.</summary>
    SourceDown = 3,

    /// <summary>Source unknown.</summary>
    SourceUnknown = 4,

    /// <summary>No resources.</summary>
    NoResources = 5,

    /// <summary>No response.</summary>
    NoResponse = 6,

    /// <summary>Gateway down.</summary>
    GatewayDown = 7,

    /// <summary>Symbol unknown.</summary>
    SymbolUnknown = 10,

    /// <summary>Not open.</summary>
    NotOpen = 11,

    /// <summary>Invalid content.</summary>
    InvalidContent = 12,
}
