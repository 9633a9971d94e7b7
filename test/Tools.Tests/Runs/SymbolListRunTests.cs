using System.Diagnostics;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>The list of its items that ProvPerf serves as a separate item, requested by a consumer of the library.</summary>
public class SymbolListRunTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void ProvPerf_OfAnItemList_ListsItsItems(bool isThroughAHub)
    {
        using RunFolder folder = new();
        string[] names = [.. Enumerable.Range(0, 400).Select(number => $"SYM{number}")];
        folder.Write("Items.xml",
            $"<itemList>{string.Concat(names.Select(name => $"<item domain=\"MarketPrice\" name=\"{name}\"/>"))}</itemList>");
        RunningTool provider = folder.StartProvider("-itemFile Items.xml -itemCount 400 -updateRate 0 -latencyUpdateRate 0 -runTime 600");
        RunningTool server = isThroughAHub
            ? folder.Start("HubPerf", $"-p 0 -niPort 0 -upstream localhost:{provider.Port}") : provider;

        ListReader list = new();
        using Reactor reactor = new(new RecoveryOptions { Watchlist = true });
        RecoveringConsumer consumer = reactor.Consume(
            new ConsumerSessionOptions { ServiceName = "DIRECT_FEED" }, list, new() { Host = "localhost", Port = server.Port });
        consumer.Session.Subscribe("_ITEMS", DomainType.SymbolList);
        for (Stopwatch waited = Stopwatch.StartNew(); !list.IsWhole;)
        {
            Assert.True(waited.Elapsed < Limit && consumer.Failure is null, consumer.Failure?.Text);
            reactor.Dispatch(TimeSpan.FromMilliseconds(100));
        }

        Assert.Equal(names, list.Names);
        RunFolder.End(isThroughAHub ? [server, provider] : [provider]);
    }

    private sealed class ListReader : ConsumerHandler
    {
        public List<string> Names { get; } = [];

        public bool IsWhole { get; private set; }

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
        {
            Assert.Equal(DecodeResult.Success, MapReader.TryOpen(refresh.Payload, out MapReader map));
            while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
                Names.Add(Encoding.ASCII.GetString(entry.Key));
            IsWhole = refresh.Has(RefreshFlags.RefreshComplete);
        }
    }
}
