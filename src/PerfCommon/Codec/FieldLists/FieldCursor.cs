using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Steps through the standard entries of one field list; the fast way for messages without set data.</summary>
/// <remarks>
/// Small enough to live in registers, so keep it in a local variable and do not pass it by reference. Set data is skipped.
/// Borrows the message. No input makes it throw.
/// </remarks>
internal ref struct FieldCursor
{
    private const int ListHeadLength = 3;
    private const int EntryHeadLength = 3;

    private readonly ReadOnlySpan<byte> _list;
    private int _position;
    private int _left;

    /// <summary>Opens a field list.</summary>
    /// <param name="range">The list and no byte more; an empty one has no entries.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FieldCursor(ReadOnlySpan<byte> range)
    {
        _list = range;
        if (range.Length >= ListHeadLength && range[0] == ListFlags.HasStandardData)
        {
            _left = BinaryPrimitives.ReadUInt16BigEndian(range.Slice(1, sizeof(ushort)));
            _position = ListHeadLength;
            End = DecodeResult.EndOfContainer;
        }
        else
        {
            Step opened = OpenSlowly(range);
            _left = opened.Length;
            _position = opened.Next;
            End = opened.Result;
        }
    }

    internal FieldCursor(ReadOnlySpan<byte> list, int position, int left, DecodeResult end = DecodeResult.EndOfContainer)
    {
        _list = list;
        _position = position;
        _left = left;
        End = end;
    }

    /// <summary>Why <see cref="TryNext"/> said false: EndOfContainer, NoData for an empty range, or what is wrong.</summary>
    public DecodeResult End { get; private set; }

    /// <summary>Moves to the next entry.</summary>
    /// <param name="fieldId">Id of the field.</param>
    /// <param name="start">Where the content begins in the range.</param>
    /// <param name="length">Bytes of content; 0 is blank.</param>
    /// <returns>False at the end or at the first bad entry, and on every later call: <see cref="End"/> tells which.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryNext(out short fieldId, out int start, out int length)
    {
        if (_left == 0)
        {
            (fieldId, start, length) = (0, 0, 0);
            return false;
        }

        // fieldId int16 | length, 1 byte or 0xFE + uint16 | content
        int position = _position;
        if (position <= _list.Length - sizeof(uint))
        {
            uint head = BinaryPrimitives.ReadUInt32BigEndian(_list.Slice(position, sizeof(uint)));
            fieldId = (short)(head >> 16);
            length = (byte)(head >> 8);
            start = position + EntryHeadLength;
            int next = start + length;
            if (length < LengthMark.TwoMoreBytes && next <= _list.Length)
            {
                _position = next;
                _left--;
                return true;
            }
        }

        // By value in and out: nothing here takes an address, which would keep the variables in memory.
        Step step = NextSlowly(_list, position);
        _position = step.Next;
        fieldId = step.FieldId;
        start = step.Start;
        length = step.Length;
        if (step.Result == DecodeResult.Success)
        {
            _left--;
            return true;
        }

        End = step.Result;
        _left = 0;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Step OpenSlowly(ReadOnlySpan<byte> range)
    {
        DecodeResult result = FieldListHead.TryRead(range, default, out FieldListHead head);
        return result == DecodeResult.Success
            ? new Step(0, 0, head.StandardCount, head.EntriesAt, DecodeResult.EndOfContainer)
            : new Step(0, 0, 0, 0, result);
    }

    // Entries with a long length, the last bytes of the list, and every error.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Step NextSlowly(ReadOnlySpan<byte> list, int position)
    {
        RwfReader reader = new(list[position..]);
        short fieldId = (short)reader.ReadUInt16();
        int length = reader.ReadU16ob();
        int start = position + reader.Position;
        reader.ReadBytes(length);
        return reader.Good
            ? new Step(fieldId, start, length, start + length, DecodeResult.Success)
            : new Step(0, 0, 0, position, reader.Result);
    }

    private readonly record struct Step(short FieldId, int Start, int Length, int Next, DecodeResult Result);
}
