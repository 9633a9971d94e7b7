namespace PerfHub.Upstream;

/// <summary>The posts that were forwarded to a source and wait for its acknowledgement.</summary>
/// <remarks>Each is found by its stream and number, and removed with its stream or its consumer's connection. One owner thread.</remarks>
internal sealed class PendingPosts
{
    /// <summary>Maximum posts of one connection; further ones are refused.</summary>
    public const int MaxOfConnection = 10_000;

    private readonly Dictionary<(int StreamId, uint PostId), LinkedList<Entry>> _byPost = [];
    private readonly Dictionary<int, HashSet<Entry>> _byStream = [];
    private readonly Dictionary<Poster, HashSet<Entry>> _byPoster = []; // with neither stream nor item

    /// <summary>Number of waiting posts.</summary>
    public int Count { get; private set; }

    /// <summary>True when no further post of a connection is accepted.</summary>
    public bool IsFullFor(Poster poster) => _byPoster.TryGetValue(ConnectionOf(poster), out HashSet<Entry>? all) && all.Count >= MaxOfConnection;

    /// <summary>Adds a post.</summary>
    public void Add(in PendingPost post)
    {
        Entry entry = new(post);
        entry.Place = ListOf(_byPost, (post.StreamId, post.PostId)).AddLast(entry);
        ListOf(_byStream, post.StreamId).Add(entry);
        ListOf(_byPoster, ConnectionOf(post.Poster)).Add(entry);
        Count++;
    }

    /// <summary>Removes the post that has waited longest among those with a number on a stream.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryRemove(int streamId, uint postId, out PendingPost post)
    {
        post = default;
        if (!_byPost.TryGetValue((streamId, postId), out LinkedList<Entry>? waiting))
            return false;
        Entry entry = waiting.First!.Value;
        post = entry.Post;
        Remove(entry);
        return true;
    }

    /// <summary>Removes those of a stream.</summary>
    public IReadOnlyList<PendingPost> RemoveOfStream(int streamId) => RemoveEntries(_byStream.GetValueOrDefault(streamId));

    /// <summary>Removes all.</summary>
    public IReadOnlyList<PendingPost> RemoveAll() => [.. _byStream.Keys.ToArray().SelectMany(RemoveOfStream)];

    /// <summary>Removes those of a connection that has ended.</summary>
    public void Discard(int consumerIndex, uint connection) => RemoveEntries(_byPoster.GetValueOrDefault(ConnectionOf(consumerIndex, connection)));

    private IReadOnlyList<PendingPost> RemoveEntries(HashSet<Entry>? entries)
    {
        if (entries is null)
            return [];
        Entry[] taken = [.. entries];
        Array.ForEach(taken, Remove);
        return [.. taken.Select(entry => entry.Post)];
    }

    private void Remove(Entry entry)
    {
        PendingPost post = entry.Post;
        Count--;
        LinkedList<Entry> alike = entry.Place!.List!;
        alike.Remove(entry.Place);
        if (alike.Count == 0)
            _byPost.Remove((post.StreamId, post.PostId));
        RemoveFrom(_byStream, post.StreamId, entry);
        RemoveFrom(_byPoster, ConnectionOf(post.Poster), entry);
    }

    private static void RemoveFrom<T>(Dictionary<T, HashSet<Entry>> groups, T key, Entry entry)
        where T : notnull
    {
        if (groups.TryGetValue(key, out HashSet<Entry>? group) && group.Remove(entry) && group.Count == 0)
            groups.Remove(key);
    }

    private static TList ListOf<T, TList>(Dictionary<T, TList> lists, T key)
        where T : notnull
        where TList : new()
    {
        if (!lists.TryGetValue(key, out TList? list))
            lists.Add(key, list = new TList());
        return list;
    }

    private static Poster ConnectionOf(Poster poster) => ConnectionOf(poster.ConsumerIndex, poster.Address.Serial);

    private static Poster ConnectionOf(int consumerIndex, uint connection) => new(consumerIndex, new(0, 0, connection), 0);

    private sealed class Entry(PendingPost post)
    {
        public PendingPost Post { get; } = post;

        public LinkedListNode<Entry>? Place { get; set; } // among those of the same number
    }
}
