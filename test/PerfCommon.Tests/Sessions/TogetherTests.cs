using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>One of many sessions, without a watchlist, that requests all its items in one batch.</summary>
public class TogetherTests
{
    private const int Before = 2; // login and directory

    private static readonly string[] Images = ["refresh 0 RDT1 Success", "refresh 1 RDT2 Success", "refresh 2 RDT3 Success"];

    [Fact]
    public void Items_OfAProviderWithBatches_AreAskedForByOneRequest() =>
        Assert.Equal((1, 3), Ask(SessionPair.Items(3), LoginOffer.BatchRequests));

    [Fact]
    public void Items_OfAProviderWithoutBatches_AreAskedForOneByOne() => Assert.Equal((3, 3), Ask(SessionPair.Items(3), null));

    [Fact]
    public void Items_WhoseNamesFillMoreThanARequest_AreAskedForOneByOne() =>
        Assert.Equal((900, 900), Ask(SessionPair.Items(900), LoginOffer.BatchRequests));

    [Fact]
    public void Item_Alone_IsNoBatch() => Assert.Equal((1, 1), Ask(SessionPair.Items(1), LoginOffer.BatchRequests));

    [Theory]
    [InlineData("", "", 1)]
    [InlineData("post=\"true\"", "genMsg=\"true\"", 1)] // a mark of what is sent to it
    [InlineData("private=\"true\"", "private=\"true\"", 1)]
    [InlineData("", "private=\"true\"", 2)]
    [InlineData("private=\"true\"", "", 2)]
    [InlineData("snapshot=\"true\"", "", 2)]
    [InlineData("", "snapshot=\"true\"", 2)]
    [InlineData("", "domain=\"MarketByOrder\"", 2)]
    [InlineData("domain=\"MarketByOrder\"", "domain=\"MarketByOrder\"", 2)]
    public void Items_OfOneOrTwoKinds_AreAskedForTogetherOrNot(string first, string second, int messages)
    {
        using MemoryStream text = new(Encoding.UTF8.GetBytes($"<itemList>{Item("RDT1", first)}{Item("RDT2", second)}</itemList>"));
        ProviderSessionOptions offering = Offering(LoginOffer.BatchRequests);
        using SessionPair pair = new(
            new ProviderSession(offering with { Service = SessionSamples.Service with { HasOrderBooks = true } }, new ProviderLog()), new ConsumerLog(),
            Together(SessionPair.Items(2) with { Items = ItemList.Load(text, "list", 2) }));
        pair.Until(() => pair.Server.Recording.Counters[Counter.RequestsReceived] == 2);
        Assert.Equal(messages, pair.Consumer.Channel.MessagesSent - Before);

        static string Item(string name, string words) =>
            $"<item name=\"{name}\" {(words.StartsWith("domain", StringComparison.Ordinal) ? "" : "domain=\"MarketPrice\" ")}{words}/>";
    }

    [Fact]
    public void Batch_ThatIsRefused_IsAskedForOneByOne()
    {
        ConsumerLog log = new();
        ProviderLog provider = new();
        using SessionPair pair = new(new ProviderSession(Offering(LoginOffer.BatchRequests), provider), log, Together(SessionPair.Items(3)));
        pair.Until(() => log.Lines.Count == 4);
        SayNoBatch(provider);
        pair.Until(() => pair.Server.Recording.Counters[Counter.RequestsReceived] == 6);
        pair.Until(() => log.Lines.Count == 7); // each requested once more, as its stream is open
        Assert.Equal(3, pair.Client.Recording.Counters[Counter.RequestsSent]);
    }

    [Fact]
    public void Status_OfABatchThatWasNotSent_IsDropped()
    {
        ConsumerLog log = new();
        ProviderLog provider = new();
        using SessionPair pair = new(new ProviderSession(Offering(null), provider), log, Together(SessionPair.Items(3)));
        pair.Until(() => log.Lines.Count == 4);
        SayNoBatch(provider);
        pair.Until(() => pair.Client.Recording.Counters[Counter.MessagesDropped] == 1);
        for (int turn = 0; turn < 10; turn++)
        {
            pair.Client.Turn(0);
            pair.Server.Turn(0);
        }

        Assert.Equal((3, 3, 4),
            (pair.Client.Recording.Counters[Counter.RequestsSent], pair.Server.Recording.Counters[Counter.RequestsReceived], log.Lines.Count));
    }

    private static void SayNoBatch(ProviderLog provider)
    {
        Assert.True(provider.Session.Output.TrySend(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.MarketPrice,
            StreamId = StreamIds.Batch,
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.Closed, DataState.Suspect, StateCode.UnableToRequestAsBatch),
        }), MessageKind.Other));
        provider.Session.Channel.Flush();
    }

    // Number of request messages, and of requested items.
    private static (long Messages, long Items) Ask(ConsumerSessionOptions items, ulong? batches)
    {
        ConsumerLog log = new();
        using SessionPair pair = new(new ProviderSession(Offering(batches), new ProviderLog()), log, Together(items));
        pair.Until(() => log.Lines.Count == items.Items.Count + 1);
        Assert.Equal(Images.Take(items.Items.Count), log.Lines.Skip(1).Take(3));
        Assert.Equal(0, pair.Client.Recording.Counters[Counter.MessagesDropped]);
        Assert.Equal(items.Items.Count, pair.Server.Recording.Counters[Counter.RequestsReceived]);
        return (pair.Consumer.Channel.MessagesSent - Before, pair.Client.Recording.Counters[Counter.RequestsSent]);
    }

    private static ConsumerSessionOptions Together(ConsumerSessionOptions items) => items with { IsOneOfMany = true, AsksTogether = true };

    private static ProviderSessionOptions Offering(ulong? batches) =>
        SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportBatchRequests = batches } };
}
