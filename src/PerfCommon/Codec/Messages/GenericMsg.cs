namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Generic message.</summary>
internal static class GenericFlags
{
    public const int HasExtendedHeader = 0x0001;
    public const int HasPermData = 0x0002;
    public const int HasMsgKey = 0x0004;
    public const int HasSeqNum = 0x0008;
    public const int MessageComplete = 0x0010; // last part of the generic message
    public const int HasSecondarySeqNum = 0x0020;
    public const int HasPartNum = 0x0040;
    public const int HasReqMsgKey = 0x0080; // a second key follows the last member; ignored by this codec, never written
    public const int ProviderDriven = 0x4000; // stream opened by the provider
}

public ref partial struct RwfMsg
{
    private void ReadGeneric(scoped ref RwfReader header)
    {
        ReadSeqNum(ref header, GenericFlags.HasSeqNum);
        if (Has(GenericFlags.HasSecondarySeqNum))
            SecondarySeqNum = header.ReadUInt32();
        ReadPermData(ref header, GenericFlags.HasPermData);
        ReadKey(ref header, GenericFlags.HasMsgKey);
        ReadExtendedHeader(ref header);
        PartNum = ReadTail(ref header, GenericFlags.HasPartNum);
    }
}

public ref partial struct RwfWriter
{
    private void PutGeneric(scoped in RwfMsg header, int flags)
    {
        PutSeqNum(header, flags, GenericFlags.HasSeqNum);
        if ((flags & GenericFlags.HasSecondarySeqNum) != 0)
            PutUInt32(header.SecondarySeqNum);
        PutPermissions(header, flags, GenericFlags.HasPermData);
    }
}
