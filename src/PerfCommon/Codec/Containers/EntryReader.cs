namespace PerfCommon.Codec;

/// <summary>Steps through the counted entries of one container; how an entry is laid out is the container's business.</summary>
/// <param name="head">Stands behind the head of the container.</param>
/// <param name="count">Entries that the head announces.</param>
internal ref struct EntryReader(RwfReader head, int count)
{
    /// <summary>Where the next member of an entry is read from.</summary>
    public RwfReader Bytes = head;

    private int _left = count;

    /// <summary>Number of entries the container claims to have.</summary>
    public readonly int Count { get; } = count;

    /// <summary>Begins an entry; false at the end, or when an entry before it was bad.</summary>
    public readonly bool TryBegin(out DecodeResult result)
    {
        result = Bytes.Good && _left == 0 ? DecodeResult.EndOfContainer : Bytes.Result;
        return result == DecodeResult.Success;
    }

    /// <summary>Ends an entry whose members were read; false when they could not be.</summary>
    public bool TryEnd(out DecodeResult result)
    {
        result = Bytes.Result;
        _left--;
        return result == DecodeResult.Success;
    }
}

/// <summary>Flag bits of a map or vector entry.</summary>
internal static class EntryFlags
{
    public const int HasPermData = 0x1;
}

/// <summary>What maps, vectors and series share behind the head that each has: definitions, summary data, counted entries.</summary>
internal ref struct SummedEntries
{
    public EntryReader Entries;

    public SetDefinitions SetDefinitions;

    public DataType ContainerType { get; private set; }

    public ReadOnlySpan<byte> Summary { get; private set; }

    public int TotalCountHint { get; private set; }

    // [set definitions] | [summary, rb15 length] | [totalCountHint rb30] | entryCount uint16
    public DecodeResult Open(RwfReader head, DataType containerType, bool hasSetDefs, bool hasSummary, bool hasTotalCountHint)
    {
        ContainerType = containerType;
        if (hasSetDefs)
            SetDefinitions = SetDefinitions.Read(ref head, containerType);
        if (hasSummary)
            Summary = head.ReadBuf15();
        if (hasTotalCountHint)
            TotalCountHint = head.ReadRb30();
        int count = head.ReadUInt16();
        Entries = new EntryReader(head, count);
        return head.Result;
    }
}
