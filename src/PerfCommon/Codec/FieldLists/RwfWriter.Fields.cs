namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins a field list of standard entries alone.</summary>
    public bool BeginFieldList() => BeginFieldList(ListFlags.HasStandardData);

    /// <summary>Begins a field list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="ListFlags"/>; they decide which of the other arguments travel.</param>
    /// <param name="dictionaryId">Id of the dictionary, 0 to 16383.</param>
    /// <param name="fieldListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    internal bool BeginFieldList(int flags, int dictionaryId = 0, ushort fieldListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.FieldList))
            return false;
        PutByte(flags);
        if ((flags & ListFlags.HasInfo) != 0)
        {
            // From 64 on the id takes two bytes, because some readers take the single byte as signed.
            bool wide = dictionaryId >= 0x40;
            PutByte(wide ? 4 : 3);
            if (wide)
                PutUInt16(Limit(dictionaryId, LengthMark.MaxRb15) | 0x8000);
            else
                PutByte(dictionaryId);
            PutUInt16(fieldListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>Writes a whole field list as payload or as content of the open entry.</summary>
    /// <param name="list">The list.</param>
    /// <param name="stampFieldId">Field of the stamp behind its entries.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    internal bool WriteFieldList(FieldListEncoder list, short stampFieldId, ulong stamp)
    {
        ReserveLength();
        int bytes = list.Encode(_room[_position..], stampFieldId, stamp);
        _position += bytes;
        if (bytes == 0)
            Fail(EncodeProblem.NoRoom);
        return !Failed;
    }

    /// <summary>Ends the field list.</summary>
    public bool EndFieldList() => EndList(FrameKind.FieldList);

    /// <summary>Begins a field; write its value next, or a container or an array and then <see cref="EndEntry"/>.</summary>
    public bool BeginField(short fieldId)
    {
        if (!CheckOpen(FrameKind.FieldList))
            return false;
        PutUInt16(fieldId);
        return BeginEntryContent(PendingBuf16);
    }

    /// <summary>Writes an unsigned integer or an enumerated value.</summary>
    public bool WriteUIntField(short fieldId, ulong value) => BeginField(fieldId) && WriteUInt(value);
}
