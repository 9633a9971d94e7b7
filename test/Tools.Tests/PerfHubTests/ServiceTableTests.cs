using PerfCommon.Domains;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The services of a hub: the cost of entering many, their ids, and when they are removed.</summary>
public class ServiceTableTests
{
    private static readonly DictionaryProvider Dictionary = new(FieldDictionary.Default);
    private static readonly object Owner = new();

    [Fact]
    public void Offer_ManyServices_CostsInProportionAndIsToldOnce()
    {
        List<long> work = [];
        foreach (int count in (int[])[1_000, 2_000, 4_000])
        {
            ServiceTable table = new();
            int told = 0;
            table.OnChanged = () => told++;
            HubService[] services = [.. Enumerable.Range(1, count).Select(number => Service($"S{number}", (ushort)number))];
            long before = GC.GetAllocatedBytesForCurrentThread();
            IReadOnlyList<HubService?> offered = table.Offer(services, provider: Owner);
            work.Add(GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.Equal((1, count), (told, offered.Count(service => service is not null)));
            table.Offer(services, provider: Owner); // the same again
            Assert.Equal(1, told);
            Assert.Equal(count, table.List().Offers.Count);
        }

        Assert.InRange(work[^1] / (double)work[^2], 1, 2.2);
    }

    [Fact]
    public void Change_OfOneOfMany_CostsAsMuchAsOfFew()
    {
        List<long> work = [];
        foreach (int count in (int[])[100, 10_000])
        {
            ServiceTable table = new();
            table.Offer([.. Enumerable.Range(1, count).Select(number => Service($"S{number}", (ushort)number))], provider: Owner);
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
                table.Offer([Service("S7", 7, isUp: i % 2 == 0)], provider: Owner);
            work.Add(GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.InRange(work[1], work[0] - 1_000, work[0] + 1_000);
    }

    [Fact]
    public void Ids_ThatCollide_AreChangedAndUsedAgainOnceTheirServiceIsGone()
    {
        ServiceTable table = new();
        HubService[] offered =
            [.. table.Offer([Service("A", 5), Service("B", 5), Service("C", 0), Service("D", ushort.MaxValue), Service("E", ushort.MaxValue)], Owner)!];
        Assert.Equal([5, 6, 1, 65_535, 2], offered.Select(service => (int)service.Id));
        table.Leave([offered[0]], Owner, nowNanos: 1);
        Assert.Equal(1 + ServiceTable.LingerNanos, table.NextDueNanos);
        table.Sweep(ServiceTable.LingerNanos);
        Assert.False(table.Find(5)!.Offer.IsUp); // what is on its way finds it still
        table.Sweep(ServiceTable.LingerNanos + 1);
        Assert.Equal(long.MaxValue, table.NextDueNanos);
        Assert.Null(table.Find(5));
        HubService again = table.Offer([Service("F", 5)], Owner)[0]!;
        Assert.Equal(5, again.Id);
        Assert.Null(table.Find(offered[0].Key));
        Assert.Same(again, table.Find(again.Key));
    }

    [Fact]
    public void Table_ThatIsFull_RefusesAndGoesOn()
    {
        ServiceTable table = new(maxServices: 3);
        IReadOnlyList<HubService?> offered = table.Offer([Service("A", 1), Service("B", 1), Service("C", 1), Service("D", 1)], Owner);
        Assert.Equal((int?[])[1, 2, 3, null], offered.Select(service => (int?)service?.Id));
        Assert.NotNull(table.Offer([Service("B", 1, isUp: false)], Owner)[0]);
        table.Leave([offered[1]!], Owner, nowNanos: 0);
        table.Sweep(ServiceTable.LingerNanos);
        Assert.Equal(2, (int)table.Offer([Service("D", 1)], Owner)[0]!.Id);
    }

    [Fact]
    public void AllIds_Taken_TheNextServiceIsRefusedAtOnce()
    {
        ServiceTable table = new();
        int taken = 0;
        for (int first = 0; first < ushort.MaxValue; first += 1_000)
        {
            HubService[] services = [.. Enumerable.Range(first, Math.Min(1_000, ushort.MaxValue - first)).Select(i => Service($"{i}", 9, vendor: ""))];
            taken += table.Offer(services, Owner).Count(service => service is not null);
        }

        // each takes room in a directory, which is one message
        Assert.InRange(taken, 20_000, ushort.MaxValue);
        Assert.Null(table.Offer([Service("ONE MORE", 1)], Owner)[0]);
        Assert.InRange(table.List().MaxBytes, 1, 12 * 1024 * 1024);
        ServiceIds ids = new();
        for (int i = 0; i < ServiceIds.Max; i++)
            ids.Allocate(40_000);
        Assert.Equal(ServiceIds.Max, ids.InUse().Count());
    }

    [Fact]
    public void Service_WhoseProvidersLeft_GoesWithTheLastThreadThatHasItems()
    {
        ServiceTable table = new();
        HubService service = table.Offer([Service("A", 1)], provider: "one")[0]!;
        table.Offer([Service("A", 1)], provider: "two");
        table.Hold(service);
        table.Hold(service);
        table.Leave([service], "one", nowNanos: 0);
        Assert.True(table.Find(1)!.Offer.IsUp);
        table.Leave([service], "two", nowNanos: 0);
        table.Release(service, nowNanos: 0);
        table.Sweep(10 * ServiceTable.LingerNanos);
        Assert.False(table.Find(1)!.Offer.IsUp);
        table.Release(service, nowNanos: 10 * ServiceTable.LingerNanos);
        Assert.NotNull(table.Find("A"));
        table.Sweep(11 * ServiceTable.LingerNanos);
        Assert.Null(table.Find("A"));
        Assert.Empty(table.List().Offers);
    }

    [Fact]
    public void Service_ThatIsBackBeforeItsItemsWent_Stays()
    {
        ServiceTable table = new();
        HubService service = table.Offer([Service("A", 1)], provider: "one")[0]!;
        table.Hold(service);
        table.Leave([service], "one", nowNanos: 0);
        table.Release(service, nowNanos: 0);
        Assert.Equal(service.Key, table.Offer([Service("A", 1)], provider: "two")[0]!.Key);
        table.Sweep(ServiceTable.LingerNanos);
        Assert.True(table.Find("A")!.Offer.IsUp);
        table.Leave([service], "two", nowNanos: 0);
        table.Leave([service], "two", nowNanos: 0);
        table.Sweep(2 * ServiceTable.LingerNanos);
        Assert.Null(table.Find("A"));
    }

    private static HubService Service(string name, ushort id, bool isUp = true, string vendor = "V") => new()
    {
        Offer = new ServiceOffer { Name = name, Id = id, IsUp = isUp, Vendor = vendor },
        Owner = Owner,
        Dictionary = Dictionary,
    };
}
