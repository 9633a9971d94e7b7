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

    /// <summary>A pen for the common fields of the open list; hand it to <see cref="EndFields"/> before any other call.</summary>
    internal readonly FieldPen BeginFields() => new(_room[_position..]);

    /// <summary>Takes over what a pen wrote.</summary>
    /// <param name="pen">The pen of the last <see cref="BeginFields"/>.</param>
    internal void EndFields(FieldPen pen)
    {
        _position += pen.Written;
        _count += pen.Count;
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
    public bool WriteUIntField(short fieldId, ulong value)
    {
        FieldPen pen = BeginFields();
        if (!pen.TryWriteUInt(fieldId, value))
            return BeginField(fieldId) && WriteUInt(value);
        EndFields(pen);
        return true;
    }
}
