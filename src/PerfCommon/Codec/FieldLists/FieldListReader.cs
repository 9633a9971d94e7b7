using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Flag byte of a field list.</summary>
internal static class FieldListFlags
{
    public const int HasInfo = 0x01; // carries dictionary id and field list number
    public const int HasSetData = 0x02; // carries entries laid out by a set definition
    public const int HasSetId = 0x04; // names the set definition; otherwise it is 0
    public const int HasStandardData = 0x08; // carries self-describing entries
}

/// <summary>One entry of a field list.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("field {FieldId}, {Length} bytes")]
public readonly ref struct FieldEntry
{
    private readonly ReadOnlySpan<byte> _list;

    internal FieldEntry(ReadOnlySpan<byte> list, short fieldId, DataType type, int start, int length)
    {
        _list = list;
        FieldId = fieldId;
        Type = type;
        Start = start;
        Length = length;
    }

    /// <summary>Id of the field; the dictionary tells its type.</summary>
    public short FieldId { get; }

    /// <summary>Base type by the set definition; Unknown for an entry that is not set-defined.</summary>
    public DataType Type { get; }

    /// <summary>Where the content begins in the range the reader was opened on.</summary>
    public int Start { get; }

    /// <summary>Bytes of content; 0 is blank.</summary>
    public int Length { get; }

    /// <summary>The content.</summary>
    public ReadOnlySpan<byte> Content => _list.Slice(Start, Length);
}

/// <summary>Reads the entries of one field list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct FieldListReader
{
    private const int EntryHeadLength = 3;

    private readonly ReadOnlySpan<byte> _list;
    private SetDataReader _set;
    private int _setAt;
    private int _position;
    private int _left;
    private DecodeResult _end;

    private FieldListReader(ReadOnlySpan<byte> list)
    {
        _list = list;
        _end = DecodeResult.EndOfContainer;
    }

    /// <summary>Bits of <see cref="FieldListFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Id of the dictionary; 0 when not carried.</summary>
    public ushort DictionaryId { get; private set; }

    /// <summary>Number of the field list; 0 when not carried.</summary>
    public ushort FieldListNum { get; private set; }

    /// <summary>Id of the set; 0 when not carried.</summary>
    public readonly ushort SetId => _set.SetId;

    /// <summary>Set data as it stands; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> SetData => _set.Data;

    /// <summary>True when a definition was at hand: the set entries are delivered, not skipped.</summary>
    public readonly bool IsSetDefined => _set.IsDefined;

    /// <summary>Number of standard entries the list claims to have.</summary>
    public int StandardCount { get; private set; }

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="FieldListFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens a field list; set data, if there is any, is skipped.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out FieldListReader reader) =>
        TryOpen(range, default, out reader);

    /// <summary>Opens a field list whose set data is laid out by definitions of the container around it.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="definitions">Definitions of the map, vector or series; default for none.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(
        ReadOnlySpan<byte> range,
        scoped in SetDefinitions definitions,
        out FieldListReader reader)
    {
        reader = new FieldListReader(range);
        if (range.IsEmpty)
            return DecodeResult.NoData;
        return reader.Open(definitions);
    }

    /// <summary>Goes on where another reader of the same list stopped.</summary>
    /// <param name="entries">The bytes from its next standard entry on.</param>
    /// <param name="left">Entries that are left.</param>
    internal static FieldListReader OfEntries(ReadOnlySpan<byte> entries, int left) => new(entries) { _left = left };

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out FieldEntry entry)
    {
        // fieldId int16 | length, 1 byte or 0xFE + uint16 | content
        ReadOnlySpan<byte> list = _list;
        int position = _position;
        if (_left != 0 && position <= list.Length - sizeof(uint))
        {
            uint head = BinaryPrimitives.ReadUInt32BigEndian(list.Slice(position, sizeof(uint)));
            int length = (byte)(head >> 8);
            int start = position + EntryHeadLength;
            if (length < LengthMark.TwoMoreBytes && start + length <= list.Length)
            {
                _position = start + length;
                _left--;
                entry = new FieldEntry(list, (short)(head >> 16), DataType.Unknown, start, length);
                return DecodeResult.Success;
            }
        }

        return TryReadNextSlowly(out entry);
    }

    // flags | [info] | [[setId] set data] | [entryCount uint16, entries]
    private DecodeResult Open(scoped in SetDefinitions definitions)
    {
        RwfReader head = new(_list);
        Flags = head.ReadByte();
        if (Has(FieldListFlags.HasInfo))
        {
            RwfReader info = new(head.ReadBuf8());
            DictionaryId = (ushort)info.ReadRb15();
            FieldListNum = info.ReadUInt16();
            if (!info.Good)
                head.Fail(info.Result);
        }

        _set = SetDataReader.Open(ref head, Flags, DataType.FieldList, definitions);
        _setAt = head.Position - SetData.Length;
        if (Has(FieldListFlags.HasStandardData))
            StandardCount = head.ReadUInt16();
        if (!head.Good)
            return Fail(head.Result);
        _position = head.Position;
        _left = _set.Left == 0 ? StandardCount : 0; // else when the last set item was read
        return DecodeResult.Success;
    }

    // Set entries, entries with a long length, the last bytes of the list, the end and every error.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private DecodeResult TryReadNextSlowly(out FieldEntry entry)
    {
        entry = default;
        if (_end != DecodeResult.EndOfContainer)
            return _end;
        if (_set.Left != 0)
            return TryReadNextOfSet(out entry);
        if (_left == 0)
            return DecodeResult.EndOfContainer;

        RwfReader reader = new(_list[_position..]);
        short fieldId = (short)reader.ReadUInt16();
        int length = reader.ReadU16ob();
        int start = _position + reader.Position;
        reader.ReadBytes(length);
        if (!reader.Good)
            return Fail(reader.Result);
        _position = start + length;
        _left--;
        entry = new FieldEntry(_list, fieldId, DataType.Unknown, start, length);
        return DecodeResult.Success;
    }

    private DecodeResult TryReadNextOfSet(out FieldEntry entry)
    {
        entry = default;
        DecodeResult result = _set.TryReadNext(out SetDefinitionEntry definition, out int start, out int length);
        if (result != DecodeResult.Success)
            return Fail(result);
        if (_set.Left == 0)
            _left = StandardCount;
        entry = new FieldEntry(_list, definition.FieldId, DataTypes.BaseOf(definition.Type), _setAt + start, length);
        return DecodeResult.Success;
    }

    private DecodeResult Fail(DecodeResult result)
    {
        _end = result;
        _left = 0;
        return result;
    }
}
