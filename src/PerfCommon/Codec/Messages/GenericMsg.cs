namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Generic message.</summary>
internal static class GenericFlags // wire/rwf 2.9
{
    public const int HasPermData = 0x0002;
    public const int HasMsgKey = 0x0004;
    public const int HasSeqNum = 0x0008;
    public const int MessageComplete = 0x0010; // last part of the generic message
    public const int HasSecondarySeqNum = 0x0020;
    public const int HasPartNum = 0x0040;
    public const int HasReqMsgKey = 0x0080; // a second key follows the last member
    public const int ProviderDriven = 0x4000; // stream opened by the provider

    /// <summary>Members of the header of this class, each with its flag.</summary>
    public static HeaderBits Members => new( // wire/rwf 2.7
        SeqNum: HasSeqNum,
        SecondarySeqNum: HasSecondarySeqNum,
        PermData: HasPermData,
        Key: HasMsgKey,
        PartNum: HasPartNum,
        SecondKey: HasReqMsgKey);
}
