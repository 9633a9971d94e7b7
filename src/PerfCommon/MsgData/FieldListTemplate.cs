using System.Diagnostics;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>
/// The field list of one message, as typed values that are encoded anew every time. <see cref="FieldListBuilder"/> creates one.
/// </summary>
/// <remarks>
/// Immutable but for <see cref="Set(int, long)"/>, so any number of threads may encode from it. Encoding and setting allocate nothing.
/// </remarks>
[DebuggerDisplay("{FieldCount} fields, {EncodedBytes} bytes")]
public sealed class FieldListTemplate
{
    /// <summary>Maximum bytes that a time stamp adds after the fields.</summary>
    public const int MaxStampBytes = StampFields.MaxFieldBytes;

    // flags | u16 entry count
    private const int ListHeadBytes = 3;

    // of a Real, with its hint
    private const int MaxNumberBytes = 1 + sizeof(long);

    private readonly FieldValue[] _fields;
    private readonly DataType[] _types;
    private readonly byte[] _texts;
    private readonly FieldListEncoder _encoder;
    private readonly bool _isCopy;

    internal FieldListTemplate(FieldValue[] fields, DataType[] types, byte[] texts, int estimatedBytes)
    {
        (_fields, _types, _texts) = (fields, types, texts);
        _encoder = new FieldListEncoder(fields, texts);
        EstimatedBytes = estimatedBytes;
        EncodedBytes = Measure();
    }

    private FieldListTemplate(FieldListTemplate other)
    {
        (_fields, _types, _texts) = ([.. other._fields], other._types, other._texts);
        _encoder = new FieldListEncoder(_fields, _texts);
        _isCopy = true;
        EstimatedBytes = other.EstimatedBytes;
        EncodedBytes = other.EncodedBytes + (_types.Count(IsNumber) * MaxNumberBytes);
    }

    /// <summary>The fields in their order, without a time stamp. Each call creates a new list.</summary>
    public IReadOnlyList<TemplateField> Fields => [.. _fields.Select(Describe)];

    /// <summary>Number of fields, without a time stamp.</summary>
    public int FieldCount => _fields.Length;

    /// <summary>Size of a message with this list by the rule of thumb of the RSSL performance tools, without a name in its key.</summary>
    public int EstimatedBytes { get; }

    /// <summary>
    /// Exact size of the encoded list in bytes, without a time stamp and without any message header; of a copy, its maximum size.
    /// </summary>
    public int EncodedBytes { get; }

    /// <summary>True when all fields are of the kinds that are encoded on the quick path.</summary>
    internal bool IsQuick => _encoder.IsQuick;

    /// <summary>Creates a copy whose numbers may be set, for values that change from message to message. It belongs to one thread.</summary>
    public FieldListTemplate Copy() => new(this);

    /// <summary>Returns the position of a field in <see cref="Fields"/>; -1 when it is absent.</summary>
    public int IndexOf(short fieldId)
    {
        int index = 0;
        while (index < _fields.Length && _fields[index].FieldId != fieldId)
            index++;
        return index < _fields.Length ? index : -1;
    }

    /// <summary>Sets a number of a copy: Int, UInt, Enum, or a Real without decimals.</summary>
    /// <param name="index">Position of the field, <see cref="IndexOf"/>.</param>
    /// <param name="value">Its value; 0 or more for UInt, 0 to 65,535 for Enum.</param>
    /// <exception cref="ArgumentException">The field does not accept this number.</exception>
    /// <exception cref="InvalidOperationException">This is no copy.</exception>
    public void Set(int index, long value)
    {
        FieldKind kind = _types[index] switch
        {
            DataType.Int => FieldKind.Int,
            DataType.UInt when value >= 0 => FieldKind.UInt,
            DataType.Enum when value is >= 0 and <= ushort.MaxValue => FieldKind.Enum,
            DataType.Real => FieldKind.Real,
            _ => throw new ArgumentException($"field {_fields[index].FieldId} is {_types[index]} and takes no {value}", nameof(value)),
        };
        Set(index, new FieldValue(value, 0, _fields[index].FieldId, kind, RealHint.Exponent0));
    }

    /// <summary>Sets a Real of a copy.</summary>
    /// <param name="index">Position of the field, <see cref="IndexOf"/>.</param>
    /// <param name="value">Its value; a number.</param>
    /// <exception cref="ArgumentException">The field is no Real, or the value is blank or no number.</exception>
    /// <exception cref="InvalidOperationException">This is no copy.</exception>
    public void Set(int index, RwfReal value)
    {
        if (_types[index] != DataType.Real || value.Hint > RealHint.Fraction256)
        {
            throw new ArgumentException($"field {_fields[index].FieldId} is {_types[index]} and takes no Real of hint {value.Hint}",
                nameof(value));
        }

        Set(index, new FieldValue(value.Value, 0, _fields[index].FieldId, FieldKind.Real, value.Hint));
    }

    /// <summary>Encodes the list as the payload of a message whose header was written.</summary>
    /// <returns>False when the buffer is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer) => EncodeList(ref writer, 0, 0);

