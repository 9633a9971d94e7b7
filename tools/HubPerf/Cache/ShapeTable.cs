namespace HubPerf.Cache;

/// <summary>Numbers the shapes of updates, each by a signature of its fields: an item keeps two bytes for one. One owner thread.</summary>
internal sealed class ShapeTable
{
    private const int RecentBits = 6;

    private readonly Dictionary<ulong, ushort> _numbers = [];
    private readonly (ulong Signature, ushort Number)[] _recent = new (ulong, ushort)[1 << RecentBits];

    /// <summary>Number of a shape, 1 to 65,535; 0 for one that came when all numbers were given away.</summary>
    /// <param name="signature">Its signature, not 0.</param>
    public ushort NumberOf(ulong signature)
    {
        ref (ulong Signature, ushort Number) recent = ref _recent[signature >> (64 - RecentBits)];
        if (recent.Signature != signature)
            recent = (signature, FindOrAdd(signature));
        return recent.Number;
    }

    private ushort FindOrAdd(ulong signature)
    {
        if (_numbers.TryGetValue(signature, out ushort number) || _numbers.Count == ushort.MaxValue)
            return number;
        number = (ushort)(_numbers.Count + 1);
        _numbers.Add(signature, number);
        return number;
    }
}
