using System.Diagnostics;

namespace PerfCommon.Codec;

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
