using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>The services of one provider as a hub collects them: changed ones, and their maximum number.</summary>
public class DirectoryListingTests
{
    [Fact]
    public void Listing_OfChanges_SaysWhichServicesTheyConcern()
    {
        DirectoryListing listing = new();
        for (ushort id = 1; id <= 500; id++)
            Assert.Equal(ConversationStep.Ready, listing.Receive(Wire.Decode(DirectoryMessages.Announce(id, "NAME"u8.ToArray(), []))).Step);
        Assert.Equal([500], listing.Changed.Select(id => (int)id));
        listing.Receive(Wire.Decode(DirectoryMessages.Service(isUp: true)));
        Assert.Equal([1], listing.Changed.Select(id => (int)id));
        Assert.True(listing.TryFind(1, out ListedService? service) && service.Info is { IsUp: true, Name: "NAME" });
        Assert.Equal(500, listing.Services.Count);
    }

    /// <summary>An update of INFO changes the elements it has; the others are forwarded as before.</summary>
    [Fact]
    public void Info_ThatChangesInPart_KeepsItsOtherElements()
    {
        DirectoryListing listing = new();
        byte[] room = new byte[1_024];
        listing.Receive(Wire.Decode(room.AsSpan(0, DirectoryProvider.EncodeAnnouncement(room, new ServiceOffer { Name = "NAME", Id = 4, Vendor = "V" }))));
        string[] before = [.. Elements(listing)];
        Assert.Contains("Vendor=V", before);
        listing.Receive(Wire.Decode(DirectoryMessages.Vendor(4, "OTHER"u8.ToArray())));
        Assert.Equal(before.Select(element => element == "Vendor=V" ? "Vendor=OTHER" : element).Order(), Elements(listing).Order());
        Assert.True(listing.TryFind(4, out ListedService? service) && service.Info is { Name: "NAME", Vendor: "OTHER" });

        listing.Receive(Wire.Decode(DirectoryMessages.Vendor(4, "ALONE"u8.ToArray(), FilterAction.Set)));
        Assert.Equal(["Vendor=ALONE"], Elements(listing));
    }

    private static List<string> Elements(DirectoryListing listing)
    {
        Assert.True(listing.TryFind(4, out ListedService? service));
        List<string> elements = [];
        Assert.True(ElementLists.TryRead(service.InfoElements.Span, default, ref elements, static (scoped in element, ref all) =>
        {
            all.Add($"{Encoding.ASCII.GetString(element.Name)}={Encoding.ASCII.GetString(element.Content)}");
            return true;
        }));
        return elements;
    }

    [Fact]
    public void Listing_BegunAnew_NamesThoseThatAreGone()
    {
        DirectoryListing listing = new();
        foreach (ushort id in (ushort[])[3, 4])
            listing.Receive(Wire.Decode(DirectoryMessages.Announce(id, "NAME"u8.ToArray(), [])));
        byte[] room = new byte[1_024];
        listing.Receive(Wire.Decode(room.AsSpan(0, DirectoryProvider.EncodeAnnouncement(room, new ServiceOffer { Name = "NEW", Id = 4 }))));
        Assert.Equal([3, 4, 4], listing.Changed.Select(id => (int)id).Order());
        Assert.False(listing.TryFind(3, out _));
        Assert.True(listing.TryFind(4, out ListedService? service) && service.Info.Name == "NEW");
    }

    [Fact]
    public void Listing_OfMoreThanAThousand_LeavesTheRestOutUntilOneIsGone()
    {
        DirectoryListing listing = new();
        for (ushort id = 1; id <= 1_003; id++)
            listing.Receive(Wire.Decode(DirectoryMessages.Announce(id, "NAME"u8.ToArray(), [])));
        Assert.Equal((DirectoryListing.MaxServices, 3L), (listing.Services.Count, listing.LeftOut));
        listing.Receive(Wire.Decode(DirectoryMessages.Announce(7, "OTHER"u8.ToArray(), []))); // a known one
        Assert.True(listing.TryFind(7, out ListedService? known) && known.Info.Name == "OTHER");
        Assert.False(listing.TryFind(1_002, out _));
    }

    [Theory]
    [InlineData(30_000, 0)]
    [InlineData(32_768, 1)]
    public void Listing_OfAServiceThatSaysTooMuch_LeavesItOut(int vendorBytes, int leftOut)
    {
        DirectoryListing listing = new();
        byte[] room = new byte[64 * 1_024];
        ServiceOffer offer = new() { Name = "NAME", Id = 4, Vendor = new string('v', vendorBytes) };
        listing.Receive(Wire.Decode(room.AsSpan(0, DirectoryProvider.EncodeAnnouncement(room, offer))));
        Assert.Equal((1 - leftOut, (long)leftOut), (listing.Services.Count, listing.LeftOut));
    }

    [Fact]
    public void Listing_ReplacedOverAndOver_CountsWhatIsThereAlone()
    {
        DirectoryListing listing = new();
        byte[] vendor = new byte[20_000];
        for (int i = 0; i < 2_000; i++)
        {
            ConversationResult result = listing.Receive(Wire.Decode(DirectoryMessages.Announce((ushort)(i % 5), "NAME"u8.ToArray(), vendor)));
            Assert.Equal(ConversationStep.Ready, result.Step); // 40 MB in all
        }
    }
}
