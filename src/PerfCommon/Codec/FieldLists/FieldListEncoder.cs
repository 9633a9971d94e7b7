namespace PerfCommon.Codec;

/// <summary>Writes typed values as the entries of a field list: the mirror of <see cref="FieldListDecoder"/>.</summary>
/// <remarks>What is measured as encoding is this: every value is turned into its bytes anew. No allocation.</remarks>
internal static class FieldListEncoder
{
    /// <summary>Bytes of anything behind the last text, so that a text of a few bytes is copied as one block.</summary>
    public const int TextPadding = 16;

    /// <summary>Encodes the fields one by one into a field list that the caller has begun and ends.</summary>
    /// <param name="writer">Fails when the room is too small.</param>
    /// <param name="fields">The values.</param>
    /// <param name="texts">Contents of the strings and states, then <see cref="TextPadding"/> bytes.</param>
    public static void EncodeFields(ref RwfWriter writer, scoped ReadOnlySpan<FieldValue> fields, ReadOnlySpan<byte> texts)
    {
        FieldPen pen = writer.BeginFields();
        foreach (ref readonly FieldValue field in fields)
        {
            bool written = field.Kind switch
            {
                FieldKind.Real => pen.TryWriteReal(field.FieldId, field.Number, field.Hint),
                FieldKind.UInt or FieldKind.Enum => pen.TryWriteUInt(field.FieldId, (ulong)field.Number),
                FieldKind.Int => pen.TryWriteInt(field.FieldId, field.Number),
                FieldKind.Time => pen.TryWriteTime(field.FieldId, field.Time),
                FieldKind.Date => pen.TryWriteDate(field.FieldId, field.Date),
                FieldKind.Bytes => pen.TryWriteBytes(field.FieldId, texts[field.TextStart..], field.Extra),
                _ => false,
            };
            if (written)
                continue;
            writer.EndFields(pen);
            EncodeRareField(ref writer, in field, texts);
            pen = writer.BeginFields();
        }

        writer.EndFields(pen);
    }

    private static void EncodeRareField(ref RwfWriter writer, ref readonly FieldValue field, ReadOnlySpan<byte> texts)
    {
        writer.BeginField(field.FieldId);
        _ = field.Kind switch
        {
            FieldKind.Real => writer.WriteReal(new RwfReal(field.Number, field.Hint)),
            FieldKind.UInt or FieldKind.Enum => writer.WriteUInt((ulong)field.Number),
            FieldKind.Int => writer.WriteInt(field.Number),
            FieldKind.Time => writer.WriteTime(field.Time),
            FieldKind.Date => writer.WriteDate(field.Date),
            FieldKind.Bytes => writer.WriteContent(texts.Slice(field.TextStart, field.Extra)),
            FieldKind.Blank => writer.WriteBlank(),
            FieldKind.DateTime => writer.WriteDateTime(new RwfDateTime(field.Date, field.Time)),
            FieldKind.Float => writer.WriteFloat(BitConverter.Int32BitsToSingle((int)field.Number)),
            FieldKind.Double => writer.WriteDouble(BitConverter.Int64BitsToDouble(field.Number)),
            FieldKind.Qos => writer.WriteQos(field.Qos),
            _ => writer.WriteState(
                new RwfState(field.StreamState, field.DataState, field.StateCode, texts.Slice(field.TextStart, field.Extra))),
        };
    }
}
