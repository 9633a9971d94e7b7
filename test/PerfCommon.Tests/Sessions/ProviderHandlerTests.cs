using PerfCommon.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>What a provider's handler is told, and what its decisions do.</summary>
public class ProviderHandlerTests
{
    private readonly ProviderLog _provider = new();
    private readonly ConsumerLog _consumer = new();

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
}
