using System.Text;
using PerfCommon.Domains;
using PerfHub.Cache;
using PerfHub.Memory;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Limits that connections and threads of a hub share: names, memory, ids, and the thread of each item.</summary>
[Trait("Category", "Fast")]
public sealed class SharedLimitTests
{
    /// <summary>Names of a connection take 32 MB at most, a short one 16 bytes; filled and emptied they take nothing.</summary>
    [Theory]
    [InlineData(0, 16)]
    [InlineData(15, 16)]
    [InlineData(16, 16)]
    [InlineData(17, 17)]
    [InlineData(255, 255)]
    public void ItemNames_OfALength_TakeItUpToTheMaximum(int length, int bytes)
    {
        ItemNames names = new();
        int count = 32 * 1024 * 1024 / bytes;
        for (int round = 0; round < 2; round++)
        {
            for (int i = 0; i < count; i++)
                Assert.True(names.TryAdd(length));
            Assert.Equal(count * bytes, names.KeptBytes);
            Assert.False(names.TryAdd(255));
            Assert.Equal(count * bytes, names.KeptBytes);
            for (int i = 0; i < count; i++)
                names.Remove(length);
            Assert.Equal(0, names.KeptBytes);
        }
    }

    [Fact]
    public void ItemNames_ThatFillTheMaximumExactly_AreTaken()
    {
        ItemNames names = new();
        for (int i = 0; i < (32 * 1024 * 1024 / 16) - 2; i++)
            names.TryAdd(16);
        Assert.False(names.TryAdd(33));
        Assert.True(names.TryAdd(32));
        Assert.Equal((ItemNames.MaxBytes, false), (names.KeptBytes, names.TryAdd(0)));
    }

    /// <summary>A thread that sees 85 % in use reports it; where nothing more can be freed, 90 %.</summary>
    [Fact]
    public void HubMemory_AtItsLimits_IsTightBeyondThem()
    {
        long all = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, used = 0, tight = (long)(0.85 * all), last = (long)(0.9 * all);
        HubMemory memory = new(() => used);
        for (int round = 0; round < 3; round++)
        {
            Assert.False(Look(tight));
            Assert.True(Look(tight + 1));
            Assert.True(Look(0)); // until it is eased
            memory.UseRest();
            Assert.False(memory.IsTight);
            Assert.False(Look(last));
            Assert.True(Look(last + 1));
            memory.Ease();
            Assert.False(memory.IsTight);
        }

        memory.Tighten();
        Assert.Equal((true, false), (memory.IsTight, memory.HasEnded));
        memory.End();
        Assert.Equal((false, true), (memory.IsTight, memory.HasEnded));

        bool Look(long bytes)
        {
            used = bytes;
            memory.Look();
            return memory.IsTight;
        }
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(63, 63)]
    [InlineData(64, 64)]
    [InlineData(65_535, 65_535)]
    public void ServiceIds_Wanted_AreGivenWhileTheyAreFree(ushort wanted, ushort given)
    {
        ServiceIds ids = new();
        for (int round = 0; round < 3; round++)
        {
            Assert.Equal(given, ids.Allocate(wanted));
            Assert.Equal([given], ids.InUse());
            ids.Return(given);
            Assert.Empty(ids.InUse());
        }
    }

    [Fact]
    public void ServiceIds_InUse_GiveTheNextFreeOneAndNeverZero()
    {
        ServiceIds ids = new();
        Assert.Equal((1, 2, 3), (ids.Allocate(0), ids.Allocate(1), ids.Allocate(0)));
        Assert.Equal((63, 64, 65), (ids.Allocate(63), ids.Allocate(63), ids.Allocate(63)));
        Assert.Equal((65_535, 4), (ids.Allocate(65_535), ids.Allocate(65_535)));
        Assert.Equal([1, 2, 3, 4, 63, 64, 65, 65_535], ids.InUse());
        ids.Return(64);
        Assert.Equal(64, ids.Allocate(63));
    }

