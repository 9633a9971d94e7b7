namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Post message.</summary>
internal static class PostFlags // wire/rwf 2.9
{
    public const int HasPostId = 0x0002;
    public const int HasMsgKey = 0x0004;
    public const int HasSeqNum = 0x0008;
    public const int PostComplete = 0x0020; // last part of the post
    public const int Ack = 0x0040; // an acknowledgement is requested
    public const int HasPermData = 0x0080;
    public const int HasPartNum = 0x0100;
    public const int HasPostUserRights = 0x0200;

    /// <summary>Members of the header of this class, each with its flag.</summary>
    public static HeaderBits Members => new( // wire/rwf 2.8
        Poster: HeaderBits.Always,
        SeqNum: HasSeqNum,
        PostId: HasPostId,
        PermData: HasPermData,
        Key: HasMsgKey,
        PartNum: HasPartNum,
        PostUserRights: HasPostUserRights);
}

/// <summary>Rights of a posting user.</summary>
internal static class PostUserRights // wire/rwf 5
{
    public const int None = 0; // nothing
    public const int Create = 1; // may create records
    public const int Delete = 2; // may delete records
    public const int ModifyPerm = 4; // may change permission data
}
