using HubPerf.Services;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace HubPerf.Sources;

/// <summary>
/// An interactive source: connects, and again when it is gone; asks for every item that is watched, once. For a service that another source
/// of its thread has it stands by: when that one is gone it takes the items over, and keeps them.
/// </summary>
internal sealed class UpstreamSource : ItemSource
{
    private const long FirstRetryNanos = Clock.NanosPerSecond / 2;
    private const long MaxRetryNanos = 5 * Clock.NanosPerSecond;

    private readonly SourceHost _host;
    private readonly UpstreamOptions _options;
    private readonly HashSet<CachedItem> _items = [];
    private readonly Dictionary<ushort, ServiceItems> _services = []; // by the source's ids
    private readonly Dictionary<string, ListedService> _standby = []; // those that another source has, by name
    private readonly Queue<CachedItem> _toOpen = new();
    private readonly Queue<(WaitingPost Post, PostRefusal Why)> _toRefuse = new();
    private UpstreamSession? _session;
    private FieldDictionary? _dictionary;

    public UpstreamSource(SourceHost host, UpstreamOptions options)
    {
        _host = host;
        _options = options;
        Connect(startNanos: 0);
    }

    public override bool IsInteractive => true;

    public override int Connections => IsConnected ? 1 : 0;

    public override bool IsFull => _session is { IsFull: true };

    public override bool HasWork => base.HasWork || _toRefuse.Count > 0 || (_toOpen.Count > 0 && IsConnected && !IsFull);

    private bool IsConnected => _session is { IsReady: true };

    public override void Open(CachedItem item)
    {
        _items.Add(item);
        if (IsConnected && _toOpen.Count == 0)
            _session!.Request(item);
        else
            _toOpen.Enqueue(item);
    }

    public override void Close(CachedItem item)
    {
        _items.Remove(item);
        if (item.StreamId != 0)
            _session?.CloseItem(item);
    }

    public override void Forget(CachedItem item)
    {
        _items.Remove(item);
        _session?.Forget(item);
    }

    public override PostRefusal Forward(CachedItem? item, scoped in RwfMsg post, Poster poster)
    {
        if (item is null)
            return PostRefusal.ItemNotOpen;
        return IsConnected && item.StreamId != 0 ? _session!.Forward(item, post, poster) : PostRefusal.SourceDown;
    }

    public override bool TryForwardGeneric(CachedItem item, ReadOnlySpan<byte> message) =>
        IsConnected && item.StreamId != 0 && _session!.TryForward(item, message, MessageKind.SourceGeneric);

    public override void Continue(SourceHost host)
    {
        base.Continue(host);
        while (_toRefuse.Count > 0 && host.HasRoom())
        {
            (WaitingPost post, PostRefusal why) = _toRefuse.Dequeue();
            host.Refuse(post, why);
        }

        while (!IsSuspecting && _toOpen.Count > 0 && IsConnected && !IsFull)
        {
            if (_toOpen.Dequeue() is { StreamId: 0 } item && _items.Contains(item))
                _session!.Request(item);
        }
    }

    /// <summary>A post that was handed on is not acknowledged any more: the poster is told as there is room.</summary>
    public void GiveUp(WaitingPost post, PostRefusal why) => _toRefuse.Enqueue((post, why));

    /// <summary>The session has learnt of services, and there is a dictionary for them.</summary>
    public void OfferServices(IEnumerable<ListedService> services, FieldDictionary dictionary)
    {
        _dictionary = dictionary;
        HashSet<ushort> gone = [.. _services.Keys];
        foreach (ListedService service in services)
        {
            ServiceInfo info = service.Info;
            if (info.Name is null || (_options.ServiceName ?? info.Name) != info.Name)
                continue;
            gone.Remove(info.Id);
            if (_host.Offer(Describe(service, dictionary), this) is { } offered)
            {
                offered.AtSource = info;
                _services[info.Id] = offered;
            }
            else
            {
                StandBy(info.Name, service);
            }
        }

        foreach (ushort id in gone)
            _host.SetDown(_services[id]);
    }

