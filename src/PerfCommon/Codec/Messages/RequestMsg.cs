namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Request message.</summary>
internal static class RequestFlags
{
    /// <summary>Carries the extended header.</summary>
    public const int HasExtendedHeader = 0x0001;

    /// <summary>Carries the priority.</summary>
    public const int HasPriority = 0x0002;

    /// <summary>Updates are wanted.</summary>
    public const int Streaming = 0x0004;

    /// <summary>Updates are to carry the key.</summary>
    public const int MsgKeyInUpdates = 0x0008;

    /// <summary>Updates are to carry conflation information.</summary>
    public const int ConfInfoInUpdates = 0x0010;

    /// <summary>No image is wanted.</summary>
    public const int NoRefresh = 0x0020;

    /// <summary>Carries the qos.</summary>
    public const int HasQos = 0x0040;

    /// <summary>Carries the worst qos.</summary>
    public const int HasWorstQos = 0x0080;

    /// <summary>Stream is private.</summary>
    public const int PrivateStream = 0x0100;

    /// <summary>Stream is to pause.</summary>
    public const int Pause = 0x0200;

    /// <summary>Payload asks for a view.</summary>
    public const int HasView = 0x0400;

    /// <summary>Payload lists items of a batch.</summary>
    public const int HasBatch = 0x0800;

    /// <summary>Stream is qualified.</summary>
    public const int QualifiedStream = 0x1000;
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
