using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Sessions;

/// <summary>Turns every entry of a field list into a typed value by its dictionary type, and uses it: a checksum is kept to the end.</summary>
/// <remarks>One owner thread; no allocation. What is measured as decoding is this.</remarks>
public sealed class FieldListDecoder(FieldDictionary dictionary)
{
    private readonly ulong[] _stamps = new ulong[StampFields.Count];
    private ulong _checksum;

    /// <summary>Folds all values decoded so far into one number.</summary>
    public ulong Checksum => _checksum;

    /// <summary>Entries whose field id the dictionary lacks, so far.</summary>
    public long UnknownFields { get; private set; }

    /// <summary>The first such field id; 0 while there is none.</summary>
    public short FirstUnknownField { get; private set; }

    /// <summary>The stamp of an update in the list decoded last; 0 for none.</summary>
    public ulong UpdateStamp => _stamps[0];

    /// <summary>The stamp of a post in the list decoded last; 0 for none.</summary>
    public ulong PostStamp => _stamps[1];

    /// <summary>The stamp of a generic message in the list decoded last; 0 for none.</summary>
    public ulong GenericStamp => _stamps[2];

    /// <summary>Decodes one list from its first to its last entry.</summary>
    /// <param name="list">The payload.</param>
    /// <returns>Success, NoData for an empty payload, or what is wrong; the entries before that were decoded.</returns>
    public DecodeResult Decode(ReadOnlySpan<byte> list)
    {
        _stamps.AsSpan().Clear();
        DecodeResult opened = FieldListReader.TryOpen(list, out FieldListReader reader);
        if (opened != DecodeResult.Success)
            return opened;
        if (reader.Has(FieldListFlags.HasSetData))
            return DecodeEntries(ref reader);

        ulong checksum = _checksum;
        while (reader.TryNext(out short fieldId, out int start, out int length))
        {
            DataType type = dictionary.TypeOf(fieldId);
            if (!TryFold(list, fieldId, type, start, length, ref checksum))
                return DecodeResult.Invalid;
        }

        _checksum = checksum;
        return reader.End == DecodeResult.EndOfContainer ? DecodeResult.Success : reader.End;
    }

    private DecodeResult DecodeEntries(ref FieldListReader reader)
    {
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            DataType type = entry.Type == DataType.Unknown ? dictionary.TypeOf(entry.FieldId) : entry.Type;
            ReadOnlySpan<byte> content = entry.Content;
            if (!TryFold(content, entry.FieldId, type, 0, content.Length, ref _checksum))
                return DecodeResult.Invalid;
        }

        return result == DecodeResult.EndOfContainer ? DecodeResult.Success : result;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryFold(ReadOnlySpan<byte> list, short fieldId, DataType type, int start, int length, ref ulong checksum)
    {
        switch (type)
        {
            case DataType.Real:
                if (RwfPrimitives.TryReadReal(list, start, length, out RwfReal real) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, (ulong)real.Value + real.Hint);
                return true;
            case DataType.Enum:
                if (RwfPrimitives.TryReadEnum(list, start, length, out ushort number) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, number);
                return true;
            case DataType.UInt:
                if (RwfPrimitives.TryReadUInt(list, start, length, out ulong unsigned) > DecodeResult.Blank)
                    return false;
                if (StampFields.IsStamp(fieldId))
                    _stamps[fieldId - StampFields.Update] = unsigned;
                checksum = Fold(checksum, unsigned);
                return true;
            case DataType.Int:
                if (RwfPrimitives.TryReadInt(list, start, length, out long signed) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, (ulong)signed);
                return true;
            default:
                return TryFoldOther(list.Slice(start, length), fieldId, type, ref checksum);
        }
    }

    private bool TryFoldOther(ReadOnlySpan<byte> content, short fieldId, DataType type, ref ulong checksum)
    {
        switch (type)
        {
            case DataType.Time:
                if (RwfPrimitives.TryReadTime(content, out RwfTime time) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, FoldTime(time));
                return true;
            case DataType.Date:
                if (RwfPrimitives.TryReadDate(content, out RwfDate date) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, FoldDate(date));
                return true;
            case DataType.DateTime:
                if (RwfPrimitives.TryReadDateTime(content, out RwfDateTime dateTime) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, FoldDate(dateTime.Date) ^ FoldTime(dateTime.Time));
                return true;
            case DataType.Double:
                if (RwfPrimitives.TryReadDouble(content, out double wide) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, (ulong)BitConverter.DoubleToInt64Bits(wide));
                return true;
            case DataType.Float:
                if (RwfPrimitives.TryReadFloat(content, out float narrow) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, BitConverter.SingleToUInt32Bits(narrow));
                return true;
            case DataType.Qos:
                if (RwfPrimitives.TryReadQos(content, out RwfQos qos) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, ((ulong)qos.Timeliness << 8) + qos.Rate);
                return true;
            case DataType.State:
                if (RwfPrimitives.TryReadState(content, out RwfState state) > DecodeResult.Blank)
                    return false;
                checksum = Fold(checksum, ((ulong)state.Code << 8) + (ulong)state.StreamState + (ulong)state.Text.Length);
                return true;
            case DataType.Unknown:
                NoteUnknown(fieldId);
                return true;
            default: // strings, buffers, arrays and nested containers: their bytes are the value
                checksum = Fold(checksum, FoldBytes(content));
                return true;
        }
    }

    private void NoteUnknown(short fieldId)
    {
        if (UnknownFields++ == 0)
            FirstUnknownField = fieldId;
    }

    private static ulong Fold(ulong checksum, ulong value) => ulong.RotateLeft(checksum, 7) ^ value;

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
