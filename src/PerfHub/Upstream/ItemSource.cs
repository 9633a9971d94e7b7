using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfHub.Upstream;

/// <summary>Where the items of some services come from. Belongs to one source thread.</summary>
internal abstract class ItemSource
{
    /// <summary>True when items are asked for; else they come by themselves, or never.</summary>
    public abstract bool IsInteractive { get; }

    /// <summary>True when they come by themselves.</summary>
    public virtual bool IsPublishing => false;

    /// <summary>Connections to it that are there.</summary>
    public virtual int Connections => 0;

    /// <summary>True while nothing further should be asked of it: so much waits to be sent.</summary>
    public virtual bool IsFull => false;

    /// <summary>True while something waits that room alone would let go on.</summary>
    public virtual bool HasWork => false;

    /// <summary>What a request for an item gets that is not there; for a source that is not asked for items.</summary>
    public virtual UncachedAnswer Uncached => UncachedAnswer.Image;

    /// <summary>The state of what stands for an item that is not there.</summary>
    public virtual DataState UncachedData => DataState.Suspect;

    /// <summary>Asks for an item; while the source is away, once it comes.</summary>
    public virtual void Open(CachedItem item)
    {
    }

    /// <summary>Asks again for an item that is passed on, as its consumer did.</summary>
    public virtual void Reissue(CachedItem item)
    {
    }

    /// <summary>Ends an item that nobody watches any more.</summary>
    public virtual void Close(CachedItem item)
    {
    }

    /// <summary>The source has ended an item itself.</summary>
    public virtual void Forget(CachedItem item)
    {
    }

    /// <summary>Nobody waits any more for what a consumer's connection has posted.</summary>
    public virtual void ForgetPosts(int sessionHost, uint connection)
    {
    }

    /// <summary>Hands a consumer's post to whoever provides the item.</summary>
    /// <param name="item">The item; null for a post to a name that is not in the cache.</param>
    /// <param name="post">The post.</param>
    /// <param name="poster">Who gets the acknowledgement.</param>
    /// <returns>Why it cannot be handed on.</returns>
    public virtual PostRefusal Forward(CachedItem? item, scoped in RwfMsg post, Poster poster) => PostRefusal.ItemNotOpen;

    /// <summary>Hands a consumer's generic message to whoever provides the item.</summary>
    /// <returns>False when nobody takes it.</returns>
    public virtual bool TryForwardGeneric(CachedItem item, ReadOnlySpan<byte> message) => false;

    /// <summary>Goes on with what waits for room, a little in each turn.</summary>
    public virtual void Continue(SourceHost host)
    {
    }
}

/// <summary>What stands for an item that its source has not published.</summary>
internal enum UncachedAnswer
{
    Image, // an empty one
    Status, // without an image
    Closed, // a refusal
}

/// <summary>The source of services that nobody provides: every item is there, and empty until somebody posts to it.</summary>
internal sealed class NoSource : ItemSource
{
    public override bool IsInteractive => false;

    public override DataState UncachedData => DataState.Ok;
}
