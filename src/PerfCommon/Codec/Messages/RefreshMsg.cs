namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Refresh message.</summary>
internal static class RefreshFlags
{
    public const int HasExtendedHeader = 0x0001;
    public const int HasPermData = 0x0002;
    public const int HasMsgKey = 0x0008;
    public const int HasSeqNum = 0x0010;
    public const int Solicited = 0x0020; // answers a request
    public const int RefreshComplete = 0x0040; // last part of the image
    public const int HasQos = 0x0080;
    public const int ClearCache = 0x0100; // cached data is void
    public const int DoNotCache = 0x0200; // not to be cached
    public const int PrivateStream = 0x0400; // stream is private
    public const int HasPostUserInfo = 0x0800;
    public const int HasPartNum = 0x1000;
    public const int HasReqMsgKey = 0x2000; // a second key follows the last member; ignored by this codec, never written
    public const int QualifiedStream = 0x4000; // stream is qualified
}

public ref partial struct RwfMsg
{
    private void ReadRefresh(scoped ref RwfReader header)
    {
        ReadSeqNum(ref header, RefreshFlags.HasSeqNum);
        State = RwfPrimitives.ReadState(ref header);
        GroupId = header.ReadBuf8();
        ReadPermData(ref header, RefreshFlags.HasPermData);
        if (Has(RefreshFlags.HasQos))
            Qos = RwfPrimitives.ReadQos(ref header);
        ReadKey(ref header, RefreshFlags.HasMsgKey);
        ReadExtendedHeader(ref header);
        ReadPostUserInfo(ref header, RefreshFlags.HasPostUserInfo);
        PartNum = ReadTail(ref header, RefreshFlags.HasPartNum);
    }
}

public ref partial struct RwfWriter
{
    private static ReadOnlySpan<byte> NoGroup => [0, 0];

    private void PutRefresh(scoped in RwfMsg header, int flags)
    {
        PutSeqNum(header, flags, RefreshFlags.HasSeqNum);
        PutOpenState(header.State);
        PutBuf8(header.GroupId.IsEmpty ? NoGroup : header.GroupId);
        PutPermissions(header, flags, RefreshFlags.HasPermData);
        if ((flags & RefreshFlags.HasQos) != 0)
            PutQos(header.Qos);
    }
}
