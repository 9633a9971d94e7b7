using System.Diagnostics;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;
using OneThread = PerfCommon.Reactor.Reactor;

namespace PerfCommon.Tests.Reactor;

/// <summary>A provider and a consumer of one reactor, on loopback: dispatched by the test, and by a dedicated thread.</summary>
public class ReactorTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public void Dispatch_ProviderAndConsumer_TalkOnOneThread()
    {
        using OneThread reactor = new();
        (RecoveringConsumer consumer, ConsumerLog log) = Add(reactor);
        Stopwatch waited = Stopwatch.StartNew();
        while (log.Lines.Count < 4 && waited.Elapsed < Limit)
            reactor.Dispatch(TimeSpan.FromMilliseconds(5));
        Assert.Equal(["ready", "refresh 0 RDT1 Success", "refresh 1 RDT2 Success", "refresh 2 RDT3 Success"], log.Lines);
        Assert.Equal(ConsumerStage.Items, consumer.Session.Stage);

        reactor.RequestEnd();
        while (!reactor.HasEnded && waited.Elapsed < Limit)
            reactor.Dispatch(TimeSpan.Zero);
        Assert.True(reactor.HasEnded);
        Assert.Equal((0, "finishing"), (consumer.Losses, log.Lines[^1]));
    }

    [Fact]
    public void Subscribe_AtAReactorWithoutOptions_Works()
    {
        using OneThread reactor = new();
        int port = reactor.Provide(SessionSamples.Provider, () => new ProviderLog(), new ListenOptions { Port = 0 });
        ConsumerLog log = new();
        ConsumerSession session = reactor.Consume(SessionPair.Items(0), log, new ConnectOptions { Host = "127.0.0.1", Port = port }).Session;
        Assert.Equal((0, 1), (session.Subscribe("RDT1"), session.Subscribe("RDT2")));
        Stopwatch waited = Stopwatch.StartNew();
        while (log.Lines.Count < 3 && waited.Elapsed < Limit)
            reactor.Dispatch(TimeSpan.FromMilliseconds(5));
        Assert.Equal(["ready", "refresh 0 RDT1 Success", "refresh 1 RDT2 Success"], log.Lines);
    }

    [Fact]
    public void Execute_ByAnotherThread_SubscribesOnTheReactors()
    {
        using OneThread reactor = new();
        (RecoveringConsumer consumer, ConsumerLog log) = Add(reactor);
        reactor.Start();
        Assert.True(SpinWait.SpinUntil(() => consumer.Session.Stage == ConsumerStage.Items, Limit));
        int? handle = null;
        reactor.Execute(() => handle = consumer.Session.Subscribe("RDT9"));
        using ManualResetEventSlim seen = new();
        Stopwatch waited = Stopwatch.StartNew();
        while (!seen.Wait(TimeSpan.FromMilliseconds(5), TestContext.Current.CancellationToken) && waited.Elapsed < Limit)
            reactor.Execute(() => SetWhen(log.Lines.Contains("refresh 3 RDT9 Success"), seen));
        Assert.Equal((3, true), (handle, seen.IsSet));
        reactor.RequestEnd();
        Assert.True(reactor.Join(Limit));

        static void SetWhen(bool isThere, ManualResetEventSlim seen)
        {
            if (isThere)
                seen.Set();
        }
    }

    [Fact]
    public void Publish_WithoutAHub_IsAPublisherThatTriesAgain()
    {
        using OneThread reactor = new(new RecoveryOptions { FirstRetry = TimeSpan.FromHours(1), MaxRetry = TimeSpan.FromHours(1) });
        PublisherSessionOptions options = PublisherPair.Items(1);
        PublisherHandler handler = new ServedItems().CreatePublisher();
        ConnectOptions nowhere = new() { Host = "127.0.0.1", Port = 1 };
        RecoveringPublisher publisher = reactor.Publish(options, handler, nowhere);
        Assert.Equal((0, null), (publisher.Losses, publisher.Failure));
        Assert.Equal("options", Assert.Throws<ArgumentNullException>(() => reactor.Publish(null!, handler, nowhere)).ParamName);
        Assert.Equal("handler", Assert.Throws<ArgumentNullException>(() => reactor.Publish(options, null!, nowhere)).ParamName);
        Assert.Equal("connect", Assert.Throws<ArgumentNullException>(() => reactor.Publish(options, handler, null!)).ParamName);
    }

    [Fact]
    public void Start_ThenRequestEnd_Ends()
    {
        using OneThread reactor = new(new RecoveryOptions { Watchlist = true }, new WorkerOptions { TickRate = 100 });
        (RecoveringConsumer consumer, _) = Add(reactor);
        reactor.Start();
        Assert.True(SpinWait.SpinUntil(() => consumer.Session.Stage == ConsumerStage.Items, Limit));
        reactor.RequestEnd();
        Assert.True(reactor.Join(Limit));
        Assert.Null(consumer.Failure);
    }

    [Fact]
    public void Start_HandlerThatThrows_IsToldByJoin()
    {
        using OneThread reactor = new();
        int port = reactor.Provide(SessionSamples.Provider, () => new ProviderLog(), new ListenOptions { Port = 0 });
        reactor.Consume(SessionPair.Items(1), new Throwing(), new ConnectOptions { Host = "127.0.0.1", Port = port });
        reactor.Start();
        InvalidOperationException told = Assert.Throws<InvalidOperationException>(() => reactor.Join(Limit));
        Assert.Equal("of the handler", told.InnerException?.Message);
    }

    [Fact]
    public void Provide_SharedByTwo_GivesEachAConnection()
    {
        using OneThread first = new(), second = new(), asking = new();
        List<OneThread> serving = [];
        int port = first.Provide(SessionSamples.Provider, Serve, new ListenOptions { Port = 0 }, [first, second]);
        ConsumerLog[] logs = [new(), new()];
        foreach (ConsumerLog log in logs)
            asking.Consume(SessionPair.Items(1), log, new ConnectOptions { Host = "127.0.0.1", Port = port });
        Stopwatch waited = Stopwatch.StartNew();
        while (logs.Any(log => log.Lines.Count < 2) && waited.Elapsed < Limit)
            Array.ForEach([first, second, asking], reactor => reactor.Dispatch(TimeSpan.FromMilliseconds(1)));
        Assert.All(logs, log => Assert.Equal(["ready", "refresh 0 RDT1 Success"], log.Lines));
        Assert.Equal([first, second], serving);

        ProviderLog Serve(OneThread reactor)
        {
            serving.Add(reactor);
            return new();
        }
    }

    [Fact]
    public void Dispatch_AskedToEnd_AcceptsNobodyElse()
    {
        using OneThread provider = new(), asking = new();
        int port = provider.Provide(
            SessionSamples.Provider, () => throw new InvalidOperationException("accepted"), new ListenOptions { Port = 0 });
        asking.Consume(SessionPair.Items(1), new ConsumerLog(), new ConnectOptions { Host = "127.0.0.1", Port = port });
        provider.RequestEnd();
        Stopwatch waited = Stopwatch.StartNew();
        while (!provider.HasEnded && waited.Elapsed < Limit)
        {
            asking.Dispatch(TimeSpan.FromMilliseconds(1));
            provider.Dispatch(TimeSpan.Zero);
        }

        Assert.True(provider.HasEnded);
    }

    [Fact]
    public void RecoveryOptions_WithoutAWait_AreRefused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new OneThread(new RecoveryOptions { FirstRetry = TimeSpan.Zero }));

    private static (RecoveringConsumer Consumer, ConsumerLog Log) Add(OneThread reactor)
    {
        int port = reactor.Provide(SessionSamples.Provider, () => new ProviderLog(), new ListenOptions { Port = 0 });
        ConsumerLog log = new();
        return (reactor.Consume(SessionPair.Items(3), log, new ConnectOptions { Host = "127.0.0.1", Port = port }), log);
    }

    private sealed class Throwing : ConsumerHandler
    {
        protected internal override void OnReady() => throw new InvalidOperationException("of the handler");
    }
}
