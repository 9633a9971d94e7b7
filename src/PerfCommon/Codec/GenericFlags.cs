namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a Generic message.</summary>
internal static class GenericFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0004;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0008;

    /// <summary>Last part of the generic message.</summary>
    public const int MessageComplete = 0x0010;

    /// <summary>Carries the secondary seq num.</summary>
    public const int HasSecondarySeqNum = 0x0020;

    /// <summary>Carries the part num.</summary>
    public const int HasPartNum = 0x0040;

    /// <summary>A second key follows the last member; ignored by this codec, never written.</summary>
    public const int HasReqMsgKey = 0x0080;

    /// <summary>Stream opened by the provider.</summary>
    public const int ProviderDriven = 0x4000;
}
