namespace HubPerf.Delivery;

/// <summary>The streams that watch the items of one source thread, by the slots of those.</summary>
/// <remarks>8 bytes a stream, and as many while a list grows. One owner thread.</remarks>
internal sealed class Watchers
{
    private List[] _lists = new List[64];

    /// <summary>Streams of all items.</summary>
    public int Count { get; private set; }

    /// <summary>The streams of an item; valid until one is added. Of an item nobody watches there is none.</summary>
    public Span<Watcher> Of(int slot) => slot < _lists.Length ? _lists[slot].Streams.AsSpan(0, _lists[slot].Count) : default;

    /// <summary>Adds a stream.</summary>
    /// <returns>Its place, which changes when another is removed.</returns>
    public int Add(int slot, Watcher watcher)
    {
        if (slot >= _lists.Length)
            Array.Resize(ref _lists, Math.Max(slot + 1, _lists.Length * 2));
        ref List list = ref _lists[slot];
        list.Streams ??= new Watcher[1];
        if (list.Count == list.Streams.Length)
            Array.Resize(ref list.Streams, list.Count * 2);
        list.Streams[list.Count] = watcher;
        Count++;
        return list.Count++;
    }

    /// <summary>Takes the stream at a place out; the last one takes its place.</summary>
    /// <returns>The stream that stands there now; false when it was the last.</returns>
    public bool TryRemove(int slot, int place, out Watcher moved)
    {
        ref List list = ref _lists[slot];
        list.Count--;
        Count--;
        moved = list.Streams![list.Count];
        list.Streams[place] = moved;
        if (list.Count == 0)
            list.Streams = null;
        return list.Count > place;
    }

    private struct List
    {
        public Watcher[]? Streams;
        public int Count;
    }
}

/// <summary>A stream that watches an item.</summary>
/// <param name="Session">Number of its connection, in the sign whether it waits for its image: see <see cref="Waits"/>.</param>
/// <param name="StreamId">Its id.</param>
internal readonly record struct Watcher(int Session, int StreamId)
{
    /// <summary>True while it has no image: it gets nothing before.</summary>
    public bool Waits => Session < 0;

    /// <summary>Number of its connection.</summary>
    public int Number => Session < 0 ? ~Session : Session;

    public static Watcher Of(int session, int streamId, bool waits) => new(waits ? ~session : session, streamId);
}
