using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>The field list of one message of the message file, as typed values that are encoded anew every time.</summary>
/// <remarks>Immutable, so any number of threads may encode from it. Encoding allocates nothing.</remarks>
public sealed class FieldListTemplate
{
    /// <summary>Most bytes a time stamp adds behind the fields: id, length and a 64-bit number.</summary>
    public const int MostStampBytes = 11;

    private const int TextPadding = 16;

    // flags | u16 entry count
    private const int ListHeadBytes = 3;

    private readonly FieldValue[] _fields;
    private readonly byte[] _texts;

    internal FieldListTemplate(FieldValue[] fields, byte[] texts, int estimatedBytes)
    {
        _fields = fields;
        _texts = [.. texts, .. new byte[TextPadding]]; // a text of a few bytes is copied as one block
        EstimatedBytes = estimatedBytes;
        EncodedBytes = Measure();
    }

    /// <summary>Number of fields, without a time stamp.</summary>
    public int FieldCount => _fields.Length;

    /// <summary>Size of a message with this list by the family's rule of thumb, without a name in its key.</summary>
    public int EstimatedBytes { get; }

    /// <summary>Exact size of the encoded list in bytes, without a time stamp and without any message header.</summary>
    public int EncodedBytes { get; }

    /// <summary>Encodes the list as the payload of a message whose header was written.</summary>
    /// <returns>False when the room is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer)
    {
        writer.BeginFieldList();
        EncodeFields(ref writer);
        return writer.EndFieldList();
    }

    /// <summary>Encodes the list with a time stamp as its last field.</summary>
    /// <param name="writer">Stands where the payload begins.</param>
    /// <param name="stampFieldId">Field that carries the stamp, such as 3902.</param>
    /// <param name="stamp">Microseconds or nanoseconds of the sender's clock.</param>
    /// <returns>False when the room is too small; the writer has then failed.</returns>
    public bool EncodeList(ref RwfWriter writer, short stampFieldId, ulong stamp)
    {
        writer.BeginFieldList();
        EncodeFields(ref writer);
        writer.WriteUIntField(stampFieldId, stamp);
        return writer.EndFieldList();
    }

    /// <summary>Encodes the fields one by one into a field list that the caller has begun and ends.</summary>
    public void EncodeFields(ref RwfWriter writer)
    {
        FieldPen pen = writer.BeginFields();
        foreach (ref readonly FieldValue field in _fields.AsSpan())
        {
            bool written = field.Kind switch
            {
                FieldKind.Real => pen.TryWriteReal(field.FieldId, field.Number, field.Hint),
                FieldKind.UInt or FieldKind.Enum => pen.TryWriteUInt(field.FieldId, (ulong)field.Number),
                FieldKind.Int => pen.TryWriteInt(field.FieldId, field.Number),
                FieldKind.Time => pen.TryWriteTime(field.FieldId, field.Time),
                FieldKind.Date => pen.TryWriteDate(field.FieldId, field.Date),
                FieldKind.Bytes => pen.TryWriteBytes(field.FieldId, _texts.AsSpan(field.TextStart), field.Extra),
                _ => false,
            };
            if (written)
                continue;
            writer.EndFields(pen);
            EncodeRareField(ref writer, in field);
            pen = writer.BeginFields();
        }

        writer.EndFields(pen);
    }

    private void EncodeRareField(ref RwfWriter writer, ref readonly FieldValue field)
    {
        switch (field.Kind)
        {
            case FieldKind.Real:
                writer.WriteRealField(field.FieldId, field.Number, field.Hint);
                break;
            case FieldKind.UInt:
                writer.WriteUIntField(field.FieldId, (ulong)field.Number);
                break;
            case FieldKind.Int:
                writer.WriteIntField(field.FieldId, field.Number);
                break;
            case FieldKind.Enum:
                writer.WriteEnumField(field.FieldId, (ushort)field.Number);
                break;
            case FieldKind.Time:
                writer.WriteTimeField(field.FieldId, field.Time);
                break;
            case FieldKind.Date:
                writer.WriteDateField(field.FieldId, field.Date);
                break;
            case FieldKind.Bytes:
                writer.WriteBytesField(field.FieldId, _texts.AsSpan(field.TextStart, field.Extra));
                break;
            case FieldKind.Blank:
                writer.WriteBlankField(field.FieldId);
                break;
            case FieldKind.DateTime:
                writer.WriteDateTimeField(field.FieldId, new RwfDateTime(field.Date, field.Time));
                break;
            case FieldKind.Float:
                writer.WriteFloatField(field.FieldId, BitConverter.Int32BitsToSingle((int)field.Number));
                break;
            case FieldKind.Double:
                writer.WriteDoubleField(field.FieldId, BitConverter.Int64BitsToDouble(field.Number));
                break;
            case FieldKind.Qos:
                writer.WriteQosField(field.FieldId, field.Qos);
                break;
            default:
                ReadOnlySpan<byte> text = _texts.AsSpan(field.TextStart, field.Extra);
                writer.WriteStateField(field.FieldId, new RwfState(field.StreamState, field.DataState, field.StateCode, text));
                break;
        }
    }

    private int Measure()
    {
        // More than any field takes without its text: id, a three-byte length and 16 bytes of value.
        const int MostFieldBytes = 2 + 3 + 16;
        byte[] room = new byte[ListHeadBytes + (_fields.Length * MostFieldBytes) + _texts.Length];
        RwfWriter writer = new(room);
        return EncodeList(ref writer)
            ? writer.Written
            : throw new InvalidOperationException("a field list does not fit its own measure");
    }
}
