using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Notices;
using PerfHub.Services;

namespace PerfHub.Upstream;

/// <summary>
/// An interactive source: connects, and reconnects when the connection is lost; requests every watched item once. For a service that another source
/// of its thread has, it stands by: when that source is lost, it takes the items over, and keeps them.
/// </summary>
/// <remarks>Work on all of its items visits those of its thread, some in each turn.</remarks>
internal sealed partial class UpstreamSource : ItemSource
{
    private const long FirstRetryNanos = Clock.NanosPerSecond / 2;
    private const long MaxRetryNanos = 5 * Clock.NanosPerSecond;

    private const int MaxNamesReported = 8;

    private readonly UpstreamThread _host;
    private readonly UpstreamOptions _options;
    private readonly Dictionary<ushort, ServiceItems> _services = []; // those that it has now, by its ids
    private readonly Dictionary<string, ListedService> _standby = []; // those that another source has, by name
    private readonly Queue<CachedItem> _toOpen = new();
    private readonly Queue<(PendingPost Post, PostRefusal Why)> _toRefuse = new();
    private readonly ItemSweep _losing; // their consumers are notified
    private readonly ItemSweep _withdrawing; // the same, of services that the source no longer has
    private readonly ItemSweep _opening; // they are requested
    private UpstreamSession? _session;
    private FieldDictionary? _dictionary;
    private DictionaryProvider? _provider; // of the dictionary
    private long _leftOut;

    public UpstreamSource(UpstreamThread host, UpstreamOptions options)
    {
        _host = host;
        _options = options;
        (_losing, _withdrawing, _opening) = (new ItemSweep(host.Items.Table), new ItemSweep(host.Items.Table), new ItemSweep(host.Items.Table));
        Connect(startNanos: 0);
    }

    public override bool IsInteractive => true;

    public override int Connections => _session is { IsReady: true } ? 1 : 0;

    public override bool IsFull => _session is { IsFull: true };

    public override bool HasWork => _losing.IsOn || _withdrawing.IsOn || _toRefuse.Count > 0
        || ((_toOpen.Count > 0 || _opening.IsOn) && IsConnected && !IsFull);

    // Lost items are reported as lost before anything else.
    private bool IsConnected => _session is { IsReady: true } && !_losing.IsOn;

    public override void Open(CachedItem item)
    {
        if (!IsConnected || !Has(item.Service))
            return;
        if (_toOpen.Count == 0)
            _session!.Request(item);
        else
            _toOpen.Enqueue(item);
    }

    public override void Reissue(CachedItem item)
    {
        if (IsConnected && item.StreamId != 0)
            _session!.Reissue(item);
    }

    public override void Close(CachedItem item) => _session?.CloseItem(item);

    public override void Remove(CachedItem item) => _session?.Remove(item);

    public override void DiscardPosts(int consumerIndex, uint connection) => _session?.DiscardPosts(consumerIndex, connection);

    public override PostRefusal Forward(CachedItem? item, scoped in RwfMsg post, Poster poster)
    {
        if (item is null)
            return PostRefusal.ItemNotOpen;
        return IsConnected && item.StreamId != 0 ? _session!.Forward(item, post, poster) : PostRefusal.SourceDown;
    }

    public override bool TryForwardGeneric(CachedItem item, ReadOnlySpan<byte> message) =>
        IsConnected && item.StreamId != 0 && _session!.TryForward(item, message, MessageKind.SourceGeneric);

