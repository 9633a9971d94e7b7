using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>A worker run as by a user's program: with one call, and progress reported by notices.</summary>
public sealed class WorkerRunTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact(Timeout = 180_000)]
    public async Task Run_Cancelled_Ends()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using Worker worker = new(new WorkerOptions());

        await Task.Run(() => worker.Run(new CancellationToken(canceled: true)), token);

        Assert.True(worker.HasEnded);
    }

    [Fact(Timeout = 180_000)]
    public async Task Run_HandlerAsksForTheEnd_EndsInGoodOrder()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        List<string> notices = [];
        using CancellationTokenSource end = new();
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        using Worker server = new(new WorkerOptions()), client = new(new WorkerOptions { OnNotice = notice => notices.Add(notice.Text) });
        ConsumerSession consumer = new(Options(), new Taker(client));
        client.Connect(consumer, new ConnectOptions { Host = "127.0.0.1", Port = listener.Port });

        Task asking = Task.Run(() => client.Run(token), token);
        Assert.True(listener.TryAccept(Limit, out AcceptedConnection? accepted));
        server.Serve(accepted, CreateProvider());
        Task serving = Task.Run(() => server.Run(end.Token), token);
        await asking;
        await end.CancelAsync();
        await serving;

        Assert.Equal("Connected.", notices[0]);
        Assert.Equal((CloseKind.PeerClosed, true), (consumer.Closed?.Kind, consumer.Dictionary.TryFind("BID", out _)));
    }

    [Fact]
    public void Dictionary_BeforeItIsThere_IsRefused()
    {
        using Worker worker = new(new WorkerOptions());

        Assert.Throws<InvalidOperationException>(() => new ConsumerSession(Options(), new Taker(worker)).Dictionary);
    }

    private static ConsumerSessionOptions Options() => new() { ServiceName = "FEED", Items = ItemList.Create(["A"]) };

    private static ProviderSession CreateProvider()
    {
        ServiceOffer service = new() { Name = "FEED", Id = 1 };
        return new(new ProviderSessionOptions { Service = service, Dictionary = FieldDictionary.Default }, new Giver());
    }

    // Ends its worker with the first refresh.
    private sealed class Taker(Worker worker) : ConsumerHandler
    {
        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => worker.RequestEnd();
    }

    private sealed class Giver : ProviderHandler
    {
        private readonly FieldListTemplate _refresh = new FieldListBuilder(FieldDictionary.Default).Add("BID", 1).Build();

        protected internal override int MaxRefreshBytes => _refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => _refresh.EncodeList(ref writer);
    }
}
