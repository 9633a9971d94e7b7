namespace PerfHub.Upstream;

/// <summary>The non-interactive providers for one source thread together: several may publish one service, or one item.</summary>
/// <param name="uncached">What stands for an item that none has published.</param>
internal sealed class NiSource(UncachedAnswer uncached) : ItemSource
{
    private readonly Queue<NiProvider> _leaving = new();

    public override bool IsInteractive => false;

    public override bool IsPublishing => true;

    public override bool HasWork => _leaving.Count > 0;

    public override int Connections => Here.Count;

    public override UncachedAnswer Uncached => uncached;

    /// <summary>Providers whose connections are this thread's.</summary>
    public HashSet<PublisherRelay> Here { get; } = [];

    /// <summary>A provider is gone: what none of the others publishes is lost, some items in each turn.</summary>
    public void Leave(NiProvider provider) => _leaving.Enqueue(provider);

    public override void Continue(SourceHost host)
    {
        if (_leaving.TryPeek(out NiProvider? provider) && !provider.LeaveSome(SourceHost.MaxRecordsPerTurn))
            _leaving.Dequeue();
    }
}
