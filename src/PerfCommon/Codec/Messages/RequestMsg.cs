namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Request message.</summary>
internal static class RequestFlags
{
    public const int HasExtendedHeader = 0x0001;
    public const int HasPriority = 0x0002;
    public const int Streaming = 0x0004; // updates are wanted
    public const int MsgKeyInUpdates = 0x0008; // updates are to carry the key
    public const int ConfInfoInUpdates = 0x0010; // updates are to carry conflation information
    public const int NoRefresh = 0x0020; // no image is wanted
    public const int HasQos = 0x0040;
    public const int HasWorstQos = 0x0080;
    public const int PrivateStream = 0x0100; // stream is private
    public const int Pause = 0x0200; // stream is to pause
    public const int HasView = 0x0400; // payload asks for a view
    public const int HasBatch = 0x0800; // payload lists items of a batch
    public const int QualifiedStream = 0x1000; // stream is qualified
}

public ref partial struct RwfMsg
{
    private void ReadRequest(scoped ref RwfReader header)
    {
        if (Has(RequestFlags.HasPriority))
        {
            PriorityClass = header.ReadByte();
            PriorityCount = (ushort)header.ReadU16ob();
        }

        if (Has(RequestFlags.HasQos))
            Qos = RwfPrimitives.ReadQos(ref header);
        if (Has(RequestFlags.HasWorstQos))
            WorstQos = RwfPrimitives.ReadQos(ref header);
        Key = MsgKey.Read(ref header);
        ReadExtendedHeader(ref header);
    }
}

public ref partial struct RwfWriter
{
    private void PutRequest(scoped in RwfMsg header, int flags)
    {
        if ((flags & RequestFlags.HasPriority) != 0)
        {
            PutByte(header.PriorityClass);
            PutU16ob(header.PriorityCount);
        }

        if ((flags & RequestFlags.HasQos) != 0)
            PutQos(header.Qos);
        if ((flags & RequestFlags.HasWorstQos) != 0)
            PutQos(header.WorstQos);
    }
}
