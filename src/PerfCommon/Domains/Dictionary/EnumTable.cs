using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace PerfCommon.Domains;

/// <summary>The values of one or more fields of type ENUM, and their texts.</summary>
[DebuggerDisplay("{Values.Count} values, fields {Fids.Count}")]
public sealed class EnumTable
{
    private readonly Dictionary<int, EnumValue> _byNumber;

    /// <summary>Creates a table.</summary>
    /// <param name="fids">The fields that use it.</param>
    /// <param name="values">Its rows in any order, each number once.</param>
    /// <exception cref="ArgumentException">Two rows have the same number.</exception>
    public EnumTable(IEnumerable<short> fids, IEnumerable<EnumValue> values)
    {
        Fids = [.. fids];
        Values = [.. values.OrderBy(row => (int)row.Value)];
        _byNumber = Values.ToDictionary(row => (int)row.Value);
    }

    /// <summary>The fields that use the table, in the order in which they were named.</summary>
    public IReadOnlyList<short> Fids { get; }

    /// <summary>The rows by ascending number.</summary>
    public IReadOnlyList<EnumValue> Values { get; }

    /// <summary>Looks up the row of a number.</summary>
    public bool TryFind(ushort value, [NotNullWhen(true)] out EnumValue? row) => _byNumber.TryGetValue(value, out row);
}

/// <summary>One row of an enum table.</summary>
/// <param name="Value">Number on the wire.</param>
/// <param name="Display">Text shown for it, as bytes of the field's character set; blanks count.</param>
/// <param name="Meaning">Explanation for people; may be empty, and is not sent.</param>
public sealed record EnumValue(ushort Value, ReadOnlyMemory<byte> Display, string Meaning);