    [Fact]
    public void ItemOwners_OfAName_AreTheFirstThatNeededIt()
    {
        ItemOwners owners = new(threads: 4);
        Assert.Equal((3, 3, 3), (Host("A", 3), Host("A", 1), Host("A", null)));
        int any = Host("B", null);
        Assert.InRange(any, 0, 3);
        Assert.Equal((any, any), (Host("B", (any + 1) % 4), Host("B", null)));
        Assert.Equal(4, Enumerable.Range(0, 400).Select(i => Host($"N{i}", null)).Distinct().Count());
        ItemOwners single = new(threads: 1);
        Assert.Equal((0, 0), (single.HostOf("A"u8, 5), single.HostOf("A"u8)));

        int Host(string name, int? claimant) => owners.HostOf(Encoding.ASCII.GetBytes(name), claimant);
    }

    /// <summary>Names whose hashes share one of 2^20 places have one thread: that of the first of them.</summary>
    [Fact]
    public void ItemOwners_OfNamesThatShareAPlace_AreTheSame()
    {
        ItemOwners owners = new(threads: 4);
        byte[][] pair = Enumerable.Range(0, 20_000).Select(i => Encoding.ASCII.GetBytes($"N{i}"))
            .GroupBy(name => (uint)BytesComparer.Instance.GetHashCode(name) % (1 << 20)).First(names => names.Count() > 1).ToArray();
        Assert.Equal((2, 2, 2), (owners.HostOf(pair[0], 2), owners.HostOf(pair[1], 1), owners.HostOf(pair[1])));
    }

    /// <summary>A directory shows a difference between two services where any of their members differs.</summary>
    [Fact]
    public void IsLike_WithOneMemberChanged_IsFalse()
    {
        DictionaryProvider dictionary = new(FieldDictionary.Default);
        object owner = new();
        HubService service = new()
        {
            Offer = new ServiceOffer { Name = "S", Id = 1, InfoElements = new byte[] { 1, 2 } },
            Owner = owner,
            UpstreamIndex = 1,
            Dictionary = dictionary
        };
        Assert.True(service.IsLike(service with { Serial = 9, PassesOn = false, Offer = service.Offer with { InfoElements = new byte[] { 1, 2 } } }));
        HubService[] changed =
        [
            service with { Owner = new object() }, service with { UpstreamIndex = 2 }, service with { Dictionary = new(FieldDictionary.Default) },
            service with { Offer = service.Offer with { InfoElements = new byte[] { 1, 3 } } }, service with { Offer = service.Offer with { IsUp = false } },
            service with { Offer = service.Offer with { AcceptsRequests = false } }, service with { Offer = service.Offer with { Id = 2 } },
            service with { Offer = service.Offer with { Name = "T" } }, service with { Offer = service.Offer with { HasOrderBooks = true } },
        ];
        Assert.All(changed, other => Assert.False(service.IsLike(other)));
        HubService down = service.Down();
        Assert.Equal((false, false, "S", 1), (down.Offer.IsUp, down.Offer.AcceptsRequests, down.Offer.Name, down.Offer.Id));
        Assert.Equal((false, 1, true, 0), (service.IsPublished, service.HostOf("A"u8), (service with { Owner = new ItemOwners(1) }).IsPublished,
            (service with { Owner = new ItemOwners(1) }).HostOf("A"u8)));
    }

    [Fact]
    public void ServiceSnapshot_OfOffers_HasTheBytesOfAll()
    {
        ServiceOffer one = new() { Name = "AB", Id = 1, Vendor = "V" }, two = new() { Name = "CDE", Id = 2, Vendor = "", InfoElements = new byte[10] };
        Assert.Equal(((512 + 3) + (512 + 13), 0, 0),
            (new ServiceSnapshot(5, [one, two]).MaxBytes, ServiceSnapshot.Empty.MaxBytes, ServiceSnapshot.Empty.Version));
    }
}
