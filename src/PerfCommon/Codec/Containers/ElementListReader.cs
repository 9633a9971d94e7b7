using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;

namespace PerfCommon.Codec;

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

    /// <summary>Name of the element; the standard names are ASCII.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>Base or container type; codes unknown to this codec are kept unchanged, as raw bytes.</summary>
    public DataType Type { get; }

    /// <summary>The content; empty is blank.</summary>
    public ReadOnlySpan<byte> Content { get; }

    private string NameText => Encoding.UTF8.GetString(Name);
}

/// <summary>Reads the entries of one element list front to back, set-defined ones first, without copying.</summary>
/// <remarks>Borrows the message: do not keep it past the next read from the channel. No input makes it throw.</remarks>
public ref struct ElementListReader
{
    internal SetDataReader Set;
    internal byte Flags; // bits of ListFlags
    private EntryReader _entries;

    /// <summary>Number of the list; 0 when it carries none.</summary>
    public ushort ElementListNum { readonly get; private set; }

    internal readonly bool Has(int flag) => (Flags & flag) != 0;

    /// <summary>Opens an element list; set data, if any, is skipped.</summary>
    /// <param name="range">Exactly the bytes of the list.</param>
    /// <param name="reader">The reader; without entries unless the result is Success.</param>
    /// <returns>Success, NoData for an empty range, Incomplete or Invalid.</returns>
    public static DecodeResult TryOpen(ReadOnlySpan<byte> range, out ElementListReader reader) =>
        TryOpen(range, default, out reader);

    /// <summary>Opens an element list whose set data is laid out by definitions of the map, vector or series around it.</summary>
    internal static DecodeResult TryOpen(
        ReadOnlySpan<byte> range,
        scoped in SetDefinitions definitions,
        out ElementListReader reader)
    {
        reader = default;
        if (range.IsEmpty)
            return DecodeResult.NoData;

        // wire/rwf 4.2
        RwfReader head = new(range);
        reader.Flags = head.ReadByte();
        if (reader.Has(ListFlags.HasInfo))
        {
            RwfReader info = new(head.ReadBuf8());
            reader.ElementListNum = info.ReadUInt16();
            if (!info.Good) // wire/rwf 9.1
                head.Fail(info.Result);
        }

        reader.Set = SetDataReader.Open(ref head, reader.Flags, DataType.ElementList, definitions);
        int count = reader.Has(ListFlags.HasStandardData) ? head.ReadUInt16() : 0;
        reader._entries = new EntryReader(head, count);
        return head.Result;
    }

    /// <summary>Reads the next entry and moves past it.</summary>
    /// <param name="entry">The entry; default unless the result is Success.</param>
    /// <returns>Success, EndOfContainer, or Incomplete or Invalid at the first bad entry, then on every later call too.</returns>
    public DecodeResult TryReadNext(out ElementEntry entry)
    {
        entry = default;
        if (Set.Left != 0 && _entries.Bytes.Good)
            return TryReadNextOfSet(out entry);
        if (!_entries.TryBegin(out DecodeResult result))
            return result;

        // wire/rwf 4.2
        ReadOnlySpan<byte> name = _entries.Bytes.ReadBuf15();
        DataType type = DataTypes.BaseOf(_entries.Bytes.ReadByte());
        ReadOnlySpan<byte> content = type == DataType.NoData ? default : _entries.Bytes.ReadBuf16();
        if (_entries.TryEnd(out result))
            entry = new ElementEntry(name, type, content);
        return result;
    }

    private DecodeResult TryReadNextOfSet(out ElementEntry entry)
    {
        entry = default;
        DecodeResult result = Set.TryReadNext(out SetDefinitionEntry definition, out int start, out int length);
        if (result == DecodeResult.Success)
            entry = new ElementEntry(definition.Name, DataTypes.BaseOf(definition.Type), Set.Data.Slice(start, length));
        else
            _entries.Bytes.Fail(result);
        return result;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Begins an element list of standard entries alone.</summary>
    public bool BeginElementList() => BeginElementList(ListFlags.HasStandardData);

    /// <summary>Begins an element list; with set data write the set items next, then call <see cref="EndSetData"/>.</summary>
    /// <param name="flags">Bits of <see cref="ListFlags"/>; they decide which of the other arguments are written.</param>
    /// <param name="elementListNum">Number of the list.</param>
    /// <param name="setId">Id of the set, 0 to 15.</param>
    internal bool BeginElementList(int flags, ushort elementListNum = 0, int setId = 0)
    {
        if (!Push(FrameKind.ElementList))
            return false;
        PutByte(flags);
        if ((flags & ListFlags.HasInfo) != 0)
        {
            PutByte(sizeof(ushort)); // wire/rwf 4.2
            PutUInt16(elementListNum);
        }

        return BeginSetAndEntries(flags, setId);
    }

    /// <summary>Ends the element list.</summary>
    public bool EndElementList() => EndList(FrameKind.ElementList);

    /// <summary>Begins an element; write its value next, or a container or an array and then <see cref="EndEntry"/>.</summary>
    /// <param name="name">Name, at most 32,767 bytes.</param>
    /// <param name="type">Base or container type; NoData has no content.</param>
    [MethodImpl(MethodImplOptions.NoInlining)] // as below: only conversations have elements, and inlined a login would take 5 ms to compile
    public bool BeginElement(scoped ReadOnlySpan<byte> name, DataType type)
    {
        if (!CheckOpen(FrameKind.ElementList))
            return false;
        PutBuf15(name);
        PutByte((int)type);
        return BeginEntryContent(type == DataType.NoData ? NoLength : PendingBuf16); // wire/rwf 4.2
    }

    /// <summary>Writes an ASCII string.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool WriteAsciiElement(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value) =>
        BeginElement(name, DataType.AsciiString) && WriteContent(value);

    /// <summary>Writes a signed integer.</summary>
    internal bool WriteIntElement(scoped ReadOnlySpan<byte> name, long value) => BeginElement(name, DataType.Int) && WriteInt(value);

    /// <summary>Writes an unsigned integer.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool WriteUIntElement(scoped ReadOnlySpan<byte> name, ulong value) => BeginElement(name, DataType.UInt) && WriteUInt(value);
}
