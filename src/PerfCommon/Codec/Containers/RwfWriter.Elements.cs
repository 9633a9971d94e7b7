namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins an element list of standard entries alone.</summary>
    public bool BeginElementList() => BeginElementList(ListFlags.HasStandardData);

    /// <summary>Begins an element list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="ListFlags"/>; they decide which of the other arguments travel.</param>
    /// <param name="elementListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    internal bool BeginElementList(int flags, ushort elementListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.ElementList))
            return false;
        PutByte(flags);
        if ((flags & ListFlags.HasInfo) != 0)
        {
            PutByte(sizeof(ushort));
            PutUInt16(elementListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>Ends the element list.</summary>
    public bool EndElementList() => EndList(FrameKind.ElementList);

    /// <summary>Begins an element; write its value next, or a container or an array and then <see cref="EndEntry"/>.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="type">Base or container type; NoData has no content.</param>
    public bool BeginElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.ElementList))
            return false;
        PutBuf15(name);
        PutByte((int)type);
        return BeginEntryContent(type == DataType.NoData ? NoLength : PendingBuf16);
    }

    /// <summary>Writes an ASCII string.</summary>
    public bool WriteAsciiElement(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value) =>
        BeginElement(name, DataType.AsciiString) && WriteContent(value);

    /// <summary>Writes a signed integer.</summary>
    public bool WriteIntElement(scoped ReadOnlySpan<byte> name, long value) => BeginElement(name, DataType.Int) && WriteInt(value);

    /// <summary>Writes an unsigned integer.</summary>
    public bool WriteUIntElement(scoped ReadOnlySpan<byte> name, ulong value) => BeginElement(name, DataType.UInt) && WriteUInt(value);
}
