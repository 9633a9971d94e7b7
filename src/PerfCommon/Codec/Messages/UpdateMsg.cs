namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Update message.</summary>
public static class UpdateFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0010;

    /// <summary>Carries the conf info.</summary>
    public const int HasConfInfo = 0x0020;

    /// <summary>Not to be cached.</summary>
    public const int DoNotCache = 0x0040;

    /// <summary>Not to be conflated.</summary>
    public const int DoNotConflate = 0x0080;

    /// <summary>Fields do not ripple.</summary>
    public const int DoNotRipple = 0x0100;

    /// <summary>Carries the post user info.</summary>
    public const int HasPostUserInfo = 0x0200;

    /// <summary>May be dropped.</summary>
    public const int Discardable = 0x0400;
}

/// <summary>Kind of an update.</summary>
public enum UpdateType : byte
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

public ref partial struct RwfMsg
{
    private void ReadUpdate(scoped ref RwfReader header)
    {
        UpdateType = (UpdateType)header.ReadByte();
        ReadSeqNum(ref header, UpdateFlags.HasSeqNum);
        if (Has(UpdateFlags.HasConfInfo))
        {
            ConflationCount = (ushort)header.ReadRb15();
            ConflationTime = header.ReadUInt16();
        }

        ReadPermData(ref header, UpdateFlags.HasPermData);
        ReadKey(ref header, UpdateFlags.HasMsgKey);
        ReadExtendedHeader(ref header);
        ReadPostUserInfo(ref header, UpdateFlags.HasPostUserInfo);
    }
}

public ref partial struct RwfWriter
{
    private void PutUpdate(scoped in RwfMsg header, int flags)
    {
        PutByte((int)header.UpdateType);
        PutSeqNum(header, flags, UpdateFlags.HasSeqNum);
        if ((flags & UpdateFlags.HasConfInfo) != 0)
        {
            PutRb15(header.ConflationCount);
            PutUInt16(header.ConflationTime);
        }

        PutPermissions(header, flags, UpdateFlags.HasPermData);
    }
}
