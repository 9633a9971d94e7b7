namespace PerfCommon.Codec;

// Set definitions, and the items of set data: the types are those of the definition, in its order.
public ref partial struct RwfWriter
{
    /// <summary>Begins the set definitions of a map, vector or series of field lists or element lists.</summary>
    internal bool BeginSetDefinitions()
    {
        // flags 0 | count | definitions
        if (Failed)
            return false;
        PatchFlag(_open.HeadAt, MapFlags.HasSetDefs); // the same bit in all three
        _open.LengthAt = PendingBuf15;
        if (!Push(FrameKind.SetDefinitions))
            return false;
        PutUInt16(0);
        return !Failed;
    }

    /// <summary>Begins one definition, of a set 0 to 15, each once; add its entries next.</summary>
    internal bool BeginSetDefinition(int setId)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        if ((uint)setId > SetDefinitions.HighestSetId || _count == SetDefinitions.MostDefinitions)
            Fail(EncodeProblem.InvalidValue);
        _count++;
        PutByte(setId);
        _open.CountAt = _position;
        _open.DefinedEntries = 0;
        PutByte(0);
        return !Failed;
    }

    /// <summary>Adds a field to the definition, of a base, set-defined or container type.</summary>
    internal bool AddSetField(short fieldId, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutUInt16(fieldId);
        return EndSetEntry(type);
    }

    /// <summary>Adds an element to the definition, of a base, set-defined or container type.</summary>
    internal bool AddSetElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutBuf15(name);
        return EndSetEntry(type);
    }

    private bool EndSetEntry(DataType type)
    {
        PutByte((int)type);
        PatchByte(_open.CountAt, ++_open.DefinedEntries);
        return !Failed;
    }

    internal bool EndSetDefinitions()
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PatchByte(_open.HeadAt + 1, _count);
        return Pop() && EndSummary(); // the same kind of length
    }

    /// <summary>Begins a set item of the type its definition gives; write its value next, as for a field.</summary>
    internal bool BeginSetItem(DataType type)
    {
        if (Failed)
            return false;
        _open.ContentType = type;
        _open.ItemLength = DataTypes.FixedSizeOf(type);
        if (DataTypes.IsSizedReal(type))
            return BeginEntryContent(PendingReal);

        // Lengths of short types are one byte, which below 0xFE is the same.
        return BeginEntryContent(_open.ItemLength == 0 ? PendingBuf16 : PendingFixed);
    }
}
