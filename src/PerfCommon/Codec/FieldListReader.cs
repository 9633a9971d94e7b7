using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Reads the entries of one field list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref partial struct FieldListReader
{
    private const int EntryHeadLength = 3;

    private readonly ReadOnlySpan<byte> _list;
    private int _position;
    private int _left;
    private DecodeResult _end;

    // Set data, which comes first.
    private SetDefinitionReader _setEntries;
    private int _setLeft;
    private int _setPosition;
    private int _setEnd;
    private int _standardLeft;

    private FieldListReader(ReadOnlySpan<byte> list)
    {
        _list = list;
        _end = DecodeResult.EndOfContainer;
    }

    /// <summary>Bits of <see cref="FieldListFlags"/>.</summary>
    internal byte Flags { get; private set; }

    /// <summary>Id of the dictionary; 0 when not carried.</summary>
    public ushort DictionaryId { get; private set; }

    /// <summary>Number of the field list; 0 when not carried.</summary>
    public ushort FieldListNum { get; private set; }

    /// <summary>Id of the set; 0 when not carried.</summary>
    internal ushort SetId { get; private set; }

    /// <summary>Set data as it stands; empty when there is none.</summary>
    internal ReadOnlySpan<byte> SetData { get; private set; }

    /// <summary>True when a definition was at hand: the set entries are delivered, not skipped.</summary>
    internal bool IsSetDefined { get; private set; }

    /// <summary>Number of standard entries the list claims to have.</summary>
    public int StandardCount { get; private set; }

    /// <summary>Where the standard entries begin, right after opening.</summary>
    internal readonly int EntriesAt => _position;

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="FieldListFlags"/>.</param>
    internal readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Why <see cref="TryNext"/> said false: EndOfContainer, or what is wrong with the entry.</summary>
    internal readonly DecodeResult End => _end;

    /// <summary>Moves to the next entry; the form of <see cref="TryReadNext"/> without an entry. <see cref="FieldCursor"/> is faster still.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="start">Where the content begins in the range the reader was opened on.</param>
    /// <param name="length">Bytes of content; 0 is blank.</param>
    /// <returns>False at the end or at the first bad entry: <see cref="End"/> tells which.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryNext(out short fieldId, out int start, out int length)
    {
        // fieldId int16 | length, 1 byte or 0xFE + uint16 | content
        ReadOnlySpan<byte> list = _list;
        int position = _position;
        if (_left != 0 && position <= list.Length - sizeof(uint))
        {
            uint head = BinaryPrimitives.ReadUInt32BigEndian(list.Slice(position, sizeof(uint)));
            fieldId = (short)(head >> 16);
            length = (byte)(head >> 8);
            start = position + EntryHeadLength;
            if (length < LengthMark.TwoMoreBytes && start + length <= list.Length)
            {
                _position = start + length;
                _left--;
                return true;
            }
        }

        return TryNextSlowly(out fieldId, out _, out start, out length);
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out FieldEntry entry)
    {
        if (_left != 0 || !TryNextSlowly(out short fieldId, out DataType type, out int start, out int length))
        {
            type = DataType.Unknown;
            if (!TryNext(out fieldId, out start, out length))
            {
                entry = default;
                return _end;
            }
        }

        entry = new FieldEntry(_list, fieldId, type, start, length);
        return DecodeResult.Success;
    }
}