    /// <summary>Encodes the list with a time stamp as its last field.</summary>
    /// <param name="writer">Positioned at the start of the payload.</param>
    /// <param name="stampFieldId">Field that carries the stamp, such as 3902.</param>
    /// <param name="stamp">Microseconds or nanoseconds of the sender's clock; 0 for none.</param>
    /// <returns>False when the buffer is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer, short stampFieldId, ulong stamp) => writer.WriteFieldList(_encoder, stampFieldId, stamp);

    /// <summary>Encodes the fields one by one into a field list that the caller has begun and ends.</summary>
    internal void EncodeFields(ref RwfWriter writer) => _encoder.EncodeFields(ref writer);

    /// <summary>Encodes the list without a writer.</summary>
    /// <param name="room">The output buffer.</param>
    /// <param name="stampFieldId">Field that carries the stamp.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    /// <returns>Its length; 0 when the buffer is too small.</returns>
    internal int EncodeList(Span<byte> room, short stampFieldId, ulong stamp) => _encoder.Encode(room, stampFieldId, stamp);

    /// <summary>Returns a list of the fields that a view has, in their order.</summary>
    internal FieldListTemplate Select(FieldView view)
    {
        int[] places = [.. Enumerable.Range(0, _fields.Length).Where(place => view.Contains(_fields[place].FieldId))];
        return new([.. places.Select(place => _fields[place])], [.. places.Select(place => _types[place])], _texts, EstimatedBytes);
    }

    /// <summary>Returns a list of the same fields followed by blank ones.</summary>
    internal FieldListTemplate AppendBlanks(IEnumerable<(short FieldId, DataType Type)> blanks)
    {
        (short FieldId, DataType Type)[] added = [.. blanks];
        return new(
            [.. _fields, .. added.Select(blank => new FieldValue(0, 0, blank.FieldId, FieldKind.Blank))],
            [.. _types, .. added.Select(blank => blank.Type)],
            _texts,
            EstimatedBytes);
    }

    private void Set(int index, FieldValue value)
    {
        if (!_isCopy)
            throw new InvalidOperationException("Values are set in a copy.");
        _fields[index] = value;
        _encoder.Set(index, value);
    }

    private static bool IsNumber(DataType type) => type is DataType.Int or DataType.UInt or DataType.Enum or DataType.Real;

    private TemplateField Describe(FieldValue field, int index) => new(field.FieldId, _types[index], ValueOf(field, _types[index]));

    private object? ValueOf(FieldValue field, DataType type) => field.Kind switch
    {
        FieldKind.Blank => null,
        FieldKind.Int => field.Number,
        FieldKind.UInt => (ulong)field.Number,
        FieldKind.Real => new RwfReal(field.Number, field.Hint),
        FieldKind.Enum => (ushort)field.Number,
        FieldKind.Date => field.Date,
        FieldKind.Time => field.Time,
        FieldKind.DateTime => new RwfDateTime(field.Date, field.Time),
        FieldKind.Float => BitConverter.Int32BitsToSingle((int)field.Number),
        FieldKind.Double => BitConverter.Int64BitsToDouble(field.Number),
        FieldKind.Qos => field.Qos,
        FieldKind.State => (field.StreamState, field.DataState, field.StateCode, Encoding.UTF8.GetString(TextOf(field))),
        _ when type is DataType.AsciiString or DataType.RmtesString or DataType.Utf8String => Encoding.UTF8.GetString(TextOf(field)),
        _ => TextOf(field).ToArray(),
    };

    private ReadOnlySpan<byte> TextOf(FieldValue field) => _texts.AsSpan(field.TextStart, field.Extra);

    private int Measure()
    {
        // Maximum bytes of any field without its text: id, a three-byte length and 16 bytes of value.
        const int MostFieldBytes = 2 + 3 + 16;
        byte[] room = new byte[ListHeadBytes + (_fields.Length * MostFieldBytes) + _texts.Length];
        RwfWriter writer = new(room);
        return EncodeList(ref writer)
            ? writer.Written
            : throw new InvalidOperationException("a field list does not fit its own measure");
    }
}

/// <summary>One field of a template.</summary>
/// <param name="FieldId">Id of the field.</param>
/// <param name="Type">Its type by the dictionary.</param>
/// <param name="Value">
/// Null when blank; else, by type: <see cref="long"/> (Int), <see cref="ulong"/> (UInt), <see cref="ushort"/> (Enum), <see cref="float"/>,
/// <see cref="double"/>, <see cref="RwfReal"/>, <see cref="RwfDate"/>, <see cref="RwfTime"/>, <see cref="RwfDateTime"/>,
/// <see cref="RwfQos"/>,
/// <c>(StreamState, DataState, StateCode, string Text)</c> (State), <see cref="string"/> (the three strings), an array of bytes (all
/// others).
/// </param>
[DebuggerDisplay("field {FieldId}, {Type} {Value}")]
public readonly record struct TemplateField(short FieldId, DataType Type, object? Value);
