using System.Text;
using ConsPerf;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using ProvPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>ProvPerf's handler and ConsPerf's over memory, with items of market price and of market by order side by side.</summary>
[Trait("Category", "Fast")]
public sealed class OrderBookTests : IDisposable
{
    private const string Items =
        """
        <itemList>
          <item domain="MarketPrice" name="A" post="true" genMsg="true"/>
          <item domain="MarketByOrder" name="B" post="true" genMsg="true"/>
          <item domain="MarketByOrder" name="C"/>
        </itemList>
        """;

    private static readonly MessageData Messages =
        MessageData.Load(Path.Combine(AppContext.BaseDirectory, "MarketByOrder.xml"), FieldDictionary.Default);

    private static readonly ConsPerfOptions Asked = new()
    {
        SteadyStateSeconds = 3600,
        PostingRate = 1000,
        PostingLatencyRate = 1000,
        GenericMsgRate = 1000,
        GenericMsgLatencyRate = 1000,
        MeasureDecode = true,
    };

    private readonly MemoryPair _pair = new(Asked, ProvPerfRole.CreateRecording(new ProvPerfOptions()));

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Mixed_EverythingStamped_IsDecodedCountedAndMeasured(bool isPreEncoded)
    {
        ProvPerfOptions offered = new()
        {
            UpdateRate = 3000,
            LatencyUpdateRate = LatencyRate.Every,
            GenericMsgRate = 1000,
            GenericMsgLatencyRate = LatencyRate.Every
        };
        ProviderLoad load = new(Messages, new UpdateSource(Messages, isPreEncoded), ProviderPlan.Of(offered, worker: 0),
            FieldDictionary.Default);
        ConsumerSession consumer = Connect(load);
        CounterSet sent = _pair.Server.Recording.Counters;
        _pair.Until(() =>
            _pair.Updates > 30 && sent[Counter.GenericReceived] > 10 && _pair[Counter.GenericReceived] > 10
            && sent[Counter.PostsReceived] > 10, () => consumer.Failure?.Text ?? "");
        _pair.Server.RequestEnd();
        _pair.Until(() => _pair.Server.HasEnded && consumer.Closed is not null);

        Assert.Equal(3, _pair[Counter.ItemsWithRefresh]);
        Assert.Equal(0, _pair[Counter.FieldsSkipped]);
        Assert.Equal(sent[Counter.UpdatesSent] + sent[Counter.PostsReflected], _pair.Updates + _pair[Counter.DrainedUpdates]);
        Assert.Equal(sent[Counter.UpdateStampsSent], _pair.Recording[Series.Updates].CollectRest().Count);
        Assert.Equal(sent[Counter.PostsReflected], _pair.Recording[Series.Posts].CollectRest().Count);
        Assert.Equal(sent[Counter.GenericStampsSent], _pair[Counter.GenericStampsReceived]);
        Assert.Equal(sent[Counter.GenericReceived], sent[Counter.GenericStampsReceived]);
    }

    public void Dispose() => _pair.Dispose();

    private ConsumerSession Connect(ProviderLoad load)
    {
        using MemoryStream stream = new(Encoding.UTF8.GetBytes(Items));
        ConsumerMeasure measure = new(Asked, _pair.Recording, new ImageClock(1), ConsumerPlan.Of(Asked, Messages, worker: 0));
        ConsumerSession consumer = new(MemoryPair.Asking() with { Items = ItemList.Load(stream, "items.xml", 3) }, measure);
        _pair.Connect(consumer, load, takesPosts: true, hasOrderBooks: true);
        return consumer;
    }
}
