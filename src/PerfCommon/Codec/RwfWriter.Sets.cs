namespace PerfCommon.Codec;

// Set definitions, and the items of set data: the types are those of the definition, in its order.
public ref partial struct RwfWriter
{
    /// <summary>Begins the set definitions of a map, vector or series of field lists or element lists.</summary>
    /// <returns>False when the writer has failed.</returns>
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
    /// <returns>False when the writer has failed.</returns>
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
    /// <returns>False when the writer has failed.</returns>
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
    /// <returns>False when the writer has failed.</returns>
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
    /// <returns>False when the writer has failed.</returns>
    internal bool EndSetDefinitions()
    {
        if (!CheckOpen(FrameKind.SetDefinitions))
            return false;
        PatchByte(_open.HeadAt + 1, _count);
        return Pop() && EndSummary(); // the same kind of length
    }

    /// <summary>Begins a set item whose content is a container or an array; end it with <see cref="EndEntry"/>.</summary>
    /// <returns>False when the writer has failed.</returns>
    internal bool BeginSetItem() => !Failed && BeginEntryContent(PendingBuf16);

    /// <summary>Writes a set item whose content is at hand.</summary>
    /// <param name="type">Type by the definition.</param>
    /// <param name="content">The content; of a set-defined type exactly as long as the type.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetItem(DataType type, scoped ReadOnlySpan<byte> content)
    {
        int fixedSize = DataTypes.FixedSizeOf(type);
        if (fixedSize != 0)
        {
            if (content.Length != fixedSize)
                Fail(EncodeProblem.InvalidValue);
        }
        else if (type is DataType.Real4RB or DataType.Real8RB)
        {
            Fail(EncodeProblem.InvalidValue);
        }
        else
        {
            // Lengths of short types are one byte, which below 0xFE is the same.
            PutU16ob(content.Length);
        }

        PutBytes(content);
        return !Failed;
    }

    /// <summary>Writes a blank set item.</summary>
    /// <param name="type">Type by the definition; fixed numbers cannot be blank.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteBlankSetItem(DataType type)
    {
        switch (DataTypes.BaseOf(type))
        {
            case DataType.Date when type == DataType.Date4:
                return WriteSetDate(type, default);
            case DataType.Time when type != DataType.Time:
                return WriteSetTime(type, RwfTime.BlankValue);
            case DataType.DateTime when type != DataType.DateTime:
                return WriteSetDateTime(type, RwfDateTime.BlankValue);
            case DataType.Real when type != DataType.Real:
                PutByte(RealHint.Blank);
                return !Failed;
            default:
                return WriteSetItem(type, default);
        }
    }

    /// <summary>Writes a signed integer; it must fit its type.</summary>
    /// <param name="type">Type by the definition: Int or one of its set-defined forms.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetInt(DataType type, long value) => WriteSetNumber(type, value, RwfContent.LengthOf(value));

    /// <summary>Writes an unsigned integer or an enumerated value; it must fit its type.</summary>
    /// <param name="type">Type by the definition: UInt, Enum or a set-defined form.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetUInt(DataType type, ulong value) => WriteSetNumber(type, (long)value, RwfContent.LengthOf(value));

    /// <summary>Writes a Real; the set-defined forms carry no special values and at most 4 or 8 bytes.</summary>
    /// <param name="type">Type by the definition: Real or one of its set-defined forms.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetReal(DataType type, RwfReal value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        if (type == DataType.Real)
            return WriteSetItem(type, content[..RwfContent.WriteReal(content, value)]);
        if (value.IsBlank)
            return WriteBlankSetItem(type);

        // size 2 bits, hint 6 bits | value: 1 to 4 bytes, or twice as many
        int step = type == DataType.Real4RB ? 1 : 2;
        int size = (RwfContent.LengthOf(value.Value) + step - 1) / step;
        if (size > 4 || value.Hint > RealHint.Fraction256)
        {
            Fail(EncodeProblem.InvalidValue);
            return false;
        }

        content[0] = (byte)(((size - 1) << 6) | value.Hint);
        RwfContent.WriteLow(content[1..], value.Value, size * step);
        PutBytes(content[..(1 + (size * step))]);
        return !Failed;
    }

    /// <summary>Writes a date.</summary>
    /// <param name="type">Type by the definition: Date or Date4.</param>
    /// <param name="value">The date.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetDate(DataType type, RwfDate value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        if (type != DataType.Date4)
            return WriteSetItem(type, content[..RwfContent.WriteDate(content, value)]);
        RwfContent.WriteWholeDate(content, value);
        return WriteSetItem(type, content[..RwfContent.DateLength]);
    }

    /// <summary>Writes a time; a set-defined form drops the members it has no place for.</summary>
    /// <param name="type">Type by the definition: Time or one of its set-defined forms.</param>
    /// <param name="value">The time.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetTime(DataType type, RwfTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = DataTypes.FixedSizeOf(type);
        return WriteSetItem(
            type,
            content[..(length == 0 ? RwfContent.WriteTime(content, value) : RwfContent.WriteTime(content, value, length))]);
    }

    /// <summary>Writes a date and time; a set-defined form drops the members it has no place for.</summary>
    /// <param name="type">Type by the definition: DateTime or one of its set-defined forms.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetDateTime(DataType type, RwfDateTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = DataTypes.FixedSizeOf(type);
        return WriteSetItem(
            type,
            content[..(length == 0 ? RwfContent.WriteDateTime(content, value) : RwfContent.WriteDateTime(content, value, length))]);
    }

    /// <summary>Writes a state.</summary>
    /// <param name="value">The state.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetState(scoped in RwfState value) => BeginSetItem() && WriteStateContent(value);

    /// <summary>Writes a single.</summary>
    /// <param name="type">Type by the definition: Float or Float4.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetFloat(DataType type, float value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteSetItem(type, content[..RwfContent.WriteFloat(content, value)]);
    }

    /// <summary>Writes a double.</summary>
    /// <param name="type">Type by the definition: Double or Double8.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool WriteSetDouble(DataType type, double value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteSetItem(type, content[..RwfContent.WriteDouble(content, value)]);
    }

    private bool WriteSetNumber(DataType type, long value, int shortest)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = Math.Max(shortest, DataTypes.FixedSizeOf(type));
        RwfContent.WriteLow(content, value, length);
        return WriteSetItem(type, content[..length]);
    }
}
