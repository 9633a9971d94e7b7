using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Events of a provider's handler, and the effects of its decisions.</summary>
public class ProviderHandlerTests
{
    private readonly ProviderLog _provider = new();
    private readonly ConsumerLog _consumer = new();

    [Fact]
    public void Handler_WithoutASession_WantsNothingAndSaysSo()
    {
        Plain handler = new();
        Assert.Equal((false, false), (handler.WantsTicks, handler.IsBlocked));
        Assert.Equal("The handler belongs to no session.", Assert.Throws<InvalidOperationException>(() => handler.Session).Message);
    }

    [Fact]
    public void OnRequest_ThreeItems_IsAskedAfterOpenAndReady()
    {
        using SessionPair pair = new(_provider, _consumer);
        pair.Until(() => _consumer.Lines.Count == 4);
        Assert.Equal(["opened", "ready", "request RDT1", "request RDT2", "request RDT3"], _provider.Lines);
        Assert.Equal((3, 3), (_provider.Session.OpenItems, _provider.Session.UpdatingItems));
    }

    [Fact]
    public void OnClose_ItemClosed_TellsTheItemAndEndsItsUpdates()
    {
        using SessionPair pair = new(_provider, _consumer);
        pair.Until(() => _consumer.Lines.Count == 4);
        byte[] room = new byte[50];
        _consumer.Send(room.AsSpan(0, MarketPriceConsumer.EncodeClose(room, StreamIds.FirstItem + 1)));
        pair.Until(() => _provider.Lines[^1].StartsWith("close", StringComparison.Ordinal));

        Assert.Equal("close 1", _provider.Lines[^1]);
        Assert.Equal((2, 2), (_provider.Session.OpenItems, _provider.Session.UpdatingItems));
        Assert.Equal(1, pair.Server.Recording.Counters[Counter.ClosesReceived]);
    }

    [Fact]
    public void TrySendUpdate_OneItem_ComesWithItsStamp()
    {
        using SessionPair pair = new(_provider, _consumer);
        pair.Until(() => _consumer.Lines.Count == 4);
        Assert.True(_provider.Session.TrySendUpdate(2, SessionSamples.Messages.Updates[0], stamp: 12_345));
        Assert.True(_provider.Session.TrySendUpdate(0, SessionSamples.Messages.Updates[1]));
        pair.Until(() => _consumer.Lines.Count == 6);

        Assert.Equal(["update 2 Success 12345", "update 0 Success 0"], _consumer.Lines.TakeLast(2));
        pair.Until(() => pair.Server.Recording.Counters[Counter.UpdatesSent] == 2);
    }

    [Fact]
    public void RequestEnd_AfterUpdatesWereQueued_AllArriveAndAreCounted()
    {
        const int Updates = 40; // fewer than output buffers
        using SessionPair pair = new(_provider, _consumer);
        pair.Until(() => _consumer.Lines.Count == 4);
        for (int i = 0; i < Updates; i++)
            Assert.True(_provider.Session.TrySendUpdate(i % 3, SessionSamples.Messages.Updates[0]));
        pair.Server.RequestEnd();
        pair.Until(() => pair.Server.HasEnded);

        Assert.Equal(Updates, _consumer.Lines.Count(line => line.StartsWith("update", StringComparison.Ordinal)));
        CounterSet counters = pair.Server.Recording.Counters;
        Assert.Equal((Updates, 0), (counters[Counter.UpdatesSent], counters[Counter.UpdatesNotSent]));
        Assert.True(_provider.Session.WasDrained);
    }

    [Fact]
    public void EncodeRefresh_UpdatesFillEveryBuffer_GetsTheFirstThatComeFree()
    {
        const int Turns = 300;
        SampleLoad load = new(SessionSamples.Updates(rate: 5_000_000)); // more a tick than buffers and memory hold
        using SessionPair pair = new(load, new SilentConsumer(), SessionPair.Items(5) with { RequestRate = 100 });
        CounterSet counters = pair.Server.Recording.Counters;
        pair.Until(() => counters[Counter.RefreshesSent] > 0);
        for (int turn = 0; turn < Turns && counters[Counter.RefreshesSent] < 5; turn++)
        {
            long nextTick = Clock.NowNanos + (Clock.NanosPerSecond / pair.Server.Options.TickRate);
            SpinWait.SpinUntil(() => Clock.NowNanos >= nextTick); // so that a tick is due in every turn
            pair.Server.Turn();
            pair.Client.Turn();
        }

        Assert.True(load.Load.Left > 5_000); // more than a tick's
        Assert.Equal(5, counters[Counter.RefreshesSent]);
    }

    [Fact]
    public void OnClosed_PackLargerThanAgreed_IsNotToldOfTheConnection()
    {
        using SessionPair pair = new(
            new ProviderSession(SessionSamples.Provider with { MaxPackCount = 10, PackBufferBytes = 60_000 }, _provider), _consumer);
        pair.Until(() => _consumer.Closed is not null && pair.Server.OpenConnections == 0);

        Assert.Empty(_provider.Lines);
        Assert.Null(_provider.Closed);
        Assert.Equal(["Connection not used: packs of 60000 bytes are more than the agreed 6144 bytes."], SessionPair.Notices(pair.Server));
    }

    private sealed class SilentConsumer : ConsumerHandler;

    private sealed class Plain : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => 0;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
        {
        }
    }
}
