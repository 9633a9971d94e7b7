using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Changes of services one by one: their version, who is notified, and when a service without a source is removed.</summary>
[Trait("Category", "Fast")]
public sealed class ServiceTableRulesTests
{
    private const long Linger = 2 * Clock.NanosPerSecond;

    private static readonly DictionaryProvider Dictionary = new(FieldDictionary.Default);

    private readonly ServiceTable _table = new(maxServices: 3);
    private readonly object _source = new();
    private int _changes;

    public ServiceTableRulesTests() => _table.OnChanged = () => _changes++;

    [Fact]
    public void Offer_OfANewService_IsAChangeAndTheSameAgainIsNone()
    {
        HubService first = Offer("A", 5)!;
        Assert.Equal((5, 1, 1, 1), (first.Id, first.Serial, _table.Version, _changes));
        Assert.Equal((first, first, first), (_table.Find(5), _table.Find("A"), _table.Find(first.Key)));
        Assert.Equal((null, null, null), (_table.Find(6), _table.Find("B"), _table.Find(first.Key with { Serial = 2 })));
        Assert.Equal(first.Key, Offer("A", 9)!.Key); // the id that it has
        Assert.Equal((1, 1), (_table.Version, _changes));
        ServiceSnapshot list = _table.List();
        Assert.Same(list, _table.List());
        HubService changed = _table.Offer([Service("A", 5) with { Offer = new ServiceOffer { Name = "A", Id = 5, Vendor = "other" } }])[0]!;
        Assert.Equal((first.Key, "other", 2, 2), (changed.Key, changed.Offer.Vendor, _table.Version, _changes));
        Assert.Equal([("A", "other")], _table.List().Offers.Select(offer => (offer.Name, offer.Vendor)));
        Assert.Equal(2, _table.List().Version);
    }

