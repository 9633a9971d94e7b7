using System.Diagnostics;
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

    /// <summary>Name of the element.</summary>
    public ReadOnlySpan<byte> Name { get; }

    /// <summary>Base or container type; codes unknown to this codec stand as they are: raw bytes.</summary>
    public DataType Type { get; }

    /// <summary>The content; empty is blank.</summary>
    public ReadOnlySpan<byte> Content { get; }

    private string NameText => Encoding.UTF8.GetString(Name);
}
