using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The packing rules, checked at the other end of a real connection.</summary>
public sealed class MessageOutputTests : IDisposable
{
    private readonly LoopbackPair _pair = new();

    public void Dispose() => _pair.Dispose();

    [Fact]
    public void End_NotPacked_TakesABufferAMessage()
    {
        MessageOutput output = new(_pair.Server, Packing.None, new CounterSet());
        Write(output, count: 5, bytes: 20);

        Assert.Equal((5, 5), (output.Messages, output.Buffers));
        Expect(5, 20);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TrySendMade_OfFrames_CountsThemUnlessMessagesArePacked(bool isPacking)
    {
        MessageOutput output = new(_pair.Server, isPacking ? new Packing(10, 6_000) : Packing.None, new CounterSet());
        SendBatch run = new(new byte[100], maxBytes: 20, maxMessages: 2, headBytes: 3);
        for (int number = 0; number < 2; number++)
        {
            run.Room[..20].Fill((byte)number);
            run.End(20);
        }

        Assert.Equal(!isPacking, output.TrySendMade(run.Made, 20, MessageKind.Update));
        Assert.Equal(isPacking ? (0, 0) : (2, 2), (output.Messages, output.Buffers));
        Assert.Equal(isPacking ? 0 : 2, output.Ledger.Unsettled(MessageKind.Update));
        if (!isPacking)
            Expect(2, 20);
    }

    [Fact]
    public void End_PackCountReached_BeginsTheNextBuffer()
    {
        MessageOutput output = new(_pair.Server, new Packing(10, 6_000), new CounterSet());
        Write(output, count: 25, bytes: 20);

        Assert.Equal((25, 2), (output.Messages, output.Buffers));
        output.EndBurst();
        Assert.Equal((25, 3), (output.Messages, output.Buffers));
        Expect(25, 20);
    }

    [Fact]
    public void TryBegin_NoRoomInThePack_WritesItFirst()
    {
        MessageOutput output = new(_pair.Server, new Packing(10, 100), new CounterSet());
        Write(output, count: 4, bytes: 40); // 2 x (2 + 40) in 100
        output.EndBurst();

        Assert.Equal((4, 2), (output.Messages, output.Buffers));
        Expect(4, 40);
    }

    [Fact]
    public void TryBegin_LongerThanAPack_TakesAPlainBufferAfterWhatIsPacked()
    {
        MessageOutput output = new(_pair.Server, new Packing(10, 100), new CounterSet());
        Write(output, count: 1, bytes: 40);
        Write(output, count: 1, bytes: 99);
        Write(output, count: 1, bytes: 40, first: 2);
        output.EndBurst();

        Assert.Equal((3, 3), (output.Messages, output.Buffers));
        List<byte[]> messages = _pair.Receive(3);
        Assert.Equal([40, 99, 40], messages.Select(message => message.Length));
    }

    [Fact]
    public void EndBurst_NothingPacked_WritesNothing()
    {
        MessageOutput output = new(_pair.Server, new Packing(10, 100), new CounterSet());
        Assert.True(output.TryBegin(40, out _));
        output.Cancel();
        output.EndBurst();
        output.EndBurst();

        Assert.Equal((0, 0), (output.Messages, output.Buffers));
        Write(output, count: 1, bytes: 40);
        output.EndBurst();
        Expect(1, 40);
    }

    [Fact]
    public void Cancel_InAPack_KeepsWhatWasPacked()
    {
        MessageOutput output = new(_pair.Server, new Packing(10, 200), new CounterSet());
        Write(output, count: 1, bytes: 40);
        Assert.True(output.TryBegin(60, out _));
        output.Cancel();
        Write(output, count: 1, bytes: 40, first: 1);
        output.EndBurst();

        Assert.Equal(1, output.Buffers);
        Expect(2, 40);
    }

    [Fact]
    public void Ledger_AfterTheLastByte_KnowsAllAsSent()
    {
        MessageOutput output = new(_pair.Server, new Packing(3, 1_000), new CounterSet());
        CounterSet counters = new();
        Write(output, count: 10, bytes: 100);
        output.EndBurst();
        output.Ledger.Settle(counters, _pair.Server.MessagesSent);
        Assert.Equal(10, counters[Counter.UpdatesSent] + output.Ledger.Unsettled(MessageKind.Update));
        Expect(10, 100);
        output.Ledger.Settle(counters, _pair.Server.MessagesSent);

        Assert.Equal((10, 0), (counters[Counter.UpdatesSent], output.Ledger.Unsettled(MessageKind.Update)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void TryBegin_FewBuffersAndAnOpenSocket_GoesOn(int maxPackCount)
    {
        using LoopbackPair pair = new(outputBuffers: 6);
        MessageOutput output = new(pair.Server, new Packing(maxPackCount, 200), new CounterSet());
        Write(output, count: 100, bytes: 40);
        output.EndBurst();

        Assert.Equal(100, pair.Receive(100).Count);
    }

    [Fact]
    public void TryBegin_TheReaderStops_RefusesUntilItReads()
    {
        using LoopbackPair pair = new(outputBuffers: 6, kernelBytes: 4_096);
        MessageOutput output = new(pair.Server, Packing.None, new CounterSet());
        int written = 0;
        while (written < 100_000 && output.TryBegin(1_000, out Span<byte> room))
        {
            room[..1_000].Clear();
            output.End(1_000, MessageKind.Update);
            written++;
        }

        Assert.InRange(written, 6, 99_999);
        output.Ledger.Settle(new CounterSet(), pair.Server.MessagesSent);
        Assert.InRange(output.Ledger.Unsettled(MessageKind.Update), 1, 6);
        pair.Receive(written);
        Assert.True(output.TryBegin(1_000, out _));
    }

    private void Expect(int count, int bytes)
    {
        List<byte[]> messages = _pair.Receive(count);
        for (int i = 0; i < count; i++)
            Assert.True(messages[i].Length == bytes && messages[i].All(value => value == (byte)i));
    }

    private static void Write(MessageOutput output, int count, int bytes, int first = 0)
    {
        for (int i = first; i < first + count; i++)
        {
            Assert.True(output.TryBegin(bytes, out Span<byte> room));
            room[..bytes].Fill((byte)i);
            output.End(bytes, MessageKind.Update);
        }
    }
}
