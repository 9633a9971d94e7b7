using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Items of market by order between a provider's session and a consumer's.</summary>
public class OrderBookSessionTests
{
    private static readonly FieldMapTemplate Book = new([new(MapAction.Add, [1], SessionSamples.Messages.Updates[0])]);

    private readonly BookProvider _provider = new();
    private readonly DomainLog _consumer = new();

    [Fact]
    public void Request_BothDomains_EachGetsItsOwn()
    {
        using SessionPair pair = Connect(offersBooks: true, ItemFlags.MarketByOrder);
        pair.Until(() => _consumer.Lines.Count == 2);
        Assert.True(_provider.Session.Items.IsOrderBook(_provider.Session.Items.FindName("B1"u8, ItemTraits.OrderBook)));
        Assert.Equal(-1, _provider.Session.Items.FindName("B1"u8));
        Assert.Equal(["refresh MarketByOrder Map Open", "refresh MarketByOrder Map Open"], _consumer.Lines);
    }

    [Fact]
    public void Request_ServiceWithoutOrderBooks_IsRefusedAsThatDomain()
    {
        using SessionPair pair = Connect(offersBooks: false, ItemFlags.MarketByOrder);
        pair.Until(() => _consumer.Lines.Count == 2);
        Assert.Equal("status Closed UsageError", _consumer.Lines[0]);
    }

    [Fact]
    public void Directory_OrderBooks_AreAmongTheCapabilities()
    {
        using SessionPair without = Connect(offersBooks: false, ItemFlags.None);
        without.Until(() => _consumer.Lines.Count == 2);
        Assert.Equal(["refresh MarketPrice FieldList Open", "refresh MarketPrice FieldList Open"], _consumer.Lines);
        byte[] room = new byte[4_096];
        DirectoryProvider prices = new(SessionSamples.Service), books = new(SessionSamples.Service with { HasOrderBooks = true });
        prices.Receive(DirectoryRequest());
        books.Receive(DirectoryRequest());
        Assert.Equal(prices.EncodeRefresh(room) + 2, books.EncodeRefresh(room));
    }

    private static RwfMsg DirectoryRequest() => new() { MsgClass = MsgClass.Request, DomainType = DomainType.Source, StreamId = 2 };

    private SessionPair Connect(bool offersBooks, ItemFlags flags)
    {
        ProviderSessionOptions options =
            SessionSamples.Provider with { Service = SessionSamples.Service with { HasOrderBooks = offersBooks } };
        ConsumerSessionOptions asked = SessionPair.Items(0) with { Items = ItemList.Create(["B1", "B2"], flags) };
        return new SessionPair(new ProviderSession(options, _provider), _consumer, asked);
    }

    private sealed class BookProvider : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes + Book.MaxBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
        {
            if (Session.Items.IsOrderBook(item))
                Book.Encode(ref writer);
            else
                SessionSamples.Messages.Refresh.EncodeList(ref writer);
        }
    }

    private sealed class DomainLog : ConsumerHandler
    {
        public List<string> Lines { get; } = [];

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) =>
            Lines.Add($"refresh {refresh.DomainType} {refresh.ContainerType} {refresh.State.StreamState}");

        protected internal override void OnStatus(int item, scoped in RwfMsg status) =>
            Lines.Add($"status {status.State.StreamState} {status.State.Code}");
    }
}
