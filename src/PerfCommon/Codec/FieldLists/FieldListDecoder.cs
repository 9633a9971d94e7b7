using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>The type of every field id, as a dictionary knows them: one array access each.</summary>
/// <remarks>Immutable, so any thread may ask it.</remarks>
internal sealed class FieldTypeTable
{
    private const int FieldIdCount = 65_536;

    private readonly DataType[] _types = new DataType[FieldIdCount];

    /// <summary>Makes the table.</summary>
    /// <param name="types">The ids that are known; the type of all others is <see cref="DataType.Unknown"/>.</param>
    public FieldTypeTable(IEnumerable<(short FieldId, DataType Type)> types)
    {
        ArgumentNullException.ThrowIfNull(types);
        foreach ((short fieldId, DataType type) in types)
            _types[(ushort)fieldId] = type;
    }

    /// <summary>The type of a field; <see cref="DataType.Unknown"/> when the dictionary lacks it.</summary>
    public DataType TypeOf(short fieldId) => _types[(ushort)fieldId];
}

/// <summary>Turns every entry of a field list into a typed value by its dictionary type, and uses it: a checksum is kept to the end.</summary>
/// <remarks>One owner thread; no allocation. What is measured as decoding is this.</remarks>
/// <param name="types">What the values are.</param>
/// <param name="firstKeptField">First of the fields of type UINT whose values are kept, such as time stamps; their ids are consecutive.</param>
/// <param name="keptFields">How many these are.</param>
internal sealed class FieldListDecoder(FieldTypeTable types, short firstKeptField, int keptFields)
{
    private readonly ulong[] _kept = new ulong[keptFields];
    private ulong _checksum;

    /// <summary>Folds all values decoded so far into one number.</summary>
    public ulong Checksum => _checksum;

    /// <summary>Entries whose field id the dictionary lacks, so far.</summary>
    public long UnknownFields { get; private set; }

    /// <summary>The first such field id; 0 while there is none.</summary>
    public short FirstUnknownField { get; private set; }

    /// <summary>The value of a kept field in the list decoded last; 0 for none.</summary>
    /// <param name="index">Which one, counted from the first kept field.</param>
    public ulong Kept(int index) => _kept[index];

    /// <summary>Decodes one list from its first to its last entry.</summary>
    /// <param name="list">The payload.</param>
    /// <returns>Success, NoData for an empty payload, or what is wrong; the entries before that were decoded.</returns>
    public DecodeResult Decode(ReadOnlySpan<byte> list)
    {
        _kept.AsSpan().Clear();
        if (list.Length > 0 && (list[0] & ListFlags.HasSetData) != 0)
            return DecodeSetList(list);

        ulong checksum = _checksum;
        bool sound = true;
        FieldCursor cursor = new(list);
        while (sound && cursor.TryNext(out short fieldId, out int start, out int length))
            checksum = Fold(checksum, ValueOf(list, fieldId, types.TypeOf(fieldId), start, length, ref sound));

        _checksum = checksum;
        if (!sound)
            return DecodeResult.Invalid;
        return cursor.End == DecodeResult.EndOfContainer ? DecodeResult.Success : cursor.End;
    }

    private DecodeResult DecodeSetList(ReadOnlySpan<byte> list)
    {
        DecodeResult opened = FieldListReader.TryOpen(list, out FieldListReader reader);
        if (opened != DecodeResult.Success)
            return opened;
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            DataType type = entry.Type == DataType.Unknown ? types.TypeOf(entry.FieldId) : entry.Type;
            ReadOnlySpan<byte> content = entry.Content;
            bool sound = true;
            _checksum = Fold(_checksum, ValueOf(content, entry.FieldId, type, 0, content.Length, ref sound));
            if (!sound)
                return DecodeResult.Invalid;
        }

