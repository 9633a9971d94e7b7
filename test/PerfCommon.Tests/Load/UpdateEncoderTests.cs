using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>Bursts of updates, received at the other end of a real connection.</summary>
public sealed class UpdateEncoderTests : IDisposable
{
    private readonly LoopbackPair _pair = new();
    private readonly WorkerRecording _recording = new();

    public void Dispose() => _pair.Dispose();

    [Theory]
    [InlineData(false, "0009040600000007000400")]
    [InlineData(true, "0009040700000007000900")]
    public void WriteHeader_AnyStream_HasItsBytes(bool isOrderBook, string expected)
    {
        byte[] room = new byte[UpdateMessage.HeaderBytes];
        default(UpdateMessage).WriteHeader(room, 7, isOrderBook);
        Assert.Equal(expected, Convert.ToHexString(room));
    }

    [Fact]
    public void Encode_ThreeItems_GoesRoundItemsAndTheirTemplates()
    {
        Burst burst = Create(SessionSamples.OpenItems(3), rate: 9, ticks: 2);
        List<byte[]> messages = [.. Send(burst, tick: 0), .. Send(burst, tick: 1)];

        Assert.Equal([6, 7, 8, 6, 7, 8, 6, 7, 8], messages.Select(message => SessionSamples.ReadUpdate(message).StreamId));
        int[] sizes = [.. messages.Select(message => message.Length)];
        Assert.Equal([sizes[0], sizes[0], sizes[0], sizes[3], sizes[3], sizes[3], sizes[0], sizes[0], sizes[0]], sizes);
        Assert.NotEqual(sizes[0], sizes[3]);
        Assert.Equal(0, _recording.Counters[Counter.UpdateStampsSent]);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void Encode_StampPlace_StampsThatOneNow(int packCount)
    {
        BurstPlan plan = SessionSamples.Updates(rate: 20, stampRate: 1, tickRate: 1);
        Burst burst = Create(SessionSamples.OpenItems(3), plan, packCount);
        ulong before = (ulong)Clock.NowMicros;
        ulong[] stamps = [.. Send(burst, tick: 3).Select(message => SessionSamples.ReadUpdate(message).Stamp)];

        int place = plan.StampPlaceIn(TickAt(3), connection: 0);
        Assert.Equal(20, stamps.Length);
        Assert.Equal([place], Enumerable.Range(0, 20).Where(i => stamps[i] != 0));
        Assert.InRange(stamps[place], before, (ulong)Clock.NowMicros);
        Assert.Equal(1, _recording.Counters[Counter.UpdateStampsSent]);
    }

    [Fact]
    public void Encode_StampsAllInNanoseconds_StampsEach()
    {
        BurstPlan plan = SessionSamples.Updates(rate: 10, StampCells.All, tickRate: 1, LatencyUnit.Nanoseconds);
        Burst burst = Create(SessionSamples.OpenItems(2), plan);
        ulong before = (ulong)Clock.NowNanos;
        List<byte[]> messages = Send(burst, tick: 0);

        Assert.All(messages, message => Assert.InRange(SessionSamples.ReadUpdate(message).Stamp, before, (ulong)Clock.NowNanos));
        Assert.Equal((10, 10L), (messages.Count, _recording.Counters[Counter.UpdateStampsSent]));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void Encode_PreEncoded_SendsWhatIsEncodedAnew(int packCount)
    {
        BurstPlan plan = SessionSamples.Updates(rate: 20, stampRate: 1, tickRate: 1);
        byte[][] encoded = [.. Send(Create(SessionSamples.OpenItems(3), plan, packCount), tick: 3)];
        byte[][] copied = [.. Send(CreatePreEncoded(SessionSamples.OpenItems(3), plan, packCount), tick: 3)];

        int place = plan.StampPlaceIn(TickAt(3), connection: 0);
        Assert.Equal(encoded.Where((_, i) => i != place), copied.Where((_, i) => i != place));
        (int streamId, ulong stamp) = SessionSamples.ReadUpdate(copied[place]);
        Assert.Equal(SessionSamples.ReadUpdate(encoded[place]).StreamId, streamId);
        Assert.InRange(stamp, SessionSamples.ReadUpdate(encoded[place]).Stamp, (ulong)Clock.NowMicros);
        Assert.Equal(2, _recording.Counters[Counter.UpdateStampsSent]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Encode_MeasuresEncoding_RecordsEachStampedMessage(bool isPreEncoded)
    {
        BurstPlan plan = new(MessageKind.Update, rate: 20, stampRate: 2, tickRate: 2, seed: 1, LatencyUnit.Microseconds,
            measuresEncoding: true);
        _recording.Measure(Series.Encoding, LatencyUnit.Nanoseconds);
        Burst burst = isPreEncoded ? CreatePreEncoded(SessionSamples.OpenItems(3), plan) : Create(SessionSamples.OpenItems(3), plan);
        Send(burst, tick: 0);
        Send(burst, tick: 1);

        LatencyFigures times = _recording[Series.Encoding].CollectRest();
        Assert.Equal((2L, 0L), (times.Count, times.NegativeCount));
        Assert.True(times.Max > 0);
    }

    [Fact]
    public void HasTargets_NoItemHasItsRefresh_IsFalse()
    {
        Burst burst = Create(new ProviderItems(), rate: 100, ticks: 1);
        Assert.False(burst.Begin(TickAt(0), connection: 0));
        burst.Send();
        Assert.Equal((0, 0L), (burst.Left, _recording.Counters[Counter.UpdatesNotSent]));
    }

    [Fact]
    public void Encode_ItemClosedMeanwhile_LeavesItOut()
    {
        ProviderItems items = SessionSamples.OpenItems(4);
        Burst burst = Create(items, rate: 10, ticks: 2);
        Send(burst, tick: 0);
        items.Close(items.FindStream(9));
        List<byte[]> messages = Send(burst, tick: 1);

        Assert.Equal([7, 8, 6, 7, 8], messages.Select(message => SessionSamples.ReadUpdate(message).StreamId));
        burst.Begin(TickAt(2), connection: 0);
        items.CloseAll();
        burst.Send();
        Assert.Equal(10, _pair.Server.MessagesWritten);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(30)]
    public void UpdatePath_AfterWarmUp_AllocatesNothing(int packCount)
    {
        MessageOutput output = new(_pair.Server, new Packing(packCount, 6_000), _recording.Counters);
        Burst burst = Create(SessionSamples.OpenItems(100), SessionSamples.Updates(rate: 50_000, stampRate: 1_000), output);
        FieldListDecoder decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);
        Run(burst, output, decoder, updates: 20_000);
        Allocation.None(() => Run(burst, output, decoder, updates: 20_000));
        Assert.Equal(0, decoder.UnknownFields);
        Assert.Equal(0, _recording.Counters[Counter.UpdateStampsSent] % 400); // 400 in every pass
    }

    // encode, queue, flush, receive, decode: all of it on this thread
    private void Run(Burst burst, MessageOutput output, FieldListDecoder decoder, int updates)
    {
        long deadline = Clock.NowNanos + (60 * Clock.NanosPerSecond);
        for (int received = 0, tick = 0; received < updates && Clock.NowNanos < deadline; tick++)
        {
            Assert.True(burst.Begin(new TickInfo(tick, tick % 1_000, 0, 0, 0), connection: 0));
            burst.Send();
            for (int left = 50; left > 0 && Clock.NowNanos < deadline;)
            {
                _pair.Server.Flush();
                _pair.Glance();
                while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                {
                    UpdateHeader.TryRead(message, out UpdateHeader update);
                    decoder.Decode(update.Message, update.PayloadStart);
                    received++;
                    left--;
                }
            }

            output.Ledger.Settle(_recording.Counters, _pair.Server.MessagesSent);
        }
    }

    private static TickInfo TickAt(int index) => new(index, InSecond: index, DueNanos: 0, LagNanos: 0, SkippedBefore: 0);

    private Burst<RotatingEncoder<UpdateMessage>> Create(ProviderItems items, int rate, int ticks) =>
        Create(items, SessionSamples.Updates(rate, stampRate: 0, ticks));

    private Burst<RotatingEncoder<UpdateMessage>> Create(ProviderItems items, BurstPlan plan, int packCount = 1) =>
        Create(items, plan, new MessageOutput(_pair.Server, new Packing(packCount, 6_000), _recording.Counters));

    private Burst<RotatingEncoder<UpdateMessage>> Create(ProviderItems items, BurstPlan plan, MessageOutput output) =>
        new(plan, _recording, output, new RotatingEncoder<UpdateMessage>(default, items.Rotation, [.. SessionSamples.Messages.Updates]));

    private Burst<PreEncodedUpdateEncoder> CreatePreEncoded(ProviderItems items, BurstPlan plan, int packCount = 1)
    {
        MessageOutput output = new(_pair.Server, new Packing(packCount, 6_000), _recording.Counters);
        return (Burst<PreEncodedUpdateEncoder>)new UpdateSource(SessionSamples.Messages, isPreEncoded: true).CreateBurst(plan, _recording,
            output, items.Rotation, items.Views);
    }

    private List<byte[]> Send(Burst burst, int tick)
    {
        Assert.True(burst.Begin(TickAt(tick), connection: 0));
        int count = burst.Left;
        burst.Send();
        Assert.Equal(0, burst.Left);
        return _pair.Receive(count);
    }
}
