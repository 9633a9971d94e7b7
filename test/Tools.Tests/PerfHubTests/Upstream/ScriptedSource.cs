using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfHub.Upstream;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>An interactive source without a connection: it records what is requested from it, in order.</summary>
internal sealed class ScriptedSource : ItemSource
{
    private int _lastStreamId = 100;

    /// <summary>What it was requested to do: a verb and an item.</summary>
    public List<string> Calls { get; } = [];

    public bool Full { get; set; }

    public bool Waits { get; set; }

    public int Turns { get; private set; }

    /// <summary>Its answer to a post.</summary>
    public PostRefusal Refusal { get; set; }

    /// <summary>True where it forwards generic messages.</summary>
    public bool ForwardsGeneric { get; set; } = true;

    /// <summary>Bytes of the generic messages that it has forwarded.</summary>
    public List<byte[]> Generics { get; } = [];

    /// <summary>The streams of the posts that it has forwarded.</summary>
    public List<Poster> Posters { get; } = [];

    public override bool IsInteractive => true;

    public override int Connections => 2;

    public override bool IsFull => Full;

    public override bool HasWork => Waits;

    public override void Open(CachedItem item)
    {
        item.StreamId = ++_lastStreamId;
        Record("Open", item);
    }

    public override void Reissue(CachedItem item) => Record("Reissue", item);

    public override void Close(CachedItem item) => Record("Close", item);

    public override void Remove(CachedItem item) => Record("Remove", item);

    public override void DiscardPosts(int consumerIndex, uint connection) => Calls.Add($"DiscardPosts {consumerIndex} {connection}");

    public override PostRefusal Forward(CachedItem? item, scoped in RwfMsg post, Poster poster)
    {
        Record("Post", item);
        Posters.Add(poster);
        return Refusal;
    }

    public override bool TryForwardGeneric(CachedItem item, ReadOnlySpan<byte> message)
    {
        Record("Generic", item);
        Generics.Add(message.ToArray());
        return ForwardsGeneric;
    }

    public override void Continue(UpstreamThread host) => Turns++;

    /// <summary>Returns what was requested since the last call.</summary>
    public List<string> Take()
    {
        List<string> taken = [.. Calls];
        Calls.Clear();
        return taken;
    }

    private void Record(string verb, CachedItem? item) => Calls.Add($"{verb} {(item is null ? "-" : Encoding.ASCII.GetString(item.Name))}");
}