    public override void Continue(UpstreamThread host)
    {
        if (_losing.IsOn)
            LoseSome();
        if (_withdrawing.IsOn)
            WithdrawSome();
        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn && host.Broadcaster.HasRoom()
            && _toRefuse.TryDequeue(out (PendingPost Post, PostRefusal Why) refused); i++)
        {
            host.Posts.Refuse(refused.Post, refused.Why);
        }

        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn && IsConnected && !IsFull && _toOpen.TryDequeue(out CachedItem? item); i++)
            OpenAgain(item);
        for (int i = 0; i < UpstreamThread.MaxRecordsPerTurn && IsConnected && !IsFull && _opening.TryGetNext(out CachedItem? item); i++)
            OpenAgain(item);
    }

    /// <summary>Records that a forwarded post will not be acknowledged: its consumer is notified as space allows.</summary>
    public void Reject(PendingPost post, PostRefusal why) => _toRefuse.Enqueue((post, why));

    /// <summary>Offers services that the session has received, with their dictionary.</summary>
    /// <param name="directory">All services of the session.</param>
    /// <param name="changed">Ids of those that may have changed.</param>
    /// <param name="dictionary">The dictionary for their consumers.</param>
    public void OfferServices(DirectoryListing directory, IEnumerable<ushort> changed, FieldDictionary dictionary)
    {
        if (dictionary != _dictionary)
            (_dictionary, _provider) = (dictionary, new DictionaryProvider(dictionary));
        List<ListedService> listed = [];
        List<ushort> gone = [];
        foreach (ushort id in changed)
        {
            if (directory.TryFind(id, out ListedService? service) && IsWanted(service.Info))
                listed.Add(service);
            else
                gone.Add(id);
        }

        AddRenamed(listed, gone);
        Withdraw(gone);
        Offer(listed);
        if (directory.LeftOut == _leftOut)
            return;
        if (_leftOut == 0)
            AddNotice(HubNotices.ServicesLeftOut, Address, DirectoryListing.MaxServices);
        _host.Worker.Recording.Counters.Add(HubCounter.ServicesRefused, directory.LeftOut - _leftOut);
        _leftOut = directory.LeftOut;
    }

    /// <summary>Takes over services, with their items, whose source is lost and which it has, too.</summary>
    public void TakeOverLost() => TakeOverLost([.. _standby.Keys]);

    /// <summary>Returns a source's service as it is offered; the id may still change.</summary>
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

    /// <summary>Sends the requests again: the session is ready.</summary>
    public void OnReady()
    {
        TakeOverLost();
        _opening.Begin();
        Continue(_host);
    }

    /// <summary>Notifies consumers of the lost connection, and reconnects.</summary>
    public void OnLost(bool wasReady, bool isEnding)
    {
        _session = null;
        if (isEnding)
            return;
        _toOpen.Clear();
        _standby.Clear();
        _opening.End();
        _withdrawing.End();
        _host.Items.SetDown([.. _services.Values]);
        _services.Clear();
        Connect(_host.Worker.Time.NowNanos + FirstRetryNanos);
        if (wasReady)
            _losing.Begin();
        Continue(_host);
        _host.Publish();
    }

    private string Address => $"{_options.Connect.Host}:{_options.Connect.Port}";

    private bool IsWanted(ServiceInfo info) => info.Name is not null && (_options.ServiceName ?? info.Name) == info.Name;

    private void Offer(List<ListedService> listed)
    {
        IReadOnlyList<ServiceItems?> offered = _host.Items.Offer([.. listed.Select(service => Describe(service))], this);
        List<string> others = [], added = [];
        bool isBack = false; // a service with items: they are requested again
        for (int i = 0; i < listed.Count; i++)
        {
            ServiceInfo info = listed[i].Info;
            if (offered[i] is { } items && items.Source == this)
            {
                isBack |= items.Count > 0 && !Has(items);
                items.AtSource = info;
                _services[info.Id] = items;
            }
            else
            {
                // of two sources of one thread that have a service the other stands by; it may be up by now
                (_standby.ContainsKey(info.Name!) ? others : added).Add(info.Name!);
                _standby[info.Name!] = listed[i];
            }
        }

        if (isBack)
            _opening.Begin();
        TakeOverLost([.. others.Union(added)]);
        ReportOthers([.. added.Where(_standby.ContainsKey)]);
    }

    private void ReportOthers(List<string> names)
    {
        foreach (string name in names)
        {
            bool standsBy = _host.Items.FindService(name)?.Source is UpstreamSource;
            bool hasRoom = _host.Services.Find(name) is not null;
            _host.Worker.Recording.Counters.Add(HubCounter.ServicesRefused, standsBy ? 0 : 1);
            if (names.Count > MaxNamesReported)
                continue;
            if (hasRoom)
                AddNotice(HubNotices.ServiceTaken, name, Address, standsBy ? "stands by" : "is not used");
            else
                AddNotice(HubNotices.NoRoomForService, name, Address);
        }

        if (names.Count > MaxNamesReported)
            AddNotice(HubNotices.ServicesTaken, names.Count, Address);
    }

    // Of two lost sources the first to reconnect takes over.
    private void TakeOverLost(IReadOnlyList<string> names)
    {
        if (!IsConnected)
            return;
        List<(HubService Known, HubService Now)> changes = [];
        List<ListedService> unknown = [];
        foreach (string name in names)
        {
            ListedService own = _standby[name];
            if (_host.Services.Find(name) is null)
                unknown.Add(own);
            else if (own.Info.IsUp == true && _host.Items.FindService(name) is { Source: UpstreamSource source } lost && source.Lacks(lost))
                changes.Add((lost.Service, TakeOver(lost, own)));
        }

        _host.Services.Replace(changes);
        unknown.ForEach(service => _standby.Remove(service.Info.Name!));
        if (unknown.Count > 0)
            Offer(unknown);
        if (changes.Count > 0)
            _opening.Begin();
    }

    private HubService TakeOver(ServiceItems service, ListedService own)
    {
        _standby.Remove(own.Info.Name!);
        (service.Source, service.AtSource) = (this, own.Info);
        _services[own.Info.Id] = service;
        AddNotice(HubNotices.ServiceMoved, own.Info.Name, service.Count, Address);
        return Describe(own);
    }

    private void OpenAgain(CachedItem? item)
    {
        if (item is { StreamId: 0, IsOver: false } && item.Service.Source == this && Has(item.Service) && _host.Items.Table.Has(item))
            _session!.Request(item);
    }

    private void Connect(long startNanos)
    {
        _session = new UpstreamSession(_options, this, _host, _dictionary);
        RetryPace pace = new(startNanos, FirstRetryNanos, MaxRetryNanos, "0.5 to 5 s");
        _host.Worker.Connect(new Dialer(_session, _options.Connect, givesUpWhenRefused: false, pace));
    }

    private void AddNotice(NoticeKind kind, params ReadOnlySpan<object?> values) => _host.Worker.Recording.Notices.Add(kind, values);

    private HubService Describe(ListedService service) => new()
    {
        Offer = OfferOf(service),
        UpstreamIndex = _host.Number,
        Owner = this,
        Dictionary = _provider!,
    };
}
