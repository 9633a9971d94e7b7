using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public sealed class UpdateBurstTests : IDisposable
{
    private readonly LoopbackPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void TrySend_ThreeItems_GoesRoundItemsAndTheirTemplates()
    {
        UpdateBurst burst = Create(items: 3, packCount: 1);
        List<byte[]> messages = Send(burst, count: 4, stampPlace: -1);
        messages.AddRange(Send(burst, count: 5, stampPlace: -1));

        Assert.Equal([6, 7, 8, 6, 7, 8, 6, 7, 8], messages.Select(message => SessionSamples.ReadUpdate(message).StreamId));
        int[] sizes = [.. messages.Select(message => message.Length)];
        Assert.Equal([sizes[0], sizes[0], sizes[0], sizes[3], sizes[3], sizes[3], sizes[0], sizes[0], sizes[0]], sizes);
        Assert.NotEqual(sizes[0], sizes[3]);
        Assert.Equal(0, burst.TakeStampCount());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void TrySend_StampPlace_StampsThatOneNow(int packCount)
    {
        UpdateBurst burst = Create(items: 3, packCount);
        ulong before = (ulong)Clock.NowMicros;
        ulong[] stamps = [.. Send(burst, count: 20, stampPlace: 13).Select(message => SessionSamples.ReadUpdate(message).Stamp)];

        Assert.Equal([13], Enumerable.Range(0, 20).Where(place => stamps[place] != 0));
        Assert.InRange(stamps[13], before, (ulong)Clock.NowMicros);
        Assert.Equal((1, 0), (burst.TakeStampCount(), burst.TakeStampCount()));
    }

    [Fact]
    public void TrySend_StampsAllInNanoseconds_StampsEach()
    {
        ProviderPlan plan = SessionSamples.Plan with { UpdateStampRate = StampCells.All, NanoStamps = true };
        UpdateBurst burst = Create(items: 2, packCount: 1, plan);
        ulong before = (ulong)Clock.NowNanos;
        List<byte[]> messages = Send(burst, count: 10, stampPlace: -1);

        Assert.All(messages, message => Assert.InRange(SessionSamples.ReadUpdate(message).Stamp, before, (ulong)Clock.NowNanos));
        Assert.Equal(10, burst.TakeStampCount());
    }

    [Fact]
    public void Begin_NoItemHasItsImage_IsNothingDue()
    {
        UpdateBurst burst = Create(items: 0, packCount: 1);
        Assert.Equal(0, burst.Begin(100, -1));
        Assert.Equal(0, burst.Left);
        Assert.True(burst.TrySend());
        Assert.Equal(0, burst.Begin(100, -1));
    }

    [Fact]
    public void Begin_TheReaderStopped_CountsWhatWasLeft()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        MessageOutput output = new(pair.Server, maxPackCount: 1, packBufferBytes: 0);
        UpdateBurst burst = new(SessionSamples.Plan, SessionSamples.OpenItems(3), output);
        burst.Begin(50_000, stampPlace: 49_999);
        Assert.False(burst.TrySend());
        int left = burst.Left;

        Assert.Equal(50_000 - output.TakeMessageCount(), left);
        Assert.Equal(0, burst.TakeStampCount());
        Assert.Equal(left, burst.Begin(10, -1));
        Assert.Equal(10, burst.Left);
    }

    [Fact]
    public void TrySend_ItemClosedMeanwhile_LeavesItOut()
    {
        ProviderItems items = SessionSamples.OpenItems(4);
        UpdateBurst burst = new(SessionSamples.Plan, items, new MessageOutput(_pair.Server, 1, 0));
        Send(burst, count: 4, stampPlace: -1);
        items.Close(items.FindStream(9));
        List<byte[]> messages = Send(burst, count: 6, stampPlace: -1);

        Assert.Equal([6, 7, 8, 6, 7, 8], messages.Select(message => SessionSamples.ReadUpdate(message).StreamId));
        items.CloseAll();
        burst.Begin(5, -1);
        Assert.True(burst.TrySend());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(30)]
    public void UpdatePath_AfterWarmUp_AllocatesNothing(int packCount)
    {
        MessageOutput output = new(_pair.Server, packCount, packBufferBytes: 6_000);
        UpdateBurst burst = new(SessionSamples.Plan, SessionSamples.OpenItems(100), output);
        FieldListDecoder decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);
        Run(burst, output, decoder, updates: 20_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Run(burst, output, decoder, updates: 20_000);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(0, decoder.UnknownFields);
    }

    // encode, queue, flush, receive, decode: all of it on this thread
    private void Run(UpdateBurst burst, MessageOutput output, FieldListDecoder decoder, int updates)
    {
        long deadline = Clock.NowNanos + (60 * Clock.NanosPerSecond);
        for (int received = 0; received < updates && Clock.NowNanos < deadline;)
        {
            burst.Begin(50, stampPlace: 3);
            Assert.True(burst.TrySend());
            output.EndBurst();
            for (int left = 50; left > 0 && Clock.NowNanos < deadline;)
            {
                _pair.Server.Flush();
                _pair.Glance();
                while (_pair.Client.TryRead(out ReadOnlySpan<byte> message))
                {
                    PerfCommon.Codec.UpdateHeader.TryRead(message, out PerfCommon.Codec.UpdateHeader update);
                    decoder.Decode(update.Payload);
                    received++;
                    left--;
                }
            }

            output.Ledger.Settle(_pair.Server.MessagesSent);
        }
    }

    private UpdateBurst Create(int items, int packCount, ProviderPlan? plan = null)
    {
        _output = new MessageOutput(_pair.Server, packCount, packBufferBytes: 6_000);
        return new UpdateBurst(plan ?? SessionSamples.Plan, SessionSamples.OpenItems(items), _output);
    }

    private MessageOutput? _output;

    private List<byte[]> Send(UpdateBurst burst, int count, int stampPlace)
    {
        Assert.Equal(0, burst.Begin(count, stampPlace));
        Assert.True(burst.TrySend());
        _output?.EndBurst();
        return _pair.Receive(count);
    }
}
