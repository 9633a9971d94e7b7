using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfHub.Cache;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Services as consumers see them where a hub distributes only some domains.</summary>
[Trait("Category", "Fast")]
public sealed class DomainLimitTests
{
    private static readonly DomainLimit Limit = new(new HashSet<DomainType> { DomainType.MarketPrice, DomainType.MarketByPrice, (DomainType)255 });

    [Theory]
    [InlineData(DomainType.MarketPrice, true)]
    [InlineData(DomainType.MarketByOrder, false)]
    [InlineData(DomainType.MarketByPrice, true)]
    [InlineData(DomainType.MarketMaker, false)]
    [InlineData((DomainType)255, true)]
    public void Domains_WithALimit_AreThoseOfTheLimit(DomainType domain, bool isAllowed)
    {
        Assert.Equal((isAllowed, true), (Limit.Allows(domain), DomainLimit.None.Allows(domain)));
        Assert.False(new DomainLimit(new HashSet<DomainType>()).Allows(domain));
    }

    /// <summary>Logins, services and dictionaries stay; a number of two bytes is not the domain of its last byte.</summary>
    [Fact]
    public void Capabilities_OfAService_KeepWhatMayBeRequested()
    {
        byte[] limited = Apply(Elements([[1], [4], [5], [6], [7], [8], [9], [254], [255], [1, 0], [1, 6]]));
        Assert.Equal(Elements([[1], [4], [5], [6], [8], [255]]), limited);
        Assert.Equal(Elements([]), Apply(Elements([[7]])));
        Assert.Equal(Elements([]), Apply(Elements([])));
    }

    [Fact]
    public void Elements_OtherThanNumbersOfCapabilities_AreUnchanged()
    {
        byte[] elements = Wire.Elements((ref RwfWriter writer) =>
        {
            writer.WriteAsciiElement("Name"u8, "PASSED"u8);
            writer.BeginElement("Others"u8, DataType.Array);
            writer.WriteContent([(byte)DataType.UInt, 0, 0, 2, 1, 7, 1, 9]);
            writer.BeginElement("Capabilities"u8, DataType.Array);
            writer.WriteContent([(byte)DataType.AsciiString, 0, 0, 2, 1, 7, 1, 9]);
            writer.BeginElement("Capabilities"u8, DataType.UInt);
            writer.WriteContent([7]);
            writer.BeginElement("Capabilities"u8, DataType.NoData);
            writer.WriteAsciiElement("Vendor"u8, "HUB"u8);
        });
        Assert.Equal(elements, Apply(elements));
    }

    [Fact]
    public void Elements_ThatCannotBeRead_AreUnchanged()
    {
        byte[] elements = Elements([[6], [7]]);
        foreach (byte[] spoilt in (byte[][])[elements[..^1], elements[..1], []])
            Assert.Equal(spoilt, Apply(spoilt));
    }

    [Theory]
    [InlineData(true, DomainType.MarketByOrder, true)]
    [InlineData(true, DomainType.MarketPrice, false)]
    [InlineData(false, DomainType.MarketByOrder, false)]
    public void OrderBooks_OfAService_AreThereWhereBothHaveThem(bool offers, DomainType allowed, bool hasBooks)
    {
        ServiceOffer offer = new() { Name = "FEED", Id = 7, HasOrderBooks = offers, OpenLimit = 5 };
        ServiceOffer limited = new DomainLimit(new HashSet<DomainType> { allowed }).Apply(offer);
        Assert.Equal(offer with { HasOrderBooks = hasBooks }, limited);
        Assert.Same(offer, DomainLimit.None.Apply(offer));
    }

    [Theory]
    [InlineData(DomainType.Login, false, false)]
    [InlineData(DomainType.Source, false, false)]
    [InlineData(DomainType.Dictionary, false, false)]
    [InlineData(DomainType.MarketPrice, true, true)]
    [InlineData(DomainType.MarketByOrder, true, true)]
    [InlineData(DomainType.MarketByPrice, true, false)]
    [InlineData((DomainType)255, true, false)]
    public void Domain_OfEachKind_IsOfItemsOrCachedOrNeither(DomainType domain, bool isItem, bool isCached) =>
        Assert.Equal((isItem, isCached), (HubDomain.IsItem(domain), HubDomain.IsCached(domain)));

    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(253, new byte[] { 253 })]
    [InlineData(254, new byte[] { 254, 0, 254 })]
    [InlineData(255, new byte[] { 254, 0, 255 })]
    [InlineData(256, new byte[] { 254, 1, 0 })]
    [InlineData(65_535, new byte[] { 254, 255, 255 })]
    public void ShortLength_AtItsMarks_TakesOneOrThreeBytes(int length, byte[] expected)
    {
        byte[] room = new byte[4];
        Assert.Equal(expected.Length, ShortLength.Write(room, length));
        Assert.Equal([.. expected, .. new byte[4 - expected.Length]], room);
    }

    private static byte[] Apply(byte[] elements) =>
        Limit.Apply(new ServiceOffer { Name = "PASSED", Id = 7, InfoElements = elements }).InfoElements.ToArray();

    private static byte[] Elements(byte[][] capabilities) => Wire.Elements((ref RwfWriter writer) =>
    {
        writer.WriteAsciiElement("Name"u8, "PASSED"u8);
        WriteArray(ref writer, "Capabilities"u8, DataType.UInt, capabilities);
        writer.WriteAsciiElement("Vendor"u8, "HUB"u8);
    });

    private static void WriteArray(ref RwfWriter writer, ReadOnlySpan<byte> name, DataType type, byte[][] items)
    {
        writer.BeginElement(name, DataType.Array);
        writer.BeginArray(type);
        foreach (byte[] item in items)
            writer.WriteItem(item);
        writer.EndArray();
        writer.EndEntry();
    }
}
