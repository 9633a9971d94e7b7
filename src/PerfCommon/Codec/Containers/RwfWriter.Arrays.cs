namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins an array.</summary>
    /// <param name="itemType">Base type of the items, not Array.</param>
    /// <param name="itemLength">Bytes of every item; 0 when each carries its length.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool BeginArray(DataType itemType, int itemLength = 0)
    {
        // itemType | itemLength u16ob | itemCount uint16
        if (!Push(FrameKind.Array))
            return false;
        PutByte((int)itemType);
        PutU16ob(itemLength);
        _open.ContentType = itemType;
        _open.ItemLength = itemLength;
        _open.CountAt = _position;
        PutUInt16(0);
        return !Failed;
    }

    /// <summary>Ends the array.</summary>
    /// <returns>False when the writer has failed.</returns>
    public bool EndArray()
    {
        if (!CheckOpen(FrameKind.Array))
            return false;
        PatchUInt16(_open.CountAt, _count);
        return Pop();
    }

    /// <summary>Writes an item of bytes or of content that was encoded before.</summary>
    /// <param name="content">The content; of strings and buffers in fixed items the rest is zero, and what is too long is cut.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteItem(scoped ReadOnlySpan<byte> content)
    {
        if (!CheckOpen(FrameKind.Array))
            return false;
        _count++;
        int fixedLength = _open.ItemLength;
        if (fixedLength == 0)
        {
            PutBuf16(content);
            return !Failed;
        }

        if (content.Length != fixedLength && !DataTypes.IsBytes(_open.ContentType))
            Fail(EncodeProblem.InvalidValue);
        Span<byte> item = Take(fixedLength);
        if (item.IsEmpty)
            return false;
        item.Clear();
        content[..Math.Min(content.Length, fixedLength)].CopyTo(item);
        return true;
    }

    /// <summary>Writes a signed integer; in fixed items it must fit.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteIntItem(long value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..FixedOr(RwfContent.LengthOf(value), content, value)]);
    }

    /// <summary>Writes an unsigned integer or an enumerated value; in fixed items it must fit.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteUIntItem(ulong value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..FixedOr(RwfContent.LengthOf(value), content, (long)value)]);
    }

    /// <summary>Writes a time; in fixed items it takes the form of their length.</summary>
    /// <param name="value">The time.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteTimeItem(RwfTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = _open.ItemLength;
        return length is 2 or 3 or 5 or 7 or 8
            ? WriteItem(content[..RwfContent.WriteTime(content, value, length)])
            : WriteItem(content[..RwfContent.WriteTime(content, value)]);
    }

    /// <summary>Writes a date and time; in fixed items it takes the form of their length.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateTimeItem(RwfDateTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        int length = _open.ItemLength;
        return length is 6 or 7 or 9 or 11 or 12
            ? WriteItem(content[..RwfContent.WriteDateTime(content, value, length)])
            : WriteItem(content[..RwfContent.WriteDateTime(content, value)]);
    }

    /// <summary>Writes a date.</summary>
    /// <param name="value">The date; in fixed items blank is all 0.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateItem(RwfDate value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        content.Clear();
        int length = RwfContent.WriteDate(content, value);
        return WriteItem(content[..Math.Max(length, Math.Min(_open.ItemLength, RwfContent.DateLength))]);
    }

    /// <summary>Writes a state.</summary>
    /// <param name="value">The state.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteStateItem(scoped in RwfState value) => BeginItem() && WriteStateContent(value);

    /// <summary>Writes a single.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteFloatItem(float value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..RwfContent.WriteFloat(content, value)]);
    }

    /// <summary>Writes a double.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDoubleItem(double value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..RwfContent.WriteDouble(content, value)]);
    }

    /// <summary>Writes a Real.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteRealItem(RwfReal value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..RwfContent.WriteReal(content, value)]);
    }

    /// <summary>Writes a quality of service.</summary>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteQosItem(RwfQos value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteItem(content[..RwfContent.WriteQos(content, value)]);
    }

    private bool BeginItem() => CheckOpen(FrameKind.Array) && BeginEntryContent(PendingBuf16);

    // The value in the fixed length of the items if it fits there, else in its shortest form, which WriteItem then refuses.
    private readonly int FixedOr(int shortest, scoped Span<byte> content, long value)
    {
        int length = Math.Min(Math.Max(shortest, _open.ItemLength), sizeof(long));
        RwfContent.WriteLow(content, value, length);
        return length;
    }
}
