using System.Diagnostics;
using System.Text;

namespace PerfCommon.Codec;

/// <summary>Flag byte of an element list.</summary>
internal static class ElementListFlags
{
    public const int HasInfo = 0x01; // carries the element list number
    public const int HasSetData = 0x02; // carries entries laid out by a set definition
    public const int HasSetId = 0x04; // names the set definition; otherwise it is 0
    public const int HasStandardData = 0x08; // carries self-describing entries
}

/// <summary>One entry of an element list.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{NameText,nq}: {Type} of {Content.Length} bytes")]
public readonly ref struct ElementEntry
{
    internal ElementEntry(ReadOnlySpan<byte> name, DataType type, ReadOnlySpan<byte> content)
    {
        Name = name;
        Type = type;
        Content = content;
    }

    /// <summary>Name of the element.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>Base or container type; codes unknown to this codec stand as they are: raw bytes.</summary>
    public DataType Type { get; }

    /// <summary>The content; empty is blank.</summary>
    public ReadOnlySpan<byte> Content { get; }

    private string NameText => Encoding.UTF8.GetString(Name);
}

/// <summary>Reads the entries of one element list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ElementListReader
{
    private EntryReader _entries;
    private SetDataReader _set;

    /// <summary>Bits of <see cref="ElementListFlags"/>.</summary>
    public byte Flags { get; private set; }

    /// <summary>Number of the element list; 0 when not carried.</summary>
    public ushort ElementListNum { get; private set; }

    /// <summary>Id of the set; 0 when not carried.</summary>
    public readonly ushort SetId => _set.SetId;

    /// <summary>Set data as it stands; empty when there is none.</summary>
    public readonly ReadOnlySpan<byte> SetData => _set.Data;

    /// <summary>True when a definition was at hand: the set entries are delivered, not skipped.</summary>
    public readonly bool IsSetDefined => _set.IsDefined;

    /// <summary>Number of standard entries the list claims to have.</summary>
    public readonly int StandardCount => _entries.Count;

    /// <summary>True when this flag is set.</summary>
    /// <param name="flag">One of <see cref="ElementListFlags"/>.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens an element list; set data, if there is any, is skipped.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        TryOpen(range, default, out reader);

    /// <summary>Opens an element list whose set data is laid out by definitions of the container around it.</summary>
    /// <param name="range">The list and no byte more.</param>
    /// <param name="definitions">Definitions of the map, vector or series; default for none.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(
        ReadOnlySpan<byte> range,
        scoped in SetDefinitions definitions,
        out ElementListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;
        return reader.Open(new RwfReader(range), definitions);
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ElementEntry entry)
    {
        entry = default;
        if (_set.Left != 0 && _entries.Bytes.Good)
            return TryReadNextOfSet(out entry);
        if (!_entries.TryBegin(out DecodeResult result))
            return result;

        // name, rb15 length | type | content, u16ob length; NO_DATA has neither content nor length
        ReadOnlySpan<byte> name = _entries.Bytes.ReadBuf15();
        DataType type = DataTypes.BaseOf(_entries.Bytes.ReadByte());
        ReadOnlySpan<byte> content = type == DataType.NoData ? default : _entries.Bytes.ReadBuf16();
        if (_entries.TryEnd(out result))
            entry = new ElementEntry(name, type, content);
        return result;
    }

    private DecodeResult Open(RwfReader head, scoped in SetDefinitions definitions)
    {
        // flags | [info] | [[setId] set data] | [entryCount uint16, entries]
        Flags = head.ReadByte();
        if (Has(ElementListFlags.HasInfo))
        {
            RwfReader info = new(head.ReadBuf8());
            ElementListNum = info.ReadUInt16();
            if (!info.Good)
                head.Fail(info.Result);
        }

        _set = SetDataReader.Open(ref head, Flags, DataType.ElementList, definitions);
        int count = Has(ElementListFlags.HasStandardData) ? head.ReadUInt16() : 0;
        _entries = new EntryReader(head, count);
        return head.Result;
    }

    private DecodeResult TryReadNextOfSet(out ElementEntry entry)
    {
        entry = default;
        DecodeResult result = _set.TryReadNext(out SetDefinitionEntry definition, out int start, out int length);
        if (result == DecodeResult.Success)
            entry = new ElementEntry(definition.Name, DataTypes.BaseOf(definition.Type), SetData.Slice(start, length));
        else
            _entries.Bytes.Fail(result);
        return result;
    }
}
