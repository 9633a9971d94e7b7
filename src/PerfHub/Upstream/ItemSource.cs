using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfHub.Upstream;

/// <summary>A source of the items of some services. Belongs to one source thread.</summary>
internal abstract class ItemSource
{
    /// <summary>True when items are requested from it; else it publishes them, or has none.</summary>
    public abstract bool IsInteractive { get; }

    /// <summary>True when it publishes items without requests.</summary>
    public virtual bool IsPublishing => false;

    /// <summary>Number of its connections.</summary>
    public virtual int Connections => 0;

    /// <summary>True while too much waits to be sent to it: it should get no more requests.</summary>
    public virtual bool IsFull => false;

    /// <summary>True while something waits that space alone would let continue.</summary>
    public virtual bool HasWork => false;

    /// <summary>The answer to a request for an item that is not cached; for a source without requests.</summary>
    public virtual UncachedAnswer Uncached => UncachedAnswer.Image;

    /// <summary>The data state of the answer for an item that is not cached.</summary>
    public virtual DataState UncachedData => DataState.Suspect;

    /// <summary>Requests an item; while the source is disconnected, or lacks its service, once it has it again.</summary>
    public virtual void Open(CachedItem item)
    {
    }

    /// <summary>Repeats the request for an item that is passed on, as its consumer did.</summary>
    public virtual void Reissue(CachedItem item)
    {
    }

    /// <summary>Closes an item without watchers.</summary>
    public virtual void Close(CachedItem item)
    {
    }

    /// <summary>Removes an item that the source itself has ended.</summary>
    public virtual void Remove(CachedItem item)
    {
    }

    /// <summary>Discards the posts of a consumer's connection that wait for acknowledgements.</summary>
    public virtual void DiscardPosts(int consumerIndex, uint connection)
    {
    }

    /// <summary>Forwards a consumer's post to the provider of the item.</summary>
    /// <param name="item">The item; null for a post to a name that is not in the cache.</param>
    /// <param name="post">The post.</param>
    /// <param name="poster">The stream that receives the acknowledgement.</param>
    /// <returns>Why it cannot be forwarded.</returns>
    public virtual PostRefusal Forward(CachedItem? item, scoped in RwfMsg post, Poster poster) => PostRefusal.ItemNotOpen;

    /// <summary>Forwards a consumer's generic message to the provider of the item.</summary>
    /// <returns>False when no provider accepts it.</returns>
    public virtual bool TryForwardGeneric(CachedItem item, ReadOnlySpan<byte> message) => false;

    /// <summary>Continues work that waits for space, a little in each turn.</summary>
    public virtual void Continue(UpstreamThread host)
    {
    }
}

/// <summary>The answer for an item that its source has not published.</summary>
internal enum UncachedAnswer
{
    Image, // an empty image
    Status, // a status without an image
    Closed, // a refusal
}

/// <summary>The source of services without a provider: every item exists, and is empty until a consumer posts to it.</summary>
internal sealed class NoSource : ItemSource
{
    public override bool IsInteractive => false;

    public override DataState UncachedData => DataState.Ok;
}
