using System.Text;

namespace PerfCommon.Sessions;

/// <summary>Tracks the group of its service to which each item of a consumer belongs, so that a state of the group is applied to its items.</summary>
/// <remarks>One owner thread; no allocation for a known group.</remarks>
/// <param name="items">Number of items.</param>
internal sealed class ItemGroups(int items)
{
    // Of all groups: an item whose group exceeds it belongs to none.
    private const int MaxKeptBytes = 1 << 20;
    private const int BytesPerGroup = 64; // in addition to its id
    private const int MaxGroupBytes = byte.MaxValue; // wire/rwf 2.3

    private ushort[] _groupOf = new ushort[items]; // 0 for none
    private readonly Dictionary<string, ushort> _groups = new(StringComparer.Ordinal); // one character for each byte
    private readonly byte[] _last = new byte[MaxGroupBytes];
    private int _lastLength = -1;
    private ushort _lastGroup;
    private int _keptBytes;

    /// <summary>Reserves memory for more items.</summary>
    public void Grow(int items) => Array.Resize(ref _groupOf, items);

    /// <summary>Assigns an item to the group in its refresh or status.</summary>
    public void Join(int item, ReadOnlySpan<byte> group) => _groupOf[item] = NumberOf(group);

    /// <summary>Moves the items of a group to another.</summary>
    public void Merge(ReadOnlySpan<byte> group, ReadOnlySpan<byte> into)
    {
        (ushort from, ushort to) = (NumberOf(group), NumberOf(into));
        if (from == 0)
            return;
        foreach (ref ushort number in _groupOf.AsSpan())
            number = number == from ? to : number;
    }

    /// <summary>Returns the group's number, 0 for none; <see cref="IsIn"/> uses it.</summary>
    public ushort NumberOf(ReadOnlySpan<byte> group)
    {
        if (group.Length == _lastLength && group.SequenceEqual(_last.AsSpan(0, _lastLength)))
            return _lastGroup;
        if (group.Length > MaxGroupBytes)
            return 0;
        group.CopyTo(_last);
        (_lastLength, _lastGroup) = (group.Length, Find(group));
        return _lastGroup;
    }

    public bool IsIn(int item, ushort group) => group != 0 && _groupOf[item] == group;

    private ushort Find(ReadOnlySpan<byte> group)
    {
        Span<char> letters = stackalloc char[MaxGroupBytes];
        letters = letters[..Encoding.Latin1.GetChars(group, letters)];
        if (_groups.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(letters, out ushort known))
            return known;
        if (_keptBytes + BytesPerGroup + group.Length > MaxKeptBytes)
            return 0;
        _keptBytes += BytesPerGroup + group.Length;
        _groups.Add(letters.ToString(), (ushort)(_groups.Count + 1));
        return (ushort)_groups.Count;
    }
}
