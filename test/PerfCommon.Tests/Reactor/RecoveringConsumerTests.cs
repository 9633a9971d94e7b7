using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>Recovery after losses: of the connection, of the service, of single items.</summary>
public class RecoveringConsumerTests
{
    private const int Items = 20;

    private static RecoveryOptions Watchlist { get; } = new() { Watchlist = true };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Provider_KilledAndBack_EverythingComesAgain(bool watchlist)
    {
        using RecoveryBench bench = new(Items, new RecoveryOptions { Watchlist = watchlist });
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        ConsumerSession first = bench.Consumer.Session;
        bench.KillProvider();
        bench.Until(() => bench.Count("state") == Items);
        Assert.All(bench.Log.Lines.Where(line => line.StartsWith("state", StringComparison.Ordinal)),
            line => Assert.EndsWith("Open Suspect", line, StringComparison.Ordinal));

        bench.Pass(100);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == 2 * Items);
        Assert.Equal((1, 2, 0), (bench.Consumer.Losses, bench.Count("ready"), bench.Count("finishing")));
        Assert.NotSame(first, bench.Consumer.Session);
        Assert.Null(bench.Consumer.Failure);

        bench.End();
        Assert.Equal(1, bench.Count("finishing"));
        Assert.Null(bench.Consumer.Failure);
        Assert.Equal((2 * Items, 0), (bench.Counts[Counter.RequestsSent], bench.Counts[Counter.MessagesDropped]));
    }

    // Without an image there is nothing that could be suspect.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Provider_KilledBeforeAllImages_OnlyItemsWithOneAreSuspect(bool watchlist)
    {
        using RecoveryBench bench = new(items: 2_000, new RecoveryOptions { Watchlist = watchlist }); // 500 are requested in a tick
        bench.StartProvider();
        while (bench.Count("refresh") == 0)
            bench.TurnOnce();
        bench.Pass(1);
        bench.TurnOnce(); // the next requests are sent, and not read
        bench.KillProvider();
        bench.Until(() => bench.Consumer.Losses == 1);
        Assert.InRange(bench.Count("refresh"), 1, bench.Counts[Counter.RequestsSent] - 1);
        Assert.Equal(bench.Count("refresh"), bench.Count("state"));
    }

    [Fact]
    public void Provider_Away_IsAskedAfterHalfASecondAndThenEverLater()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.KillProvider();
        bench.Until(() => bench.Consumer.Losses == 1);
        bench.Pass(480);
        Assert.DoesNotContain("Connection failed", string.Join('|', SessionPair.Notices(bench.Consumer.Session.Worker)),
            StringComparison.Ordinal);
        bench.Pass(40);
        Assert.Contains("will retry every 0.5 to 30 s", string.Join('|', SessionPair.Notices(bench.Consumer.Session.Worker)),
            StringComparison.Ordinal);

        bench.Pass(500 + 1_000 + 2_000 + 4_000 + 8_000 + 16_000); // the next after 30 s, and every 30 s from then on
        bench.StartProvider();
        Assert.InRange(bench.Until(() => bench.Count("refresh") == 2 * Items), 29_000, 30_500);
    }

    [Fact]
    public void Provider_ThatClosesBeforeTheLogin_IsAskedEverLater()
    {
        RecoveryOptions recovery = new() { FirstRetry = TimeSpan.FromMilliseconds(100), MaxRetry = TimeSpan.FromMilliseconds(400) };
        using RecoveryBench bench = new(Items, recovery) { Cuts = 5 };
        bench.StartProvider();
        int millis = bench.Until(() => bench.Count("refresh") == Items);

        Assert.Equal((5, 1), (bench.Consumer.Losses, bench.Count("ready")));
        Assert.InRange(millis, 100 + 200 + 400 + 400 + 400, 1_540);
        bench.KillProvider(); // a login that was accepted resets the waits
        bench.Until(() => bench.Consumer.Losses == 6);
        bench.StartProvider();
        Assert.InRange(bench.Until(() => bench.Count("refresh") == 2 * Items), 95, 140);
    }

    [Fact]
    public void Provider_Away_IsToldToTheHandlerForEachAttempt()
    {
        using RecoveryBench bench = new(Items, new() { FirstRetry = TimeSpan.FromMilliseconds(100) });
        bench.Pass(50);
        Assert.Equal(1, bench.Count("connect failed"));
        bench.Pass(100 + 200);
        Assert.Equal(3, bench.Count("connect failed"));
    }

    [Fact]
    public void Login_EndedInMidRun_IsALossLikeAnyOther()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Status,
            DomainType = DomainType.Login,
            StreamId = StreamIds.Login,
            Flags = StatusFlags.HasState,
            State = new RwfState(StreamState.ClosedRecover, DataState.Suspect),
        }));
        bench.Until(() => bench.Count("refresh") == 2 * Items);
        Assert.Equal(1, bench.Consumer.Losses);
    }

    [Fact]
    public void Login_Refused_IsNotTriedAgain()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.Consumer.Session.Fail(ConsumerFailureKind.LoginRefused, "the provider refused the login");
        bench.Pass(2_000);
        Assert.Equal(ConsumerFailureKind.LoginRefused, bench.Consumer.Failure?.Kind);
        Assert.Equal((0, 1), (bench.Consumer.Losses, bench.Count("finishing")));
    }

    [Fact]
    public void Item_ClosedByTheProvider_IsAskedForOnAnotherStream()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        int stream = bench.Consumer.Session.StreamIdOf(4);
        bench.Provider.Session.Items.Close(bench.Provider.Session.Items.FindName("RDT5"u8));
        bench.Say(Status(stream, StreamState.ClosedRecover));
        bench.Until(() => bench.Count("refresh 4 RDT5") == 2);

        Assert.Equal(StreamIds.FirstItem + Items, bench.Consumer.Session.StreamIdOf(4));
        Assert.Equal(1, bench.Count("state 4 Open Suspect"));
        Assert.Equal(0, bench.Count("status"));
        bench.Say(Status(stream, StreamState.Closed)); // of the stream that has ended
        bench.Pass(5);
        Assert.Equal((0, 1), (bench.Count("status"), bench.Counts[Counter.MessagesDropped]));
    }

    [Fact]
    public void Item_ClosedForGood_IsToldAndLeftAlone()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.Say(Status(bench.Consumer.Session.StreamIdOf(4), StreamState.Closed));
        bench.Until(() => bench.Count("status 4 Closed") == 1);
        bench.KillProvider();
        bench.Pass(10);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == (2 * Items) - 1);
        bench.Pass(2_000);
        Assert.Equal((2 * Items) - 1, bench.Count("refresh"));
        Assert.False(bench.Consumer.Session.TryReissue(4));
    }

    [Fact]
    public void Item_RefusedBeforeItsImage_IsAskedForEverLessOften()
    {
        using RecoveryBench bench = new(Items, Watchlist,
            SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = Items - 2 } });
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items - 2);
        bench.Pass(3_300);
        Assert.InRange(bench.Counts[Counter.RequestsSent], Items + 4, Items + 5); // two items, 0.5 and 1.5 s after they were refused
        bench.Provider.Session.Items.Close(bench.Provider.Session.Items.FindName("RDT1"u8));
        bench.Until(() => bench.Count("refresh") == Items - 1, limitMillis: 4_500);
    }

    [Fact]
    public void Service_DownAndUp_ItemsAreClosedAndAskedForAnew()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.Say(DirectoryMessages.Service(isUp: false));
        bench.Until(() => bench.Count("state") == Items);
        bench.Pass(500);
        Assert.Equal(Items, bench.Counts[Counter.RequestsSent]);
        bench.Say(DirectoryMessages.Service(isUp: true));
        bench.Until(() => bench.Count("refresh") == 2 * Items);
        Assert.Equal(Items, bench.Provider.Lines.Count(line => line.StartsWith("close", StringComparison.Ordinal)));
        Assert.Equal(0, bench.Counts[Counter.MessagesDropped]);
    }

    [Fact]
    public void Posts_AfterRecovery_GoOnTheNewStream()
    {
        using RecoveryBench bench = new(Items, Watchlist);
        bench.StartProvider();
        bench.Until(() => bench.Count("refresh") == Items);
        bench.Provider.Session.Items.Close(bench.Provider.Session.Items.FindName("RDT5"u8));
        bench.Say(Status(bench.Consumer.Session.StreamIdOf(4), StreamState.ClosedRecover));
        Assert.True(bench.Consumer.Session.TrySendPost(4, SessionSamples.Messages.Posts[0]));
        bench.Until(() => bench.Count("refresh 4 RDT5") == 2);
        Assert.True(bench.Consumer.Session.TrySendPost(4, SessionSamples.Messages.Posts[0]));
        bench.Until(() => bench.Provider.Lines.Count(line => line.StartsWith("post", StringComparison.Ordinal)) == 2);
        Assert.Equal(["post -1 0", $"post {bench.Provider.Session.Items.FindName("RDT5"u8)} 0"],
            bench.Provider.Lines.Where(line => line.StartsWith("post", StringComparison.Ordinal)));
    }

    private static byte[] Status(int streamId, StreamState state) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = StatusFlags.HasState,
        State = new RwfState(state, DataState.Suspect),
    });
}
