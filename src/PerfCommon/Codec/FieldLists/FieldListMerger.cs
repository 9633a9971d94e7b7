using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Merges two field lists into one that has the last value of each field.</summary>
/// <remarks>One owner thread. No allocation once its arrays fit the lists.</remarks>
internal sealed class FieldListMerger
{
    private const int HeadBytes = 3; // flags and the number of entries
    private const int UsualFields = 64;

    private short[] _ids = new short[UsualFields]; // of the newer list
    private Entry[] _entries = new Entry[UsualFields];
    private int _count;
    private byte[] _room = new byte[1_024];
    private int _written;
    private int _writtenEntries;

    /// <summary>Merges two lists: the fields of the older one in their order, then those that only the newer one has.</summary>
    /// <param name="older">Exactly the bytes of the older list.</param>
    /// <param name="newer">Exactly the bytes of the newer list.</param>
    /// <param name="merged">The bytes of the merged list, valid until the next call; empty unless the result is true.</param>
    /// <returns>False for lists with set data, malformed ones, and more than 65,535 fields.</returns>
    public bool TryMerge(ReadOnlySpan<byte> older, ReadOnlySpan<byte> newer, out ReadOnlySpan<byte> merged)
    {
        merged = default;
        if (!TryIndex(newer) || !TryOpen(older, out FieldListReader reader, out int at))
            return false;
        Begin(HeadBytes + older.Length + newer.Length);
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            int end = entry.Start + entry.Length;
            int index = Ids.LastIndexOf(entry.FieldId);
            if (index < 0)
                Write(older[at..end]);
            else if (!_entries[index].IsWritten)
                Write(newer, ref _entries[index]);
            at = end;
        }

        for (int index = 0; index < _count; index++)
        {
            if (!_entries[index].IsWritten && Ids.LastIndexOf(_ids[index]) == index)
                Write(newer, ref _entries[index]);
        }

        if (result != DecodeResult.EndOfContainer || _writtenEntries > ushort.MaxValue)
            return false;
        _room[0] = ListFlags.HasStandardData; // wire/rwf 4.1
        BinaryPrimitives.WriteUInt16BigEndian(_room.AsSpan(1), (ushort)_writtenEntries);
        merged = _room.AsSpan(0, _written);
        return true;
    }

    private ReadOnlySpan<short> Ids => _ids.AsSpan(0, _count);

    private bool TryIndex(ReadOnlySpan<byte> list)
    {
        _count = 0;
        if (!TryOpen(list, out FieldListReader reader, out int at))
            return false;
        DecodeResult result;
        while ((result = reader.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            if (_count == _ids.Length)
            {
                Array.Resize(ref _ids, _count * 2);
                Array.Resize(ref _entries, _count * 2);
            }

            int end = entry.Start + entry.Length;
            _ids[_count] = entry.FieldId;
            _entries[_count++] = new Entry { At = at, Bytes = end - at };
            at = end;
        }

        return result == DecodeResult.EndOfContainer;
    }

    // An empty range is a list without fields. Set data needs definitions that other readers would not have.
    private static bool TryOpen(ReadOnlySpan<byte> list, out FieldListReader reader, out int entriesAt)
    {
        DecodeResult result = FieldListReader.TryOpen(list, out reader);
        entriesAt = reader.Head.EntriesAt;
        return result == DecodeResult.NoData || (result == DecodeResult.Success && !reader.Head.Has(ListFlags.HasSetData));
    }

    private void Begin(int maxBytes)
    {
        if (_room.Length < maxBytes)
            _room = new byte[maxBytes * 2];
        (_written, _writtenEntries) = (HeadBytes, 0);
    }

    private void Write(ReadOnlySpan<byte> list, ref Entry entry)
    {
        entry.IsWritten = true;
        Write(list.Slice(entry.At, entry.Bytes));
    }

    private void Write(ReadOnlySpan<byte> entry)
    {
        entry.CopyTo(_room.AsSpan(_written));
        _written += entry.Length;
        _writtenEntries++;
    }

    private struct Entry
    {
        public int At; // offset in the newer list
        public int Bytes;
        public bool IsWritten;
    }
}
