using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace PerfCommon.Domains;

/// <summary>The values that one or more fields of type ENUM may take, and the texts they stand for.</summary>
[DebuggerDisplay("{Values.Count} values, fields {Fids.Count}")]
public sealed class EnumTable
{
    private readonly EnumValue[] _values;

    private EnumTable(short[] fids, EnumValue[] values)
    {
        Fids = fids;
        _values = values;
    }

    /// <summary>The fields that use the table, in the order they were named.</summary>
    public IReadOnlyList<short> Fids { get; }

    /// <summary>The rows by ascending number.</summary>
    public IReadOnlyList<EnumValue> Values => _values;

    /// <summary>Makes a table of rows in any order.</summary>
    /// <param name="fids">The fields that use it.</param>
    /// <param name="values">Its rows.</param>
    /// <param name="table">The table, when there is one.</param>
    /// <param name="duplicate">The number that occurs twice, when the result is false.</param>
    /// <returns>False when two rows have the same number.</returns>
    public static bool TryCreate(
        IEnumerable<short> fids,
        IEnumerable<EnumValue> values,
        [NotNullWhen(true)] out EnumTable? table,
        out ushort duplicate)
    {
        table = null;
        duplicate = 0;
        EnumValue[] sorted = [.. values.OrderBy(row => row.Value)];
        for (int i = 1; i < sorted.Length; i++)
        {
            if (sorted[i].Value != sorted[i - 1].Value)
                continue;
            duplicate = sorted[i].Value;
            return false;
        }

        table = new EnumTable([.. fids], sorted);
        return true;
    }

    /// <summary>Looks up what a number stands for.</summary>
    /// <param name="value">Number from the wire.</param>
    /// <param name="row">Its row, when there is one.</param>
    public bool TryFind(ushort value, [NotNullWhen(true)] out EnumValue? row)
    {
        int low = 0;
        int high = _values.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            row = _values[middle];
            if (row.Value == value)
                return true;
            if (row.Value < value)
                low = middle + 1;
            else
                high = middle - 1;
        }

        row = null;
        return false;
    }
}
