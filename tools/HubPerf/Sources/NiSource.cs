
namespace HubPerf.Sources;

/// <summary>The non-interactive providers of one source thread together: several may publish one service, or one item.</summary>
/// <param name="uncached">What stands for an item that none has published.</param>
internal sealed class NiSource(UncachedAnswer uncached) : ItemSource
{
    private readonly List<NiProvider> _providers = [];

    public override bool IsInteractive => false;

    public override int Connections => _providers.Count;

    public override UncachedAnswer Uncached => uncached;

    public void Add(NiProvider provider) => _providers.Add(provider);

    /// <summary>A provider is gone: what none of the others publishes is lost.</summary>
    public void Remove(NiProvider provider, SourceHost host)
    {
        _providers.Remove(provider);
        foreach (ServiceItems service in provider.Services.Where(service => !_providers.Exists(other => other.Services.Contains(service))))
            host.SetDown(service);
        foreach (CachedItem item in provider.Items)
        {
            if (--item.Publishers == 0)
                Lose(item);
        }

        Continue(host);
        host.Publish();
    }
}