    /// <summary>Takes over the items of a service whose source is gone.</summary>
    /// <returns>False when it does not have the service, or is away.</returns>
    public bool TryTakeOver(ServiceItems service)
    {
        string name = service.Service.Offer.Name;
        if (!IsConnected || service.Source is not UpstreamSource lost || !_standby.TryGetValue(name, out ListedService? own)
            || own.Info.IsUp != true)
        {
            return false;
        }

        _standby.Remove(name);
        List<CachedItem> items = lost.Release(service);
        (service.Source, service.AtSource) = (this, own.Info);
        _services[own.Info.Id] = service;
        HubService mine = Describe(own, _dictionary!);
        _host.Services.Change(service.Service.Id, known => mine with { Offer = mine.Offer with { Id = known.Offer.Id } });
        _host.Worker.Recording.Notices.Add($"Service {name} and {items.Count} items of it are those of {Address} now.");
        foreach (CachedItem item in items)
            Open(item);
        return true;
    }

    /// <summary>A service of a source as it is offered; the id may be changed yet.</summary>
    // wire/domains 11
    public static ServiceOffer OfferOf(ListedService service) => new()
    {
        Name = service.Info.Name!,
        Id = service.Info.Id,
        Qos = service.Info.Qos ?? RwfQos.RealTimeTickByTick,
        InfoElements = service.InfoElements,
        IsUp = service.Info.IsUp == true,
        AcceptsRequests = service.Info.AcceptsRequests != false,
    };

    /// <summary>Requests go out again: the session is ready.</summary>
    public void OnReady()
    {
        foreach (string name in _standby.Keys.ToArray())
            TakeOverLost(name);
        foreach (CachedItem item in _items)
            _toOpen.Enqueue(item);
        Continue(_host);
    }

    /// <summary>The connection is over: tells consumers, and connects again.</summary>
    public void OnLost(bool wasReady, bool isEnding)
    {
        _session = null;
        if (isEnding)
            return;
        _toOpen.Clear();
        foreach (ServiceItems service in _services.Values)
            _host.SetDown(service);
        foreach (CachedItem item in _items)
        {
            if (wasReady)
                Lose(item);
        }

        _standby.Clear();
        Connect(_host.Worker.Time.NowNanos + FirstRetryNanos);
        Continue(_host);
        foreach (ServiceItems service in _services.Values.ToArray())
            _host.HandOver(service);
        _host.Publish();
    }

    private string Address => $"{_options.Connect.Host}:{_options.Connect.Port}";

    // Of two sources of one thread that have a service the other stands by.
    private void StandBy(string name, ListedService service)
    {
        ServiceItems? taken = _host.FindService(name);
        bool standsBy = taken?.Source is UpstreamSource;
        bool isNew = _standby.TryAdd(name, service);
        _standby[name] = service;
        if (!TakeOverLost(name) && isNew)
        {
            _host.Worker.Recording.Notices.Add(
                $"Service {name} of {Address} is offered by another source; it {(standsBy ? "stands by" : "is not used")}.");
        }
    }

    // Of two that went the one that is back first goes on.
    private bool TakeOverLost(string name) =>
        _host.FindService(name) is { Source: UpstreamSource { IsConnected: false } } lost && lost.Source != this && TryTakeOver(lost);

    // Its items of a service that another source goes on with.
    private List<CachedItem> Release(ServiceItems service)
    {
        List<CachedItem> released = [.. _items.Where(item => item.Service == service)];
        _items.ExceptWith(released);
        foreach (ushort id in _services.Where(mine => mine.Value == service).Select(mine => mine.Key).ToArray())
            _services.Remove(id);
        return released;
    }

    private void Connect(long startNanos)
    {
        _session = new UpstreamSession(_options, this, _host, _dictionary);
        RetryPace pace = new(startNanos, FirstRetryNanos, MaxRetryNanos, "0.5 to 5 s");
        _host.Worker.Connect(new Dialer(_session, _options.Connect, givesUpWhenRefused: false, pace));
    }

    private HubService Describe(ListedService service, FieldDictionary dictionary) => new()
    {
        Offer = OfferOf(service),
        SourceHost = _host.Number,
        Owner = this,
        Dictionary = new DictionaryProvider(dictionary),
    };
}
