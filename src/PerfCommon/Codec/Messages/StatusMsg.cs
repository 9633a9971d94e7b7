namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Status message.</summary>
internal static class StatusFlags // wire/rwf 2.9
{
    public const int HasPermData = 0x0002;
    public const int HasMsgKey = 0x0008;
    public const int HasGroupId = 0x0010;
    public const int HasState = 0x0020;
    public const int ClearCache = 0x0040; // cached data is invalid
    public const int PrivateStream = 0x0080; // stream is private
    public const int HasPostUserInfo = 0x0100;
    public const int HasReqMsgKey = 0x0200; // a second key follows the last member
    public const int QualifiedStream = 0x0400; // stream is qualified

    /// <summary>Members of the header of this class, each with its flag.</summary>
    public static HeaderBits Members => new( // wire/rwf 2.3
        State: HasState,
        GroupId: HasGroupId,
        PermData: HasPermData,
        Key: HasMsgKey,
        PostUserInfo: HasPostUserInfo,
        SecondKey: HasReqMsgKey);
}