    [Fact]
    public void Offer_OfSeveral_IsOneNotice()
    {
        IReadOnlyList<HubService?> offered = _table.Offer([Service("A", 5), Service("B", 5), Service("C", 4), Service("D", 1)]);
        Assert.Equal([5, 6, 4, null], offered.Select(service => (int?)service?.Id));
        Assert.Equal((1, 3), (_changes, _table.Version));
        Assert.Equal(["C", "A", "B"], _table.List().Offers.Select(offer => offer.Name));
        Assert.Equal([1, 2, 3], offered.Take(3).Select(service => (int)service!.Serial));
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 1)]
    public void Offer_OfANameThatAnotherHas_IsRefused(bool isSameOwner, int upstream)
    {
        Offer("A", 5);
        HubService other = Service("A", 5) with { Owner = isSameOwner ? _source : new object(), UpstreamIndex = upstream };
        Assert.Null(_table.Offer([other])[0]);
        Assert.Equal((1, 1), (_table.Version, _changes));
    }

    [Fact]
    public void SetDown_OfAService_RemovesItAfterAMoment()
    {
        HubService service = Offer("A", 5)!;
        Assert.Equal(long.MaxValue, _table.NextDueNanos);
        _table.SetDown([service], nowNanos: 100);
        Assert.Equal((100 + Linger, false, false, 2), (_table.NextDueNanos, _table.Find("A")!.Offer.IsUp, _table.Find("A")!.Offer.AcceptsRequests, _changes));
        _table.SetDown([service], nowNanos: 200); // again: no change, at its time
        Assert.Equal((100 + Linger, 2), (_table.NextDueNanos, _changes));
        _table.Sweep(99 + Linger);
        Assert.NotNull(_table.Find("A"));
        _table.Sweep(100 + Linger);
        Assert.Equal((null, null, long.MaxValue, 3), (_table.Find("A"), _table.Find(5), _table.NextDueNanos, _changes));
        _table.SetDown([service], nowNanos: 300);
        Assert.Equal((long.MaxValue, 3), (_table.NextDueNanos, _changes));
        Assert.Equal((5, 2), (Offer("A", 5)!.Id, Offer("A", 5)!.Serial));
    }

    [Fact]
    public void SetDown_OfAServiceThatIsBackInTime_LeavesIt()
    {
        HubService service = Offer("A", 5)!;
        _table.SetDown([service], 100);
        Assert.Equal(service.Key, Offer("A", 5)!.Key);
        Assert.True(_table.Find("A")!.Offer.IsUp);
        _table.Sweep(100 + Linger);
        Assert.NotNull(_table.Find("A"));
        _table.SetDown([service], 1_000);
        Assert.Equal(1_000 + Linger, _table.NextDueNanos);
    }

    [Fact]
    public void Hold_OfAService_KeepsItUntilTheLastRelease()
    {
        HubService service = Offer("A", 5)!;
        _table.Hold(service);
        _table.Hold(service);
        _table.SetDown([service], 100);
        Assert.Equal(long.MaxValue, _table.NextDueNanos);
        _table.Release(service, 200);
        Assert.Equal(long.MaxValue, _table.NextDueNanos);
        _table.Release(service, 300);
        Assert.Equal(300 + Linger, _table.NextDueNanos);
        _table.Hold(service);
        _table.Sweep(300 + Linger);
        Assert.NotNull(_table.Find("A"));
        _table.Release(service, 400);
        _table.Sweep(400 + Linger);
        Assert.Null(_table.Find("A"));
        Offer("A", 5);
        _table.Hold(service); // the one that is gone
        _table.Release(_table.Find("A")!, 500);
        Assert.Equal(long.MaxValue, _table.NextDueNanos); // it is up
    }

    [Fact]
    public void Sweep_OfSeveral_RemovesThoseThatAreDue()
    {
        HubService[] services = [Offer("A", 1)!, Offer("B", 2)!, Offer("C", 3)!];
        for (int i = 0; i < 3; i++)
            _table.SetDown([services[i]], 100 * (i + 1));
        int before = _changes;
        _table.Sweep(200 + Linger);
        Assert.Equal((null, null, true, 300 + Linger, before + 1),
            (_table.Find("A"), _table.Find("B"), _table.Find("C") is not null, _table.NextDueNanos, _changes));
    }

    [Fact]
    public void Leave_OfProviders_SetsAServiceDownWithTheLast()
    {
        object one = new(), two = new();
        HubService service = _table.Offer([Service("A", 5)], one)[0]!;
        int version = _table.Version;
        _table.Offer([Service("A", 5)], two);
        Assert.Equal((version + 1, 2), (_table.Version, _changes)); // consumers are notified of another provider
        _table.Offer([Service("A", 5)], two);
        Assert.Equal(version + 1, _table.Version);
        _table.Leave([service], one, 100);
        _table.Leave([service], one, 100);
        Assert.Equal((true, 2), (_table.Find("A")!.Offer.IsUp, _changes));
        _table.Leave([service], two, 200);
        Assert.Equal((false, 3, 200 + Linger), (_table.Find("A")!.Offer.IsUp, _changes, _table.NextDueNanos));
    }

    /// <summary>A service that another source takes over has that source, is up, and keeps its id and serial.</summary>
    [Fact]
    public void Replace_OfAServiceThatIsDown_KeepsItsKey()
    {
        HubService service = Offer("A", 5)!;
        _table.SetDown([service], 100);
        object other = new();
        HubService now = Service("A", 44) with { Owner = other };
        _table.Replace([(service, now), (Service("UNKNOWN", 1), now)]);
        HubService found = _table.Find("A")!;
        Assert.Equal((service.Key, other, true, 3), (found.Key, found.Owner, found.Offer.IsUp, _changes));
        _table.Sweep(long.MaxValue);
        Assert.NotNull(_table.Find("A"));
        _table.Replace([]);
        Assert.Equal(3, _changes);
    }

    [Fact]
    public void Offer_BeyondTheMaximum_IsTakenOnceAnotherIsGone()
    {
        for (int round = 0; round < 100; round++)
        {
            HubService?[] services = [.. Enumerable.Range(0, 4).Select(i => Offer($"R{round}N{i}", (ushort)(i + 1)))];
            Assert.Equal([1, 2, 3, null], services.Select(service => (int?)service?.Id));
            _table.SetDown(services.Take(3)!, 0);
            _table.Sweep(Linger);
            Assert.Empty(_table.List().Offers);
        }
    }

    private HubService? Offer(string name, ushort id) => _table.Offer([Service(name, id)])[0];

    private HubService Service(string name, ushort id) =>
        new() { Offer = new ServiceOffer { Name = name, Id = id }, Owner = _source, Dictionary = Dictionary };
}
