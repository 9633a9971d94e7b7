namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Post message.</summary>
public static class PostFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the post id.</summary>
    public const int HasPostId = 0x0002;

    /// <summary>Carries the msg key.</summary>
    public const int HasMsgKey = 0x0004;

    /// <summary>Carries the seq num.</summary>
    public const int HasSeqNum = 0x0008;

    /// <summary>Last part of the post.</summary>
    public const int PostComplete = 0x0020;

    /// <summary>An acknowledgement is wanted.</summary>
    public const int Ack = 0x0040;

    /// <summary>Carries the perm data.</summary>
    public const int HasPermData = 0x0080;

    /// <summary>Carries the part num.</summary>
    public const int HasPartNum = 0x0100;

    /// <summary>Carries the post user rights.</summary>
    public const int HasPostUserRights = 0x0200;
}

/// <summary>What a posting user may do.</summary>
internal static class PostUserRights
{
    public const int None = 0; // nothing
    public const int Create = 1; // may create records
    public const int Delete = 2; // may delete records
    public const int ModifyPerm = 4; // may change permission data
}

public ref partial struct RwfMsg
{
    private void ReadPost(scoped ref RwfReader header)
    {
        PostUserAddress = header.ReadUInt32();
        PostUserId = header.ReadUInt32();
        ReadSeqNum(ref header, PostFlags.HasSeqNum);
        if (Has(PostFlags.HasPostId))
            PostId = header.ReadUInt32();
        ReadPermData(ref header, PostFlags.HasPermData);
        ReadKey(ref header, PostFlags.HasMsgKey);
        ReadExtendedHeader(ref header);
        PartNum = ReadTail(ref header, PostFlags.HasPartNum);
        PostUserRights = ReadTail(ref header, PostFlags.HasPostUserRights);
    }
}

public ref partial struct RwfWriter
{
    private void PutPost(scoped in RwfMsg header, int flags)
    {
        PutUInt32(header.PostUserAddress);
        PutUInt32(header.PostUserId);
        PutSeqNum(header, flags, PostFlags.HasSeqNum);
        if ((flags & PostFlags.HasPostId) != 0)
            PutUInt32(header.PostId);
        PutPermissions(header, flags, PostFlags.HasPermData);
    }
}
