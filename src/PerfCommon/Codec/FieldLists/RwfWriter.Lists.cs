namespace PerfCommon.Codec;

// What field lists and element lists have in common: set data, then counted entries.
public ref partial struct RwfWriter
{
    /// <summary>Ends the set data of a field list or element list; standard entries follow if the list has them.</summary>
    internal bool EndSetData()
    {
        if (Failed)
            return false;
        if (_open.SetDataAt == NoLength)
            ThrowMisuse("no set data is open");
        if (_open.StandardFollows)
            CloseBuf15(_open.SetDataAt);
        _open.SetDataAt = NoLength;
        _count = 0;
        BeginStandardEntries();
        return !Failed;
    }

    // [[setId rb15] set data, rb15 length only when standard data follows] | [entryCount uint16, entries]
    // The flags of both lists agree.
    private bool BeginSetAndEntries(int flags, int setId)
    {
        _open.StandardFollows = (flags & ListFlags.HasStandardData) != 0;
        if ((flags & ListFlags.HasSetData) != 0)
        {
            if ((flags & ListFlags.HasSetId) != 0)
                PutRb15(setId);
            _open.SetDataAt = _position;
            if (_open.StandardFollows)
                Take(ReservedBuf15);
            return !Failed;
        }

        BeginStandardEntries();
        return !Failed;
    }

    private void BeginStandardEntries()
    {
        if (!_open.StandardFollows)
            return;
        _open.CountAt = _position;
        Take(sizeof(ushort));
    }

    private bool EndList(FrameKind kind)
    {
        if (!CheckOpen(kind))
            return false;
        if (_open.SetDataAt != NoLength)
            ThrowMisuse("set data is still open");
        if (_open.CountAt != NoLength)
            PatchUInt16(_open.CountAt, _count);
        return Pop();
    }
}
