namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Status message.</summary>
internal static class StatusFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0008;

    /// <summary>Carries the group id.</summary>
    public const int HasGroupId = 0x0010;

    /// <summary>Carries the state.</summary>
    public const int HasState = 0x0020;

    /// <summary>Cached data is void.</summary>
    public const int ClearCache = 0x0040;

    /// <summary>Stream is private.</summary>
    public const int PrivateStream = 0x0080;

    /// <summary>Carries the post user info.</summary>
    public const int HasPostUserInfo = 0x0100;

    /// <summary>A second key follows the last member; ignored by this codec, never written.</summary>
    public const int HasReqMsgKey = 0x0200;

    /// <summary>Stream is qualified.</summary>
    public const int QualifiedStream = 0x0400;
}

public ref partial struct RwfMsg
{
    private void ReadStatus(scoped ref RwfReader header)
    {
        if (Has(StatusFlags.HasState))
            State = RwfPrimitives.ReadState(ref header);
        if (Has(StatusFlags.HasGroupId))
            GroupId = header.ReadBuf8();
        ReadPermData(ref header, StatusFlags.HasPermData);
        ReadKey(ref header, StatusFlags.HasMsgKey);
        ReadExtendedHeader(ref header);
        ReadPostUserInfo(ref header, StatusFlags.HasPostUserInfo);
    }
}

public ref partial struct RwfWriter
{
    private void PutStatus(scoped in RwfMsg header, int flags)
    {
        if ((flags & StatusFlags.HasState) != 0)
            PutOpenState(header.State);
        if ((flags & StatusFlags.HasGroupId) != 0)
            PutBuf8(header.GroupId);
        PutPermissions(header, flags, StatusFlags.HasPermData);
    }
}
