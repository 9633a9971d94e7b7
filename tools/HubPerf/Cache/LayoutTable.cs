namespace HubPerf.Cache;

/// <summary>The layouts in use, each once. One owner thread.</summary>
/// <remarks>Bounded: beyond it every item has a layout of its own, whose bytes are counted as the item's.</remarks>
internal sealed class LayoutTable
{
    private const int MaxKept = 1_024;

    private readonly Dictionary<(FieldLayout From, int Index, int Room), FieldLayout> _grown = [];
    private readonly Dictionary<(FieldLayout From, short Id, int Room), FieldLayout> _extended = [];
    private readonly List<FieldLayout> _made = [];

    /// <summary>The layout that was asked for last: most images look like the one before.</summary>
    public FieldLayout Last { get; private set; } = FieldLayout.Create([], []);

    /// <summary>The one before: the two sides of an order book have different fields.</summary>
    public FieldLayout Former { get; private set; } = FieldLayout.Create([], []);

    /// <summary>A layout of these fields, each with the room that its value needs at least.</summary>
    public FieldLayout Of(ReadOnlySpan<short> ids, ReadOnlySpan<int> rooms)
    {
        foreach (FieldLayout made in _made)
        {
            if (made.Ids.AsSpan().SequenceEqual(ids) && Fit(made, rooms))
                return Take(made);
        }

        FieldLayout created = FieldLayout.Create(ids, rooms);
        if (_made.Count < MaxKept)
            _made.Add(created);
        return Take(created);
    }

    /// <summary>The same fields, one of them with more room.</summary>
    public FieldLayout Grow(FieldLayout from, int index, int room)
    {
        if (_grown.TryGetValue((from, index, room), out FieldLayout? known))
            return known;
        int[] rooms = [.. from.Rooms];
        rooms[index] = room;
        FieldLayout grown = FieldLayout.Create(from.Ids, rooms);
        if (_grown.Count < MaxKept)
            _grown.Add((from, index, room), grown);
        return grown;
    }

    /// <summary>The same fields and one more.</summary>
    public FieldLayout Extend(FieldLayout from, short id, int room)
    {
        if (_extended.TryGetValue((from, id, room), out FieldLayout? known))
            return known;
        FieldLayout extended = FieldLayout.Create([.. from.Ids, id], [.. from.Rooms, room]);
        if (_extended.Count < MaxKept)
            _extended.Add((from, id, room), extended);
        return extended;
    }

    private FieldLayout Take(FieldLayout layout)
    {
        if (layout != Last)
            (Former, Last) = (Last, layout);
        return layout;
    }

    private static bool Fit(FieldLayout layout, ReadOnlySpan<int> rooms)
    {
        for (int i = 0; i < rooms.Length; i++)
        {
            if (rooms[i] > layout.Rooms[i])
                return false;
        }

        return true;
    }
}
