namespace PerfHub.Upstream;

/// <summary>The source of all non-interactive providers of one source thread: several may publish one service, or one item.</summary>
/// <param name="uncached">The answer for an item that none has published.</param>
internal sealed class NiSource(UncachedAnswer uncached) : ItemSource
{
    private readonly Queue<NiProvider> _leaving = new();

    public override bool IsInteractive => false;

    public override bool IsPublishing => true;

    public override bool HasWork => _leaving.Count > 0;

    public override int Connections => Here.Count;

    public override UncachedAnswer Uncached => uncached;

    /// <summary>Providers whose connections belong to this thread.</summary>
    public HashSet<PublisherRelay> Here { get; } = [];

    /// <summary>Removes a provider: items that no other publishes are lost, some in each turn.</summary>
    public void Leave(NiProvider provider) => _leaving.Enqueue(provider);

    public override void Continue(UpstreamThread host)
    {
        if (_leaving.TryPeek(out NiProvider? provider) && !provider.LeaveSome(UpstreamThread.MaxRecordsPerTurn))
            _leaving.Dequeue();
    }
}
