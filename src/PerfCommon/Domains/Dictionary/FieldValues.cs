using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads the values of one field list, by field id or by name.</summary>
/// <remarks>
/// Borrows the message. No allocation but for <see cref="TextOf(short)"/>. Each look-up searches the list from its beginning: to read
/// most of its fields, read them one after the other (<see cref="Entries"/>). The result is false for a field that is absent, is blank, or
/// holds no such value.
/// </remarks>
/// <param name="entries">A reader of the list; the look-ups begin at its position.</param>
/// <param name="dictionary">The dictionary that defines the fields; a consumer's session has it.</param>
public readonly ref struct FieldValues(FieldListReader entries, FieldDictionary dictionary)
{
    /// <param name="list">The payload of a refresh, update or generic message.</param>
    /// <param name="dictionary">The dictionary that defines the fields.</param>
    public FieldValues(ReadOnlySpan<byte> list, FieldDictionary dictionary)
        : this(Open(list), dictionary)
    {
    }

    /// <summary>Reads the entries one after the other; there are none in a payload that is no field list.</summary>
    public FieldListReader Entries { get; } = entries;

    /// <summary>Finds a field by its id.</summary>
    /// <returns>False when it is absent; true also for a blank one.</returns>
    public bool TryFind(short fieldId, out FieldEntry entry)
    {
        FieldListReader reader = Entries;
        while (reader.TryReadNext(out entry) == DecodeResult.Success)
        {
            if (entry.FieldId == fieldId)
                return true;
        }

        return false;
    }

    /// <summary>Finds a field by its name, such as <c>BID</c>; case counts.</summary>
    /// <returns>False when it is absent, or the dictionary does not define it; true also for a blank one.</returns>
    public bool TryFind(string acronym, out FieldEntry entry) => TryFind(IdOf(acronym), out entry);

    /// <summary>Reads a number of any kind: Real, Int, UInt, Enum, Float, Double.</summary>
    public bool TryGet(short fieldId, out double value)
    {
        value = 0;
        return TryFind(fieldId, out FieldEntry entry) && TypeOf(entry) switch
        {
            DataType.Real =>
                RwfPrimitives.TryReadReal(entry.Content, out RwfReal real) == DecodeResult.Success && Assign(real.ToDouble(), out value),
            DataType.Float =>
                RwfPrimitives.TryReadFloat(entry.Content, out float single) == DecodeResult.Success && Assign(single, out value),
            DataType.Double => RwfPrimitives.TryReadDouble(entry.Content, out value) == DecodeResult.Success,
            DataType.UInt =>
                RwfPrimitives.TryReadUInt(entry.Content, out ulong unsigned) == DecodeResult.Success && Assign(unsigned, out value),
            _ => TryReadWhole(entry, out long whole) && Assign(whole, out value),
        };
    }

    /// <summary>Reads a number of any kind, by the field's name.</summary>
    public bool TryGet(string acronym, out double value) => TryGet(IdOf(acronym), out value);

    /// <summary>Reads a whole number: Int, UInt, Enum; also a time stamp.</summary>
    public bool TryGet(short fieldId, out long value)
    {
        value = 0;
        return TryFind(fieldId, out FieldEntry entry) && TryReadWhole(entry, out value);
    }

    /// <summary>Reads a whole number, by the field's name.</summary>
    public bool TryGet(string acronym, out long value) => TryGet(IdOf(acronym), out value);

    /// <summary>Reads a Real as encoded on the wire, with all its digits.</summary>
    public bool TryGet(short fieldId, out RwfReal value)
    {
        value = RwfReal.BlankValue;
        return TryFind(fieldId, out FieldEntry entry) && TypeOf(entry) == DataType.Real
            && RwfPrimitives.TryReadReal(entry.Content, out value) == DecodeResult.Success;
    }

    /// <summary>Reads a Real as encoded on the wire, by the field's name.</summary>
    public bool TryGet(string acronym, out RwfReal value) => TryGet(IdOf(acronym), out value);

    /// <summary>Reads the bytes of a text, or of a field of any other type.</summary>
    public bool TryGet(short fieldId, out ReadOnlySpan<byte> value)
    {
        bool isThere = TryFind(fieldId, out FieldEntry entry) && entry.Length > 0;
        value = isThere ? entry.Content : default;
        return isThere;
    }

    /// <summary>Reads the bytes of a text, by the field's name.</summary>
    public bool TryGet(string acronym, out ReadOnlySpan<byte> value) => TryGet(IdOf(acronym), out value);

    /// <summary>Formats a field's value for people; empty when it is blank or absent. Allocates a string.</summary>
    public string TextOf(short fieldId) => TryFind(fieldId, out FieldEntry entry) ? dictionary.TextOf(entry) : "";

    /// <summary>Formats a field's value for people, by its name. Allocates a string.</summary>
    public string TextOf(string acronym) => TextOf(IdOf(acronym));

    private static FieldListReader Open(ReadOnlySpan<byte> list)
    {
        FieldListReader.TryOpen(list, out FieldListReader reader);
        return reader;
    }

    private DataType TypeOf(scoped in FieldEntry entry) => entry.Type == DataType.Unknown ? dictionary.TypeOf(entry.FieldId) : entry.Type;

    private bool TryReadWhole(scoped in FieldEntry entry, out long value)
    {
        value = 0;
        switch (TypeOf(entry))
        {
            case DataType.Int:
                return RwfPrimitives.TryReadInt(entry.Content, out value) == DecodeResult.Success;
            case DataType.Enum:
                bool isEnum = RwfPrimitives.TryReadEnum(entry.Content, out ushort number) == DecodeResult.Success;
                value = number;
                return isEnum;
            case DataType.UInt:
                bool isUInt = RwfPrimitives.TryReadUInt(entry.Content, out ulong unsigned) == DecodeResult.Success
                    && unsigned <= long.MaxValue;
                value = isUInt ? (long)unsigned : 0;
                return isUInt;
            default:
                return false;
        }
    }

    // 0 is not the id of any field.
    private short IdOf(string acronym) => dictionary.TryFind(acronym, out FieldDefinition? field) ? field.Fid : (short)0;

    private static bool Assign(double number, out double value)
    {
        value = number;
        return true;
    }
}
