using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>The fields of an item that a consumer requests: a set of field ids.</summary>
/// <remarks>Immutable; two views of the same fields are equal.</remarks>
[DebuggerDisplay("{Count} fields")]
public sealed class FieldView : IEquatable<FieldView>
{
    private readonly short[] _fieldIds; // ascending, each once
    private readonly ulong _lowBits; // bit set of the ids' remainders modulo 64
    private readonly int _hash;

    /// <summary>Creates a view.</summary>
    /// <param name="fieldIds">The fields, in any order.</param>
    public FieldView(params IEnumerable<short> fieldIds)
    {
        ArgumentNullException.ThrowIfNull(fieldIds);
        _fieldIds = [.. fieldIds.Distinct().Order()];
        HashCode hash = new();
        foreach (short fieldId in _fieldIds)
        {
            _lowBits |= BitOf(fieldId);
            hash.Add(fieldId);
        }

        _hash = hash.ToHashCode();
    }

    /// <summary>Number of fields.</summary>
    public int Count => _fieldIds.Length;

    /// <summary>The fields, ascending.</summary>
    public ReadOnlySpan<short> FieldIds => _fieldIds;

    /// <summary>True for a field of the view.</summary>
    public bool Contains(short fieldId) => (_lowBits & BitOf(fieldId)) != 0 && Array.BinarySearch(_fieldIds, fieldId) >= 0;

    /// <summary>True when it has every field of another view.</summary>
    internal bool Includes(FieldView other) => Array.TrueForAll(other._fieldIds, Contains);

    /// <summary>Returns the union of two views.</summary>
    internal FieldView With(FieldView other) => new(_fieldIds.Concat(other._fieldIds));

    /// <inheritdoc/>
    public bool Equals(FieldView? other) => other is not null && _hash == other._hash && _fieldIds.AsSpan().SequenceEqual(other._fieldIds);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as FieldView);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;

    private static ulong BitOf(short fieldId) => 1UL << (fieldId & 63);
}
