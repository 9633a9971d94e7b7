using System.Globalization;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Reactor;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>The list of a service's items, requested as an item of the symbol-list domain.</summary>
public class SymbolListTests
{
    private const string ListName = "_ITEMS";

    private static readonly ProviderSessionOptions Listing =
        SessionSamples.Provider with { Service = SessionSamples.Service with { SymbolList = ListName } };

    [Fact]
    public void Directory_WithAList_AnnouncesItAndItsDomain()
    {
        using ProviderConversation talk = new(Listing, Symbols(1));
        talk.Say(Wire.Encode(DirectoryConsumer.EncodeRequest));
        talk.UntilAnswers(1);
        RwfMsg refresh = talk.Last(MsgClass.Refresh);
        string payload = Convert.ToHexString(refresh.Payload);
        Assert.Contains(Convert.ToHexString("ItemList"u8) + "11" + "06" + Convert.ToHexString("_ITEMS"u8), payload, StringComparison.Ordinal);
        Assert.Contains(Convert.ToHexString("Capabilities"u8) + "0FFE000A" + "04000003" + "0105" + "0106" + "010A", payload, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(150, 1)]
    [InlineData(151, 2)]
    [InlineData(1_000, 7)]
    public void Request_OfTheList_GetsAllNamesInParts(int count, int parts)
    {
        using ProviderConversation talk = new(Listing, Symbols(count));
        Ask(talk, 6);
        talk.UntilAnswers(parts);
        talk.Ask(7, "A");
        talk.UntilAnswers(parts + 1);

        Assert.Equal([.. Enumerable.Repeat("Refresh 6 Open _ITEMS", parts), "Refresh 7 Open A"], talk.Answers);
        Assert.Equal(Enumerable.Range(0, count).Select(NameOf), Parts(talk).SelectMany(part => part.Names));
        Assert.Equal([.. Enumerable.Repeat(false, parts - 1), true], Parts(talk).Select(part => part.IsComplete));
        Assert.Equal([true, .. Enumerable.Repeat(false, parts - 1)], Parts(talk).Select(part => part.Clears));
        Assert.Equal((2, 1), (talk.Provider.OpenItems, talk.Provider.UpdatingItems));
    }

    [Fact]
    public void Request_LongNames_FitOneFrameEach()
    {
        using ProviderConversation talk = new(Listing, Symbols(200, nameBytes: 255));
        Ask(talk, 6);
        talk.Until(() => Parts(talk) is [.., (_, true, _)]);
        Assert.Equal(200, Parts(talk).Sum(part => part.Names.Count));
        Assert.All(talk.Messages, message => Assert.InRange(message.Length, 1, 6_142));
    }

    [Theory]
    [InlineData("other", "there is no such item")]
    [InlineData(null, "this provider does not support domain 10")]
    public void Request_AnotherNameOrNoList_IsRefused(string? name, string words)
    {
        using ProviderConversation talk = new(name is null ? SessionSamples.Provider : Listing, Symbols(1));
        Ask(talk, 6, name ?? ListName);
        talk.UntilAnswers(1);
        Assert.EndsWith($"rejected for stream id 6 - {words}\"", talk.Answers[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Snapshot_OfTheList_IsClosedBehindItsLastPart()
    {
        using ProviderConversation talk = new(Listing, Symbols(151));
        Ask(talk, 6, flags: 0);
        talk.UntilAnswers(2);
        Assert.Equal(["Refresh 6 NonStreaming _ITEMS", "Refresh 6 NonStreaming _ITEMS"], talk.Answers);
        Assert.Equal(0, talk.Provider.OpenItems);
    }

    // Closed and requested again between two parts: the list restarts, complete.
    [Fact]
    public void Close_BetweenTwoParts_LeavesNothingBehind()
    {
        const int count = 20_000;
        using ProviderConversation talk = new(Listing, Symbols(count));
        Ask(talk, 6);
        talk.UntilAnswers(1);
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6, DomainType.SymbolList)));
        Ask(talk, 6);
        talk.Until(() => Parts(talk) is [.., (_, true, _)]);
        int begin = Parts(talk).FindLastIndex(part => part.Clears);
        Assert.Equal(Enumerable.Range(0, count).Select(NameOf), Parts(talk).Skip(begin).SelectMany(part => part.Names));
    }

    // Private streams of the list: requests and closes of others neither restart one that is sent in part nor take names from the next.
    [Fact]
    public void Close_OfOneOfThreeLists_LeavesTheOthersAsTheyAre()
    {
        const int count = 20_000;
        const int flags = RequestFlags.Streaming | RequestFlags.PrivateStream;
        using ProviderConversation talk = new(Listing, Symbols(count));
        Ask(talk, 6, flags: flags);
        Ask(talk, 7, flags: flags);
        talk.UntilAnswers(1);
        Ask(talk, 8, flags: flags);
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6, DomainType.SymbolList)));
        talk.Until(() => Parts(talk).Count(part => part.IsComplete) >= 2 && talk.Answers[^1].StartsWith("Refresh 8 ", StringComparison.Ordinal)
            && Parts(talk)[^1].IsComplete);
        ILookup<string, (List<string> Names, bool IsComplete, bool Clears)> lists = talk.Answers.Zip(Parts(talk))
            .ToLookup(part => part.First.Split(' ')[1], part => part.Second);
        foreach (string stream in new[] { "7", "8" })
        {
            Assert.Single(lists[stream], part => part.Clears);
            Assert.Equal(Enumerable.Range(0, count).Select(NameOf), lists[stream].SelectMany(part => part.Names));
        }
    }

    [Fact]
    public void ServedItems_OneMore_IsToldToWhoHasTheListOpen()
    {
        ServedItems items = new();
        items.Set("A", SessionSamples.Messages.Refresh);
        using ProviderConversation talk = new(Listing, items.CreateHandler());
        Ask(talk, 6);
        talk.UntilAnswers(1);
        items.Set("B", SessionSamples.Messages.Refresh);
        items.Set("A", SessionSamples.Messages.Refresh);
        talk.Ask(7, "B");
        talk.UntilAnswers(2);
        Assert.Equal("Refresh 7 Open B", talk.Answers[1]);
        Assert.Equal(1, talk.Updates);
        Assert.Equal(["A"], Parts(talk)[0].Names);
    }

    [Fact]
    public void TryAddSymbol_NobodyHasTheListOpen_SendsNothing()
    {
        using ProviderConversation talk = new(Listing, Symbols(1));
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        Assert.True(talk.Provider.TryAddSymbol("B"u8));
        Ask(talk, 7);
        talk.UntilAnswers(2);
        Assert.True(talk.Provider.TryAddSymbol("B"u8));
        talk.Until(() => talk.Updates == 1);
    }

    [Fact]
    public void Subscribe_ToTheList_TellsItsParts()
    {
        using RecoveryBench bench = new(0, new RecoveryOptions { Watchlist = true }, Listing);
        bench.StartProvider(Symbols(300));
        bench.Until(() => bench.Count("ready") == 1);
        int list = bench.Consumer.Session.Subscribe(ListName, DomainType.SymbolList);
        bench.Until(() => bench.Count($"refresh {list} {ListName}") == 2);
        int price = bench.Consumer.Session.Subscribe(ListName);
        bench.Until(() => bench.Count($"refresh {price} {ListName}") == 1);
        Assert.NotEqual(list, price);
        Assert.True(bench.Consumer.Session.Release(list) && bench.Consumer.Session.Release(price));
    }

    private static string NameOf(int index) => index.ToString("SYM0", CultureInfo.InvariantCulture);

    private static void Ask(ProviderConversation talk, int streamId, string name = ListName, int flags = RequestFlags.Streaming)
    {
        RwfMsg request = ProviderConversation.Request(streamId, name, flags);
        request.DomainType = DomainType.SymbolList;
        talk.Say(Wire.Encode(request));
    }

    private static List<(List<string> Names, bool IsComplete, bool Clears)> Parts(ProviderConversation talk)
    {
        List<(List<string>, bool, bool)> parts = [];
        foreach (byte[] message in talk.Messages)
        {
            RwfMsg msg = Wire.Decode(message);
            if (msg.DomainType != DomainType.SymbolList || msg.MsgClass != MsgClass.Refresh)
                continue;
            List<string> names = [];
            Assert.Equal(DecodeResult.Success, MapReader.TryOpen(msg.Payload, out MapReader map));
            while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
                names.Add(Encoding.ASCII.GetString(entry.Key));
            parts.Add((names, msg.Has(RefreshFlags.RefreshComplete), msg.Has(RefreshFlags.ClearCache)));
        }

        return parts;
    }

    private static ProviderLog Symbols(int count, int nameBytes = 0) => new()
    {
        Symbols = [.. Enumerable.Range(0, count).Select(index => NameOf(index).PadRight(nameBytes, 'x'))],
    };
}
