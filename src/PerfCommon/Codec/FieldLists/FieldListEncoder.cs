using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>
/// Encodes typed values as the entries of a field list, each anew every time: the mirror of <see cref="FieldListDecoder"/>.
/// </summary>
/// <remarks>
/// Immutable but for <see cref="Set"/>, so any number of threads may encode from it. No allocation. This is the work measured as encoding.
/// </remarks>
internal sealed class FieldListEncoder
{
    /// <summary>Buffer bytes beyond the list's own length that the quick path needs; without them the encoded bytes are the same.</summary>
    public const int Slack = EncodableField.WantedRoom;

    // wire/rwf 4.1
    private const int ListHeadLength = 3;

    private readonly FieldValue[] _values;
    private readonly byte[] _texts;
    private readonly EncodableField[] _fields; // the same values; empty when one of them is of a rare kind

    /// <summary>Creates an encoder.</summary>
    /// <param name="values">The values.</param>
    /// <param name="texts">Contents of the strings and states.</param>
    public FieldListEncoder(FieldValue[] values, byte[] texts)
    {
        (_values, _texts) = (values, texts);
        EncodableField[] fields = Array.ConvertAll(values, value => EncodableField.Of(value, texts));
        _fields = Array.Exists(fields, field => field.Kind == EncodableKind.None) ? [] : fields;
    }

    /// <summary>True when the list is encoded on the quick path: it has no value of a rare kind.</summary>
    public bool IsQuick => _fields.Length > 0;

    /// <summary>Changes a number.</summary>
    public void Set(int index, FieldValue value)
    {
        _values[index] = value;
        if (IsQuick)
            _fields[index] = EncodableField.Of(value, _texts);
    }

    /// <summary>Encodes the list: flags, count, entries, and one more entry for a time stamp.</summary>
    /// <param name="room">The output buffer.</param>
    /// <param name="stampFieldId">Field of the stamp, of type UINT.</param>
    /// <param name="stamp">Its value; 0 for no such entry.</param>
    /// <returns>Number of bytes; 0 when the buffer is too small.</returns>
    public int Encode(Span<byte> room, short stampFieldId, ulong stamp)
    {
        EncodableField[] fields = _fields;
        if (fields.Length == 0 || room.Length < ListHeadLength)
            return EncodeSlowly(room, stampFieldId, stamp);

        room[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)(fields.Length + (stamp != 0 ? 1 : 0)));
        Span<byte> rest = room[ListHeadLength..];
        for (int done = EncodeQuickly(ref rest, fields); done < fields.Length; done += EncodeQuickly(ref rest, fields.AsSpan(done)))
        {
            if (!fields[done++].TryEncodeText(_texts, ref rest))
                return EncodeSlowly(room, stampFieldId, stamp);
        }

        if (stamp != 0)
        {
            if (rest.Length < EncodableField.WantedRoom)
                return EncodeSlowly(room, stampFieldId, stamp);
            rest = rest[EncodableField.OfUInt(stampFieldId, (long)stamp).Encode(rest[..EncodableField.WantedRoom])..];
        }

        return room.Length - rest.Length;
    }

    // Encodes the leading fields that are of a frequent kind and surely fit. Nothing is called here, so all values stay in registers.
    private static int EncodeQuickly(ref Span<byte> room, ReadOnlySpan<EncodableField> fields)
    {
        Span<byte> rest = room;
        int done = 0;
        while (done < fields.Length && rest.Length >= EncodableField.WantedRoom && fields[done].Kind != EncodableKind.Text)
        {
            int size = fields[done++].Encode(rest[..EncodableField.WantedRoom]);
            rest = rest[size..];
        }

        room = rest;
        return done;
    }

    /// <summary>Encodes the entries one by one into a field list that the caller has begun and ends.</summary>
    /// <param name="writer">Fails when the buffer is too small.</param>
    public void EncodeFields(ref RwfWriter writer)
    {
        foreach (ref readonly FieldValue value in _values.AsSpan())
            EncodeField(ref writer, value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int EncodeSlowly(Span<byte> room, short stampFieldId, ulong stamp)
    {
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        EncodeFields(ref writer);
        if (stamp != 0)
            writer.WriteUIntField(stampFieldId, stamp);
        return writer.EndFieldList() ? writer.Written : 0;
    }

    private void EncodeField(ref RwfWriter writer, in FieldValue value)
    {
        ReadOnlySpan<byte> text = value.HasText ? _texts.AsSpan(value.TextStart, value.Extra) : default;
        writer.BeginField(value.FieldId);
        _ = value.Kind switch
        {
            FieldKind.Real => writer.WriteReal(new RwfReal(value.Number, value.Hint)),
            FieldKind.UInt or FieldKind.Enum => writer.WriteUInt((ulong)value.Number),
            FieldKind.Int => writer.WriteInt(value.Number),
            FieldKind.Time => writer.WriteTime(value.Time),
            FieldKind.Date => writer.WriteDate(value.Date),
            FieldKind.Bytes => writer.WriteContent(text),
            FieldKind.Blank => writer.WriteBlank(),
            FieldKind.DateTime => writer.WriteDateTime(new RwfDateTime(value.Date, value.Time)),
            FieldKind.Float => writer.WriteFloat(BitConverter.Int32BitsToSingle((int)value.Number)),
            FieldKind.Double => writer.WriteDouble(BitConverter.Int64BitsToDouble(value.Number)),
            FieldKind.Qos => writer.WriteQos(value.Qos),
            _ => writer.WriteState(new RwfState(value.StreamState, value.DataState, value.StateCode, text)),
        };
    }
}
