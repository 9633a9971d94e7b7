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

    /// <summary>Begins one definition; add its entries next.</summary>
    /// <param name="setId">Id of the set, 0 to 15; each once.</param>
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

    /// <summary>Adds a field to the definition.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="type">Base, set-defined or container type.</param>
    internal bool AddSetField(short fieldId, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutUInt16(fieldId);
        PutByte((int)type);
        PatchByte(_open.CountAt, ++_open.DefinedEntries);
        return !Failed;
    }

    /// <summary>Adds an element to the definition.</summary>
    /// <param name="name">Name of the element.</param>
    /// <param name="type">Base, set-defined or container type.</param>
    internal bool AddSetElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PutBuf15(name);
        PutByte((int)type);
        PatchByte(_open.CountAt, ++_open.DefinedEntries);
        return !Failed;
    }

    /// <summary>Ends the set definitions.</summary>
    internal bool EndSetDefinitions()
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PatchByte(_open.HeadAt + 1, _count);
        return Pop() && EndSummary(); // the same kind of length
    }

    /// <summary>Begins a set item; write its value next, or a container or an array and then <see cref="EndEntry"/>.</summary>
    /// <param name="type">Type by the definition.</param>
    public bool BeginSetItem(DataType type)
    {
        if (Failed)
            return false;
        _open.ContentType = type;
        _open.ItemLength = DataTypes.FixedSizeOf(type);
        if (type is DataType.Real4RB or DataType.Real8RB)
            return BeginEntryContent(PendingReal);

        // Lengths of short types are one byte, which below 0xFE is the same.
        return BeginEntryContent(_open.ItemLength == 0 ? PendingBuf16 : PendingFixed);
    }
}
