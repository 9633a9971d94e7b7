namespace HubPerf.Sources;

/// <summary>The non-interactive providers for one source thread together: several may publish one service, or one item.</summary>
/// <param name="uncached">What stands for an item that none has published.</param>
internal sealed class NiSource(UncachedAnswer uncached) : ItemSource
{
    public override bool IsInteractive => false;

    public override int Connections => Here;

    public override UncachedAnswer Uncached => uncached;

    /// <summary>Providers whose connections are this thread's.</summary>
    public int Here { get; set; }

    /// <summary>A provider is gone: what none of the others publishes is lost.</summary>
    public void Lose(IEnumerable<CachedItem> published, SourceHost host)
    {
        foreach (CachedItem item in published)
        {
            if (--item.Publishers == 0)
                Lose(item);
        }

        Continue(host);
        host.Publish();
    }
}
