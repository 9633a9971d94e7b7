using System.Buffers.Binary;
using System.Collections;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>
/// Decodes every entry of a field list into a typed value by its dictionary type, and adds it to a checksum that uses every value.
/// </summary>
/// <remarks>
/// One owner thread; no allocation. This is the work measured as decoding. <see cref="FieldListEncoder"/> is its mirror: there a value is
/// written by one store of eight bytes, here it is read by one load of the eight bytes that end with it.
/// </remarks>
public sealed partial class FieldListDecoder
{
    // wire/rwf 4.1
    private const int ListHeadLength = 3;

    // The window: eight bytes before an entry, then fieldId int16 | length, 1 byte or 0xFE + uint16 | content
    private const int BytesBefore = sizeof(ulong);
    private const int LengthAt = BytesBefore + sizeof(short);
    private const int ContentAt = LengthAt + 1;
    private const int EntryHeadLength = ContentAt - BytesBefore;

    private const int SecondsTimeLength = 3; // wire/rwf 3
    private const int DateLength = 4; // wire/rwf 3
    private const byte RealHintMask = 0x3F; // wire/rwf 3

    private readonly short _firstKeptField;
    private readonly DataType[] _types;
    private readonly ulong[] _kept;
    private readonly List<short> _unknownIds = [];
    private BitArray? _isUnknown; // by field id, once one was
    private ulong _checksum;

    /// <param name="types">Types of the fields.</param>
    /// <param name="firstKeptField">First of the fields of type UINT whose values are kept, such as time stamps; their ids are consecutive.</param>
    /// <param name="keptFields">Number of these fields.</param>
    internal FieldListDecoder(FieldTypeTable types, short firstKeptField, int keptFields) =>
        (_types, _firstKeptField, _kept) = (types.ByFieldId, firstKeptField, new ulong[keptFields]);

    /// <summary>Checksum of all values decoded so far.</summary>
    internal ulong Checksum => _checksum;

    /// <summary>Number of entries so far whose field id the dictionary lacks.</summary>
    public long UnknownFields { get; private set; }

    /// <summary>Their field ids, each once, in order of arrival.</summary>
    public IReadOnlyList<short> UnknownIds => _unknownIds;

    /// <summary>True when the list, or the lists of the map, decoded last had at least one field whose value is kept.</summary>
    public bool HasKept { get; private set; }

    /// <summary>The value of a kept field in the list, or the lists of the map, decoded last; 0 for none.</summary>
    /// <param name="index">Index of the field, counted from the first kept field.</param>
    public ulong Kept(int index) => _kept[index];

    /// <summary>Decodes the field list or map of a message.</summary>
    /// <returns>Success, NoData for an empty list or another payload, or the error; the entries before the error were decoded.</returns>
    public DecodeResult Decode(scoped in RwfMsg message) => Decode(message.ContainerType, message.Message, message.PayloadStart);

    /// <summary>Decodes the field list or map of an update.</summary>
    /// <inheritdoc cref="Decode(in RwfMsg)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DecodeResult Decode(scoped in UpdateHeader update) => update.ContainerType == DataType.FieldList
        ? Decode(update.Message, update.PayloadStart) : Decode(update.ContainerType, update.Message, update.PayloadStart);

    /// <summary>Decodes the list that ends a message, from its first to its last entry.</summary>
    /// <param name="message">The message; the bytes before the list are read only to make decoding quicker.</param>
    /// <param name="listAt">Offset of the list in the message.</param>
    /// <returns>Success, NoData for an empty list, or the error; the entries before the error were decoded.</returns>
    internal DecodeResult Decode(ReadOnlySpan<byte> message, int listAt)
    {
        if (HasKept)
            DiscardKept();
        return HasWindow(message, listAt) ? DecodeByWindow(message, listAt) : DecodeSlowly(message[listAt..]);
    }