        return result == DecodeResult.EndOfContainer ? DecodeResult.Success : result;
    }

    // The types that make up market data stand inline; the rest is a call.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong ValueOf(ReadOnlySpan<byte> list, short fieldId, DataType type, int start, int length, ref bool sound)
    {
        DecodeResult result;
        switch (type)
        {
            case DataType.Real:
                result = RwfPrimitives.TryReadReal(list, start, length, out RwfReal real);
                sound = result <= DecodeResult.Blank;
                return (ulong)real.Value + real.Hint;
            case DataType.Enum:
                result = RwfPrimitives.TryReadEnum(list, start, length, out ushort number);
                sound = result <= DecodeResult.Blank;
                return number;
            case DataType.UInt:
                result = RwfPrimitives.TryReadUInt(list, start, length, out ulong unsigned);
                sound = result <= DecodeResult.Blank;
                if ((uint)(fieldId - firstKeptField) < (uint)_kept.Length)
                    _kept[fieldId - firstKeptField] = unsigned;
                return unsigned;
            case DataType.Int:
                result = RwfPrimitives.TryReadInt(list, start, length, out long signed);
                sound = result <= DecodeResult.Blank;
                return (ulong)signed;
            case DataType.Time:
                result = RwfPrimitives.TryReadTime(list, start, length, out RwfTime time);
                sound = result <= DecodeResult.Blank;
                return FoldTime(time);
            case DataType.RmtesString or DataType.AsciiString when length <= sizeof(ulong):
                RwfPrimitives.TryReadUInt(list, start, length, out ulong letters); // all letters at once
                return letters;
            default:
                (result, ulong value) = OtherValueOf(list.Slice(start, length), fieldId, type);
                sound = result <= DecodeResult.Blank;
                return value;
        }
    }

    private (DecodeResult Result, ulong Value) OtherValueOf(ReadOnlySpan<byte> content, short fieldId, DataType type)
    {
        switch (type)
        {
            case DataType.Date:
                return (RwfPrimitives.TryReadDate(content, out RwfDate date), FoldDate(date));
            case DataType.DateTime:
                return (RwfPrimitives.TryReadDateTime(content, out RwfDateTime dateTime), FoldDate(dateTime.Date) ^ FoldTime(dateTime.Time));
            case DataType.Double:
                return (RwfPrimitives.TryReadDouble(content, out double wide), (ulong)BitConverter.DoubleToInt64Bits(wide));
            case DataType.Float:
                return (RwfPrimitives.TryReadFloat(content, out float narrow), BitConverter.SingleToUInt32Bits(narrow));
            case DataType.Qos:
                return (RwfPrimitives.TryReadQos(content, out RwfQos qos), ((ulong)qos.Timeliness << 8) + qos.Rate);
            case DataType.State:
                DecodeResult result = RwfPrimitives.TryReadState(content, out RwfState state);
                return (result, ((ulong)state.Code << 8) + (ulong)state.StreamState + (ulong)state.Text.Length);
            case DataType.Unknown:
                NoteUnknown(fieldId);
                return (DecodeResult.Success, 0);
            default: // strings, buffers, arrays and nested containers: their bytes are the value
                return (DecodeResult.Success, FoldBytes(content));
        }
    }

    private void NoteUnknown(short fieldId)
    {
        if (UnknownFields++ == 0)
            FirstUnknownField = fieldId;
    }

    private static ulong Fold(ulong checksum, ulong value) => ulong.RotateLeft(checksum, 7) + value;

    private static ulong FoldDate(RwfDate date) => ((ulong)date.Year << 16) + ((ulong)date.Month << 8) + date.Day;

    private static ulong FoldTime(RwfTime time) =>
        ((ulong)time.Hour << 56) + ((ulong)time.Minute << 48) + ((ulong)time.Second << 40)
        + ((ulong)time.Millisecond << 24) + ((ulong)time.Microsecond << 12) + time.Nanosecond;

    private static ulong FoldBytes(ReadOnlySpan<byte> content)
    {
        ulong sum = (ulong)content.Length;
        foreach (byte letter in content)
            sum = (sum << 5) - sum + letter;
        return sum;
    }
}
