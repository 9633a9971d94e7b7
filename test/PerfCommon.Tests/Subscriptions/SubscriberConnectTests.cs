using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Subscriptions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Subscriptions;

/// <summary>What a subscriber says that cannot connect.</summary>
public class SubscriberConnectTests
{
    [Fact]
    public async Task Connect_WhereNobodyListens_SaysSo()
    {
        SubscriberBench bench = new();
        ItemSubscriberOptions options = bench.Options with { ConnectTimeout = TimeSpan.FromMilliseconds(200) };
        await bench.DisposeAsync();
        ConsumerException thrown = await Assert.ThrowsAsync<ConsumerException>(
            () => ItemSubscriber.ConnectAsync(options, TestContext.Current.CancellationToken));
        Assert.Equal(ConsumerFailureKind.NotReady, thrown.Failure.Kind);
        Assert.StartsWith($"no connection to 127.0.0.1:{options.Server.Port}: ", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connect_WithoutOptions_IsRefused()
    {
        ArgumentNullException refused = await Assert.ThrowsAsync<ArgumentNullException>(
            () => ItemSubscriber.ConnectAsync(null!, TestContext.Current.CancellationToken));
        Assert.Equal("options", refused.ParamName);
    }

    [Fact]
    public async Task Connect_ToAProviderWithoutTheService_NamesIt()
    {
        await using SubscriberBench bench = new();
        bool isLoggedIn = false;
        ItemSubscriberOptions options = bench.Options with
        {
            ServiceName = "NONE",
            ConnectTimeout = Timeout.InfiniteTimeSpan,
            OnNotice = notice => isLoggedIn |= notice.Kind.Name == "LoginResponse",
        };
        using CancellationTokenSource cancel = new();
        Task<ItemSubscriber> connecting = ItemSubscriber.ConnectAsync(options, cancel.Token);
        await bench.Until(() => Volatile.Read(ref isLoggedIn));
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting);

        // Any stage may be the last within the limit, on a slow machine; the first try above was logged in.
        ConsumerException thrown = await Assert.ThrowsAsync<ConsumerException>(
            () => ItemSubscriber.ConnectAsync(options with { ConnectTimeout = TimeSpan.FromSeconds(3) }, bench.Limit));
        Assert.Equal(ConsumerFailureKind.NotReady, thrown.Failure.Kind);
        Assert.Contains($"127.0.0.1:{bench.Port}", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connect_LoginRefused_IsTheFailure()
    {
        await using SubscriberBench bench = new(() => new Refusing());
        ConsumerException thrown = await Assert.ThrowsAsync<ConsumerException>(bench.ConnectAsync);
        Assert.Equal(ConsumerFailureKind.LoginRefused, thrown.Failure.Kind);
        Assert.Contains("no such user", thrown.Message, StringComparison.Ordinal);
    }

    private sealed class Refusing : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => 0;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
        {
        }

        protected internal override void OnOpened()
        {
            Session.Output.TrySend(
                Wire.Encode(new RwfMsg
                {
                    MsgClass = MsgClass.Status,
                    DomainType = DomainType.Login,
                    StreamId = StreamIds.Login,
                    Flags = StatusFlags.HasState,
                    State = new RwfState(StreamState.Closed, DataState.Suspect, StateCode.NotEntitled, "no such user"u8),
                }),
                MessageKind.Other);
            Session.Channel.Flush();
        }
    }
}
