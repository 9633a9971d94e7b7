namespace HubPerf.Delivery;

/// <summary>The streams that watch the items of one source thread, by the slots of those.</summary>
/// <remarks>
/// 24 bytes an item, where the only stream stands, too; more are 8 bytes each, and as many while a list grows. One owner thread.
/// </remarks>
internal sealed class Watchers
{
    private List[] _lists = new List[64];

    /// <summary>Streams of all items.</summary>
    public int Count { get; private set; }

    /// <summary>The streams of an item; valid until one is added. Of an item nobody watches there is none.</summary>
    public Span<Watcher> Of(int slot)
    {
        if (slot >= _lists.Length)
            return default;
        ref List list = ref _lists[slot];
        return list.Several is null ? new Span<Watcher>(ref list.Only)[..list.Count] : list.Several.AsSpan(0, list.Count);
    }

    /// <summary>Adds a stream.</summary>
    /// <returns>Its place, which changes when another is removed.</returns>
    public int Add(int slot, Watcher watcher)
    {
        if (slot >= _lists.Length)
            Array.Resize(ref _lists, Math.Max(slot + 1, _lists.Length * 2));
        ref List list = ref _lists[slot];
        if (list.Count == 1)
            list.Several ??= [list.Only, default];
        if (list.Count == list.Several?.Length)
            Array.Resize(ref list.Several, list.Count * 2);
        int place = list.Count++;
        Count++;
        Of(slot)[place] = watcher;
        return place;
    }

    /// <summary>Takes the stream at a place out; the last one takes its place.</summary>
    /// <returns>The stream that stands there now; false when it was the last.</returns>
    public bool TryRemove(int slot, int place, out Watcher moved)
    {
        Span<Watcher> streams = Of(slot);
        moved = streams[^1];
        streams[place] = moved;
        ref List list = ref _lists[slot];
        list.Count--;
        Count--;
        if (list.Count == 0)
            list.Several = null;
        return list.Count > place;
    }

    private struct List
    {
        public Watcher Only; // while there is no more than one
        public int Count;
        public Watcher[]? Several;
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
