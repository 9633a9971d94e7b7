using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>Items that are subscribed to by name, shared and released: one stream upstream for any number of handles.</summary>
public class SubscriptionTests
{
    private static readonly RecoveryOptions Watchlist = new() { Watchlist = true };

    [Fact]
    public void Subscribe_NewItem_IsAskedForAndTold()
    {
        using RecoveryBench bench = Started(items: 2);
        Assert.Equal(2, bench.Consumer.Session.Subscribe("RDT9"));
        bench.Until(() => bench.Count("refresh 2 RDT9") == 1);
        Assert.Equal(("RDT9", 3), (Encoding.ASCII.GetString(bench.Consumer.Session.NameOf(2)), bench.Consumer.Session.ItemCount));
        Send(bench, "RDT9");
        bench.Until(() => bench.Count("update 2") == 1);
    }

    [Fact]
    public void Subscribe_BeforeTheConnection_IsAskedForLikeTheList()
    {
        using RecoveryBench bench = new(1, Watchlist);
        bench.Consumer.Session.Subscribe("RDT9");
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == 2);
        Assert.Equal((1, 2), (bench.Count("refresh 1 RDT9"), bench.Counts[Counter.RequestsSent]));
    }

    [Fact]
    public void Subscribe_ItemThatIsThere_SharesItsStreamAndGetsAnImage()
    {
        using RecoveryBench bench = Started(items: 2);
        int handle = bench.Consumer.Session.Subscribe("RDT1");
        Send(bench, "RDT1"); // before the image, which is requested only now
        bench.Until(() => bench.Count("refresh 2 RDT1") == 1);
        Assert.Equal((2, 1, 0, 2), (handle, bench.Count("update 0"), bench.Count("update 2"), bench.Provider.Session.OpenItems));

        Send(bench, "RDT1");
        bench.Until(() => bench.Count("update 2") == 1);
        Assert.Equal(2, bench.Count("update 0"));
        Assert.Equal(bench.Consumer.Session.StreamIdOf(0), bench.Consumer.Session.StreamIdOf(handle));
    }

    [Fact]
    public void Subscribe_BeforeTheImage_WaitsForTheFirst()
    {
        using RecoveryBench bench = new(1, Watchlist);
        bench.Consumer.Session.Subscribe("RDT1");
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == 2);
        Assert.Equal((1, 1, 1), (bench.Count("refresh 0"), bench.Count("refresh 1"), bench.Counts[Counter.RequestsSent]));
    }

    /// <summary>As with a status of the item itself: the stream has ended, and the next subscription requests the item.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Subscribe_ItemWhoseGroupWasClosed_IsAskedForAnew(bool isOfGroup)
    {
        using RecoveryBench bench = Started(items: 2);
        ConsumerSession session = bench.Consumer.Session;
        bench.Say(isOfGroup ? DirectoryMessages.Group([0, 0], StreamState.Closed, DataState.Suspect)
            : DirectoryMessages.Items(StreamState.Closed, DataState.Suspect));
        bench.Until(() => bench.Count("state") == 2);
        Assert.Equal((1, 0), (bench.Count("state 0 Closed Suspect"), session.StreamIdOf(0)));
        Assert.False(session.TrySendPost(0, SessionSamples.Messages.Posts[0]));
        long asked = bench.Counts[Counter.RequestsSent];
        Assert.Equal(2, session.Subscribe("RDT1"));
        bench.Until(() => bench.Counts[Counter.RequestsSent] == asked + 1);
        Assert.Equal((0, 1), (session.StreamIdOf(0), bench.Count("refresh 0")));
    }

    [Fact]
    public void Release_LastHandle_ClosesTheStream()
    {
        using RecoveryBench bench = Started(items: 2);
        ConsumerSession session = bench.Consumer.Session;
        int second = session.Subscribe("RDT1");
        bench.Until(() => bench.Count("refresh 2") == 1);
        Assert.True(session.Release(0));
        Send(bench, "RDT1");
        bench.Until(() => bench.Count("update 2") == 1);
        Assert.Equal((0, 0), (bench.Count("update 0"), Closes(bench)));

        Assert.True(session.Release(second));
        bench.Until(() => Closes(bench) == 1);
        Assert.Equal((false, false, 1), (session.Release(second), session.Release(77), bench.Provider.Session.OpenItems));
        Assert.False(session.TrySendPost(0, SessionSamples.Messages.Posts[0]));
    }

    [Fact]
    public void Release_ByTheHandler_LeavesTheOthersAlone()
    {
        using RecoveryBench bench = Started(items: 1);
        ConsumerSession session = bench.Consumer.Session;
        session.Subscribe("RDT1");
        session.Subscribe("RDT1");
        bench.Until(() => bench.Count("refresh 2") == 1);
        bench.Log.OnNextUpdate = item => Assert.True(session.Release(1)); // the one that would be notified next
        Send(bench, "RDT1");
        bench.Until(() => bench.Count("update 2") == 1);
        Assert.Equal((1, 0), (bench.Count("update 0"), bench.Count("update 1")));
        Assert.Equal(1, session.Subscribe("RDT8")); // the number is free again
    }

    [Fact]
    public void Loss_SharedItem_IsToldToEachHandleAndComesBackOnOneStream()
    {
        using RecoveryBench bench = Started(items: 2);
        bench.Consumer.Session.Subscribe("RDT1");
        bench.Until(() => bench.Count("refresh 2") == 1);
        long asked = bench.Counts[Counter.RequestsSent];
        bench.KillProvider();
        bench.Until(() => bench.Count("state") == 3);
        Assert.Equal(1, bench.Count("state 2 Open Suspect"));
        bench.Log.Lines.Clear();
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == 3);
        Assert.Equal((1, asked + 2), (bench.Count("refresh 2 RDT1"), bench.Counts[Counter.RequestsSent]));
        Assert.True(bench.Consumer.Session.Release(2));
    }

    [Fact]
    public void Subscribe_ManyItems_IsOneRequest()
    {
        using RecoveryBench bench = Started(items: 1, TakingBatches());
        long asked = bench.Counts[Counter.RequestsSent];
        int[] handles = bench.Consumer.Session.Subscribe(["RDT5", "RDT1", "RDT6", "RDT6"]);
        bench.Until(() => bench.Count("refresh 1") + bench.Count("refresh 3") == 2);
        Assert.Equal([1, 2, 3, 4], handles);
        Assert.Equal(asked + 2, bench.Counts[Counter.RequestsSent]); // the batch, and the image of RDT1 once more
        bench.Until(() => bench.Count("refresh 4 RDT6") == 1 && bench.Count("refresh 2 RDT1") == 1);
        Assert.Equal((3, 0), (bench.Provider.Session.OpenItems, bench.Counts[Counter.MessagesDropped]));
    }

    [Fact]
    public void Subscribe_ManyItemsAtAProviderWithoutBatches_AsksOneByOne()
    {
        using RecoveryBench bench = Started(items: 1,
            SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportBatchRequests = null } });
        bench.Consumer.Session.Subscribe(["RDT5", "RDT6"]);
        bench.Until(() => bench.Count("refresh") == 3);
        Assert.Equal(3, bench.Counts[Counter.RequestsSent]);
    }

    [Fact]
    public void Batch_ThatIsRefused_IsAskedForOneByOne()
    {
        using RecoveryBench bench = Started(items: 1, TakingBatches());
        bench.Consumer.Session.Subscribe(["RDT5", "RDT6"]);
        bench.TurnOnce(); // it is in transit, and not read
        bench.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.MarketPrice,
            StreamId = StreamIds.FirstItem + 1,
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.Closed, DataState.Suspect, StateCode.UnableToRequestAsBatch),
        }));
        bench.Until(() => bench.Counts[Counter.RequestsSent] == 4);
    }

    [Fact]
    public void Batch_LosingAnItemBeforeItLeaves_AsksForTheRest()
    {
        using RecoveryBench bench = Started(items: 1, TakingBatches());
        int[] handles = bench.Consumer.Session.Subscribe(["RDT5", "RDT6", "RDT7"]);
        bench.Consumer.Session.Release(handles[1]);
        bench.Until(() => bench.Count("refresh 1 RDT5") + bench.Count("refresh 3 RDT7") == 2);
        bench.Pass(50);
        Assert.Equal((0, 3), (bench.Count("refresh 2"), bench.Counts[Counter.RequestsSent]));
    }

    [Fact]
    public void Closed_ForGood_TheNameIsFreeForAnother()
    {
        using RecoveryBench bench = Started(items: 1);
        bench.Provider.Session.Items.Close(bench.Provider.Session.Items.FindName("RDT1"u8));
        bench.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.MarketPrice,
            StreamId = bench.Consumer.Session.StreamIdOf(0),
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.Closed, DataState.Suspect),
        }));
        bench.Until(() => bench.Count("status 0 Closed") == 1);
        int handle = bench.Consumer.Session.Subscribe("RDT1");
        bench.Until(() => bench.Count($"refresh {handle} RDT1") == 1);
        Assert.True(bench.Consumer.Session.Release(0));
        Send(bench, "RDT1");
        bench.Until(() => bench.Count($"update {handle}") == 1);
    }

    [Fact]
    public void Service_DownAndUp_SharedItemsComeBack()
    {
        using RecoveryBench bench = Started(items: 1);
        bench.Consumer.Session.Subscribe("RDT1");
        bench.Until(() => bench.Count("refresh 1") == 1);
        bench.Say(DirectoryMessages.Service(isUp: false));
        bench.Until(() => bench.Count("state") == 2);
        bench.Log.Lines.Clear();
        bench.Say(DirectoryMessages.Service(isUp: true));
        bench.Until(() => bench.Count("refresh") == 2);
    }

    [Fact]
    public void Subscribe_WithoutWatchlist_IsRefused()
    {
        using RecoveryBench bench = new(1, new RecoveryOptions { Watchlist = false });
        Assert.Throws<InvalidOperationException>(() => bench.Consumer.Session.Subscribe("RDT9"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(256)]
    public void Subscribe_NameThatCannotTravel_IsRefused(object name)
    {
        using RecoveryBench bench = new(1, Watchlist);
        Assert.Throws<ArgumentException>(() => bench.Consumer.Session.Subscribe(name as string ?? new string('x', (int)name)));
    }

    [Fact]
    public void SharedItem_Updates_AllocateNothing()
    {
        using RecoveryBench bench = Started(items: 1, recordUpdates: false);
        bench.Consumer.Session.Subscribe("RDT1");
        bench.Until(() => bench.Count("refresh 1") == 1);
        int before = bench.Log.Updates;
        bench.Pass(2);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
            {
                Send(bench, "RDT1");
                bench.TurnOnce();
            }
        });
        Assert.True(bench.Log.Updates - before >= 2_000);
    }

    private static RecoveryBench Started(int items, ProviderSessionOptions? provider = null, bool recordUpdates = true)
    {
        RecoveryBench bench = new(items, Watchlist, provider);
        bench.Log.RecordsUpdates = recordUpdates;
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == items);
        return bench;
    }

    private static ProviderSessionOptions TakingBatches() =>
        SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportBatchRequests = LoginOffer.BatchRequests } };

    private static void Send(RecoveryBench bench, string item)
    {
        Span<byte> name = stackalloc byte[item.Length];
        Encoding.ASCII.GetBytes(item, name);
        Assert.True(bench.Provider.Session.TrySendUpdate(bench.Provider.Session.Items.FindName(name), SessionSamples.Messages.Updates[0]));
        bench.Provider.Session.Channel.Flush();
    }

    private static int Closes(RecoveryBench bench) =>
        bench.Provider.Lines.Count(line => line.StartsWith("close", StringComparison.Ordinal));
}
