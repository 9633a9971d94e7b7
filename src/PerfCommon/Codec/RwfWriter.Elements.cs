namespace PerfCommon.Codec;

public ref partial struct RwfWriter
{
    /// <summary>Begins an element list of standard entries alone.</summary>
    /// <returns>False when the writer has failed.</returns>
    public bool BeginElementList() => BeginElementList(ElementListFlags.HasStandardData);

    /// <summary>Begins an element list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="ElementListFlags"/>; they decide which of the other arguments travel.</param>
    /// <param name="elementListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    /// <returns>False when the writer has failed.</returns>
    internal bool BeginElementList(int flags, ushort elementListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.ElementList))
            return false;
        PutByte(flags);
        if ((flags & ElementListFlags.HasInfo) != 0)
        {
            PutByte(sizeof(ushort));
            PutUInt16(elementListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>Ends the element list.</summary>
    /// <returns>False when the writer has failed.</returns>
    public bool EndElementList() => EndList(FrameKind.ElementList);

    /// <summary>Begins an element whose content is a container or an array; end it with <see cref="EndEntry"/>.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="type">Base or container type; NoData has no content.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool BeginElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.ElementList))
            return false;
        PutBuf15(name);
        PutByte((int)type);
        return BeginEntryContent(type == DataType.NoData ? NoLength : PendingBuf16);
    }

    /// <summary>Writes an element whose content is at hand.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="type">Base or container type; NoData has no content.</param>
    /// <param name="content">The content; empty for blank.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteElement(scoped ReadOnlySpan<byte> name, DataType type, scoped ReadOnlySpan<byte> content) =>
        BeginElement(name, type) && (type == DataType.NoData || WriteContent(content));

    /// <summary>Writes a blank element.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="type">Its type.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteBlankElement(scoped ReadOnlySpan<byte> name, DataType type) => WriteElement(name, type, default);

    /// <summary>Writes an ASCII string.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The text.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteAsciiElement(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value) =>
        WriteElement(name, DataType.AsciiString, value);

    /// <summary>Writes a buffer.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The bytes.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteBufferElement(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value) =>
        WriteElement(name, DataType.Buffer, value);

    /// <summary>Writes an enumerated value.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteEnumElement(scoped ReadOnlySpan<byte> name, ushort value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Enum, content[..RwfContent.WriteUInt(content, value)]);
    }

    /// <summary>Writes a state.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The state.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteStateElement(scoped ReadOnlySpan<byte> name, scoped in RwfState value) =>
        BeginElement(name, DataType.State) && WriteStateContent(value);

    /// <summary>Writes a signed integer.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteIntElement(scoped ReadOnlySpan<byte> name, long value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Int, content[..RwfContent.WriteInt(content, value)]);
    }

    /// <summary>Writes an unsigned integer.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteUIntElement(scoped ReadOnlySpan<byte> name, ulong value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.UInt, content[..RwfContent.WriteUInt(content, value)]);
    }

    /// <summary>Writes a single.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteFloatElement(scoped ReadOnlySpan<byte> name, float value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Float, content[..RwfContent.WriteFloat(content, value)]);
    }

    /// <summary>Writes a double.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDoubleElement(scoped ReadOnlySpan<byte> name, double value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Double, content[..RwfContent.WriteDouble(content, value)]);
    }

    /// <summary>Writes a Real.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteRealElement(scoped ReadOnlySpan<byte> name, RwfReal value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Real, content[..RwfContent.WriteReal(content, value)]);
    }

    /// <summary>Writes a date.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateElement(scoped ReadOnlySpan<byte> name, RwfDate value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Date, content[..RwfContent.WriteDate(content, value)]);
    }

    /// <summary>Writes a time in its shortest form.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteTimeElement(scoped ReadOnlySpan<byte> name, RwfTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Time, content[..RwfContent.WriteTime(content, value)]);
    }

    /// <summary>Writes a date and time in its shortest form.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateTimeElement(scoped ReadOnlySpan<byte> name, RwfDateTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.DateTime, content[..RwfContent.WriteDateTime(content, value)]);
    }

    /// <summary>Writes a quality of service.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteQosElement(scoped ReadOnlySpan<byte> name, RwfQos value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteElement(name, DataType.Qos, content[..RwfContent.WriteQos(content, value)]);
    }
}
