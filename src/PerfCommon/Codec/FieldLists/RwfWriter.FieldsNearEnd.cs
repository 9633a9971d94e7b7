using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

// Fields that are rare, long, or near the end of the room: content first, then its place.
public ref partial struct RwfWriter
{
    /// <summary>Writes a blank field of any type.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteBlankField(short fieldId) => WriteBytesField(fieldId, default);

    /// <summary>Writes a single.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteFloatField(short fieldId, float value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteFloat(content, value)]);
    }

    /// <summary>Writes a double.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDoubleField(short fieldId, double value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteDouble(content, value)]);
    }

    /// <summary>Writes a date.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The date.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateField(short fieldId, RwfDate value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteDate(content, value)]);
    }

    /// <summary>Writes a date and time in its shortest form.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteDateTimeField(short fieldId, RwfDateTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteDateTime(content, value)]);
    }

    /// <summary>Writes a quality of service.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="value">The value.</param>
    /// <returns>False when the writer has failed.</returns>
    public bool WriteQosField(short fieldId, RwfQos value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteQos(content, value)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteIntNearEnd(short fieldId, long value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteInt(content, value)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteUIntNearEnd(short fieldId, ulong value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteUInt(content, value)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteRealSlowly(short fieldId, RwfReal value)
    {
        if (value.Hint is > RealHint.Fraction256 and < RealHint.Blank or > RealHint.NotANumber)
            Fail(EncodeProblem.InvalidValue);
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteReal(content, value)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteTimeSlowly(short fieldId, RwfTime value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteBytesField(fieldId, content[..RwfContent.WriteTime(content, value)]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool WriteBytesSlowly(short fieldId, scoped ReadOnlySpan<byte> content)
    {
        if (Failed)
            return false;
        PutUInt16(fieldId);
        PutBuf16(content);
        _count++;
        return !Failed;
    }
}