    private DecodeResult Decode(DataType containerType, ReadOnlySpan<byte> message, int payloadAt)
    {
        if (containerType == DataType.FieldList)
            return Decode(message, payloadAt);
        if (containerType == DataType.Map)
            return DecodeMap(message, payloadAt);
        DiscardKept();
        return DecodeResult.NoData;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasWindow(ReadOnlySpan<byte> message, int listAt)
    {
        int windowAt = WindowAt(listAt);
        return windowAt >= 0 && windowAt <= message.Length - BytesBefore && message[listAt] == ListFlags.HasStandardData;
    }

    private static int WindowAt(int listAt) => listAt + ListHeadLength - BytesBefore;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private DecodeResult DecodeByWindow(ReadOnlySpan<byte> message, int listAt)
    {
        ReadOnlySpan<byte> window = message[WindowAt(listAt)..];
        int left = BinaryPrimitives.ReadUInt16BigEndian(window[(BytesBefore - sizeof(ushort))..]);
        while ((left = DecodeQuickly(ref window, left)) > 0)
        {
            DecodeResult result = DecodeNext(ref window, left--);
            if (result != DecodeResult.Success)
                return result;
        }

        return DecodeResult.Success;
    }

    // Decodes the leading entries that have a frequent form. All values stay in registers: nothing is called, and only the results are stored.
    private int DecodeQuickly(ref ReadOnlySpan<byte> rest, int left)
    {
        ReadOnlySpan<byte> window = rest;
        DataType[] typesById = _types;
        ulong checksum = _checksum;
        while (left > 0 && window.Length > ContentAt)
        {
            // The window of the next entry begins with the last eight bytes of this entry's value.
            int length = window[LengthAt];
            int size = EntryHeadLength + length;
            if ((uint)size > (uint)window.Length)
                break;
            ReadOnlySpan<byte> next = window[size..];
            if (next.Length < BytesBefore)
                break;
            ulong raw = BinaryPrimitives.ReadUInt64BigEndian(next);
            ushort fieldId = (ushort)((window[BytesBefore] << 8) | window[BytesBefore + 1]); // no bound check remains in this form
            DataType type = typesById[fieldId];
            byte hint;
            ulong value;

            // The most frequent type is tested first: this order decides the speed where no profile guides the compiler.
            if (type == DataType.Real && (uint)(length - 2) < sizeof(long) && (hint = (byte)(window[ContentAt] & RealHintMask)) <= RealHint.Fraction256)
                value = FoldReal(new RwfReal(LowSigned(raw, length - 1), hint));
            else if (type == DataType.Enum && (uint)(length - 1) < sizeof(ushort))
                value = Low(raw, length);
            else if (type == DataType.Time && length == SecondsTimeLength && (byte)(raw >> 16) != byte.MaxValue)
                value = FoldTime(new RwfTime((byte)(raw >> 16), (byte)(raw >> 8), (byte)raw));
            else if (type == DataType.UInt && (uint)(length - 1) < sizeof(ulong))
                Keep((short)fieldId, value = Low(raw, length));
            else if (type is DataType.RmtesString or DataType.AsciiString && (uint)(length - 1) < sizeof(ulong))
                value = Low(raw, length); // all letters at once
            else if (type == DataType.Date && length == DateLength)
                value = FoldDate(new RwfDate((byte)(raw >> 24), (byte)(raw >> 16), (ushort)raw));
            else if (type == DataType.Int && (uint)(length - 1) < sizeof(long))
                value = (ulong)LowSigned(raw, length);
            else
                break;

            checksum = Fold(checksum, value);
            window = next;
            left--;
        }

        _checksum = checksum;
        rest = window;
        return left;
    }

    // Decodes one entry of any form: the rare types, long ones, the last blank of a list, and every error.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private DecodeResult DecodeNext(ref ReadOnlySpan<byte> window, int left)
    {
        FieldListReader reader = FieldListReader.OfEntries(window[BytesBefore..], left);
        DecodeResult result = reader.TryReadNext(out FieldEntry entry);
        if (result != DecodeResult.Success)
            return result;
        window = window[(entry.Start + entry.Length)..];
        return Use(entry);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private DecodeResult DecodeSlowly(ReadOnlySpan<byte> list) => DecodeSlowly(list, default);

    private DecodeResult DecodeSlowly(ReadOnlySpan<byte> list, scoped in SetDefinitions definitions)
    {
        DecodeResult result = FieldListReader.TryOpen(list, definitions, out FieldListReader reader);
        while (result == DecodeResult.Success && (result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
            result = Use(entry);
        return result == DecodeResult.EndOfContainer ? DecodeResult.Success : result;
    }

    private DecodeResult Use(FieldEntry entry)
    {
        DataType type = entry.Type == DataType.Unknown ? _types[(ushort)entry.FieldId] : entry.Type;
        (bool isSound, ulong value) = ValueOf(entry.Content, entry.FieldId, type);
        if (!isSound) // wire/rwf 9.1
            return DecodeResult.Invalid;
        _checksum = Fold(_checksum, value);
        return DecodeResult.Success;
    }

    private (bool IsSound, ulong Value) ValueOf(ReadOnlySpan<byte> content, short fieldId, DataType type)
    {
        switch (type)
        {
            case DataType.Real:
                return (IsSound(RwfPrimitives.TryReadReal(content, out RwfReal real)), FoldReal(real));
            case DataType.Enum:
                return (IsSound(RwfPrimitives.TryReadEnum(content, out ushort number)), number);
            case DataType.UInt:
                bool isSound = IsSound(RwfPrimitives.TryReadUInt(content, out ulong unsigned));
                Keep(fieldId, unsigned);
                return (isSound, unsigned);
            case DataType.Int:
                return (IsSound(RwfPrimitives.TryReadInt(content, out long signed)), (ulong)signed);
            case DataType.Time:
                return (IsSound(RwfPrimitives.TryReadTime(content, out RwfTime time)), FoldTime(time));
            case DataType.RmtesString or DataType.AsciiString when content.Length <= sizeof(ulong):
                RwfPrimitives.TryReadUInt(content, out ulong letters);
                return (true, letters);
            case DataType.Date:
                return (IsSound(RwfPrimitives.TryReadDate(content, out RwfDate date)), FoldDate(date));
            case DataType.DateTime:
                return (IsSound(RwfPrimitives.TryReadDateTime(content, out RwfDateTime moment)),
                    FoldDate(moment.Date) ^ FoldTime(moment.Time));
            case DataType.Double:
                return (IsSound(RwfPrimitives.TryReadDouble(content, out double wide)), (ulong)BitConverter.DoubleToInt64Bits(wide));
            case DataType.Float:
                return (IsSound(RwfPrimitives.TryReadFloat(content, out float narrow)), BitConverter.SingleToUInt32Bits(narrow));
            case DataType.Qos:
                return (IsSound(RwfPrimitives.TryReadQos(content, out RwfQos qos)), ((ulong)qos.Timeliness << 8) + qos.Rate);
            case DataType.State:
                return (IsSound(RwfPrimitives.TryReadState(content, out RwfState state)), FoldState(state));
            case DataType.Unknown:
                CountUnknown(fieldId);
                return (true, 0);
            default: // strings, buffers, arrays and nested containers: their bytes are the value
                return (true, FoldBytes(content));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Keep(short fieldId, ulong value)
    {
        if ((uint)(fieldId - _firstKeptField) >= (uint)_kept.Length)
            return;
        _kept[fieldId - _firstKeptField] = value;
        HasKept = true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void DiscardKept()
    {
        Array.Clear(_kept);
        HasKept = false;
    }

    private void CountUnknown(short fieldId)
    {
        UnknownFields++;
        _isUnknown ??= new BitArray(1 + ushort.MaxValue);
        if (_isUnknown[(ushort)fieldId])
            return;
        _isUnknown[(ushort)fieldId] = true;
        _unknownIds.Add(fieldId);
    }

    private static bool IsSound(DecodeResult result) => result <= DecodeResult.Blank;

    // The last 1 to 8 bytes of eight; the shift counts modulo 64.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Low(ulong raw, int length) => raw << (-8 * length) >> (-8 * length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long LowSigned(ulong raw, int length) => (long)raw << (-8 * length) >> (-8 * length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Fold(ulong checksum, ulong value) => ulong.RotateLeft(checksum, 7) + value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FoldReal(RwfReal real) => (ulong)real.Value + real.Hint;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FoldDate(RwfDate date) => ((ulong)date.Year << 16) + ((ulong)date.Month << 8) + date.Day;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FoldTime(RwfTime time) =>
        ((ulong)time.Hour << 56) + ((ulong)time.Minute << 48) + ((ulong)time.Second << 40)
        + ((ulong)time.Millisecond << 24) + ((ulong)time.Microsecond << 12) + time.Nanosecond;

    private static ulong FoldState(RwfState state) => ((ulong)state.Code << 8) + (ulong)state.StreamState + (ulong)state.Text.Length;

    private static ulong FoldBytes(ReadOnlySpan<byte> content)
    {
        ulong sum = (ulong)content.Length;
        foreach (byte letter in content)
            sum = (sum << 5) - sum + letter;
        return sum;
    }
}
