using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>The streams that watch the items of one source thread, by the slots of the items.</summary>
/// <remarks>
/// 24 bytes per item, which include a single stream; further streams take 8 bytes each, and as many again while a list grows. Memory of items without
/// watchers is freed. One owner thread.
/// </remarks>
internal sealed class Watchers
{
    private const int MinSparse = 64; // places of a list
    private const int SparseShare = 4;

    private readonly SlotSegments<List> _lists = new();
    private readonly SlotSegments<int> _counts = new(); // by segments: their items that are watched

    /// <summary>Number of streams of all items.</summary>
    public int Count { get; private set; }

    /// <summary>The streams of an item, none without watchers; valid until one is added or removed.</summary>
    public Span<Watcher> Of(int slot)
    {
        if (slot >= _lists.Capacity)
            return default;
        ref List list = ref _lists[slot];
        return list.Several is null ? new Span<Watcher>(ref list.Only)[..list.Count] : list.Several.AsSpan(0, list.Count);
    }

    /// <summary>Adds a stream.</summary>
    /// <returns>Its place, which changes when another is removed.</returns>
    public int Add(int slot, Watcher watcher)
    {
        if (!_lists.IsOpen(slot))
            _lists.Open(slot);
        ref List list = ref _lists[slot];
        if (list.Count == 0)
            CountOf(slot)++;
        if (list.Count == 1)
            list.Several ??= [list.Only, default];
        if (list.Count == list.Several?.Length)
            Array.Resize(ref list.Several, list.Count * 2);
        int place = list.Count++;
        Count++;
        Of(slot)[place] = watcher;
        return place;
    }

    /// <summary>Removes the stream at a place; the last one moves to its place.</summary>
    /// <returns>The stream that has the place now; false when the last was removed.</returns>
    public bool TryRemove(int slot, int place, out Watcher moved)
    {
        Span<Watcher> streams = Of(slot);
        moved = streams[^1];
        streams[place] = moved;
        ref List list = ref _lists[slot];
        list.Count--;
        Count--;
        bool isOther = list.Count > place;
        if (list.Count == 0)
            Clear(slot);
        else if (list.Several is { Length: > MinSparse } several && list.Count < several.Length / SparseShare)
            Array.Resize(ref list.Several, several.Length / 2);
        return isOther;
    }

    private ref int CountOf(int slot)
    {
        int segment = slot >> SlotNumbers.SegmentShift;
        if (!_counts.IsOpen(segment))
            _counts.Open(segment);
        return ref _counts[segment];
    }

    private void Clear(int slot)
    {
        _lists[slot] = default;
        if (--CountOf(slot) == 0)
            _lists.Close(slot);
    }

    private struct List
    {
        public Watcher Only; // while there is no more than one
        public int Count;
        public Watcher[]? Several;
    }
}

/// <summary>A stream that watches an item.</summary>
/// <param name="Session">Number of its connection; the sign bit is set while it waits for its image: see <see cref="Waits"/>.</param>
/// <param name="StreamId">Id of the stream.</param>
internal readonly record struct Watcher(int Session, int StreamId)
{
    /// <summary>True while it has no image: it receives nothing before.</summary>
    public bool Waits => Session < 0;

    /// <summary>Number of its connection.</summary>
    public int Number => Session < 0 ? ~Session : Session;

    public static Watcher Of(int session, int streamId, bool waits) => new(waits ? ~session : session, streamId);
}
