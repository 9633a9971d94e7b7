using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

public ref partial struct FieldListReader
{
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

        if (Has(FieldListFlags.HasSetData))
            OpenSet(ref head, definitions);
        if (Has(FieldListFlags.HasStandardData))
            StandardCount = head.ReadUInt16();
        if (!head.Good)
        {
            _setLeft = 0;
            _end = head.Result;
            return head.Result;
        }

        _position = head.Position;
        _left = _setLeft == 0 ? StandardCount : 0;
        _standardLeft = StandardCount - _left;
        return DecodeResult.Success;
    }

    private void OpenSet(ref RwfReader head, scoped in SetDefinitions definitions)
    {
        if (Has(FieldListFlags.HasSetId))
            SetId = (ushort)head.ReadRb15();
        SetData = Has(FieldListFlags.HasStandardData) ? head.ReadBuf15() : head.ReadBytes(head.Left);
        _setEnd = head.Position;
        _setPosition = _setEnd - SetData.Length;
        if (definitions.ContainerType != DataType.FieldList || !definitions.TryFind(SetId, out SetDefinition definition))
            return;
        IsSetDefined = true;
        _setEntries = definition.OpenEntries();
        _setLeft = definition.EntryCount;
    }

    // Set entries, entries with a long length, the last bytes of the list, the end and every error.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryNextSlowly(out short fieldId, out DataType type, out int start, out int length)
    {
        (fieldId, type, start, length) = (0, DataType.Unknown, 0, 0);
        if (_end != DecodeResult.EndOfContainer)
            return false;
        if (_setLeft != 0)
            return TryNextOfSet(out fieldId, out type, out start, out length);
        if (_left == 0)
        {
            _left = _standardLeft;
            _standardLeft = 0;
        }

        if (_left == 0)
            return false;

        RwfReader reader = new(_list[_position..]);
        fieldId = (short)reader.ReadUInt16();
        length = reader.ReadU16ob();
        start = _position + reader.Position;
        reader.ReadBytes(length);
        return Advance(reader.Result, ref _left, ref _position, start + length);
    }

    private bool TryNextOfSet(out short fieldId, out DataType type, out int start, out int length)
    {
        DecodeResult result = _setEntries.TryReadNext(out SetDefinitionEntry definition);
        RwfReader reader = new(_list[_setPosition.._setEnd]);
        (start, length) = SetItem.Read(ref reader, definition.Type);
        fieldId = definition.FieldId;
        type = DataTypes.BaseOf(definition.Type);
        start += _setPosition;
        if (result == DecodeResult.Success)
            result = reader.Result;
        return Advance(result, ref _setLeft, ref _setPosition, _setPosition + reader.Position);
    }

    private bool Advance(DecodeResult result, ref int left, ref int position, int next)
    {
        if (result == DecodeResult.Success)
        {
            left--;
            position = next;
            return true;
        }

        _end = result;
        _left = 0;
        return false;
    }
}
