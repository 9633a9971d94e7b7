using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf's handler on a session over memory, against a provider that sends every second update without a field list.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerMeasureTests : IDisposable
{
    private static readonly ConsPerfOptions Options = new() { SteadyStateSeconds = 3600 };

    private readonly MemoryPair _pair = new(Options);
    private readonly ImageClock _images = new(workers: 2);
    private readonly EveryOther _load = new();

    public ConsumerMeasureTests() =>
        _pair.Connect(new ConsumerSession(MemoryPair.Asking("A"), new ConsumerMeasure(Options, _pair.Recording, _images)), _load);

    [Fact]
    public void OnUpdate_WithoutFieldList_RecordsNoLatency()
    {
        _pair.Until(() => _load.Sent >= 20 && _pair.Updates >= 20);
        Assert.Equal(_pair.Updates / 2, _pair.Recording[Series.Updates].CollectRest().Count);
    }

    [Fact]
    public void OnUpdate_OtherWorkersWithoutTheirImages_AreAheadOfTheRun()
    {
        _pair.Until(() => _pair[Counter.AheadUpdates] > 0);
        Assert.NotNull(_pair.Recording.TimeOf(Moment.SteadyBegan));
        Assert.False(_images.IsComplete);
        Assert.Equal(_pair[Counter.SteadyUpdates], _pair[Counter.AheadUpdates]);
        _images.Report(Clock.NowNanos);
        long ahead = _pair[Counter.AheadUpdates];
        _pair.Until(() => _pair[Counter.SteadyUpdates] >= ahead + 4);
        Assert.Equal(ahead, _pair[Counter.AheadUpdates]);
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(3_600_000, 0, 1)]
    public void OnUpdate_AfterTheImages_IsSteadyOnceTheDelayIsOver(int delayMillis, long steady, long between)
    {
        using MeasuredConsumer consumer = new(new() { SteadyStateSeconds = 7200, DelaySteadyStateMillis = delayMillis });
        consumer.Until(() => consumer.Recording.TimeOf(Moment.SteadyBegan) is { } begin && Clock.NowNanos > begin);
        consumer.Update(item: 0);
        consumer.Until(() => consumer[Counter.SteadyUpdates] == 1);
        LatencySeries samples = consumer.Recording[Series.Updates];
        samples.CollectRest();
        Assert.Equal([0, between, steady],
            new[] { RunPhase.Startup, RunPhase.Between, RunPhase.Steady }.Select(phase => CountOf(samples, phase)));
    }

    public void Dispose() => _pair.Dispose();

    private static long CountOf(LatencySeries samples, RunPhase phase)
    {
        LatencyAccumulator found = new(samples.Unit);
        samples.AddWholeTo(found, phase);
        return found.Figures().Count;
    }

    private sealed class EveryOther : ProviderHandler
    {
        private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

        public int Sent { get; private set; }

        protected internal override bool WantsTicks => true;

        protected internal override int MaxRefreshBytes => Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Messages.Refresh.EncodeList(ref writer);

        protected internal override bool OnTick(in TickInfo tick)
        {
            if (Session.UpdatingItems == 0
                || !Session.TrySendUpdate(Session.UpdatingItemAt(0), Messages.Updates[0], (ulong)Clock.NowMicros))
            {
                return false;
            }

            Assert.True(Session.Output.TryBegin(100, out Span<byte> room));
            RwfWriter writer = new(room);
            Assert.True(writer.TryWriteHeader(new RwfMsg
            {
                MsgClass = MsgClass.Update,
                DomainType = DomainType.MarketPrice,
                StreamId = Session.Items.StreamIdOf(Session.UpdatingItemAt(0)),
                ContainerType = DataType.NoData,
            }));
            Session.Output.End(writer.Written, MessageKind.Update);
            Sent += 2;
            return true;
        }
    }
}
