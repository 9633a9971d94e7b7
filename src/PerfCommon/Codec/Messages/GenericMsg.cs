namespace PerfCommon.Codec;

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
