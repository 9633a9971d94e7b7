using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>What a connection counts of the messages that it has sent: everything once, packs only where it packs.</summary>
[Trait("Category", "Fast")]
public sealed class ConnectionSettleTests : IDisposable
{
    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond));

    public void Dispose() => _workers.Dispose();

    [Theory]
    [InlineData(1, 0, 0)] // no packs: neither number is counted
    [InlineData(10, 25, 3)]
    public void Settle_AfterMessages_CountsThoseSinceTheLastTime(int maxPackCount, long packed, long buffers)
    {
        ProbeConnection one = new() { Packs = new Packing(maxPackCount, 6_000) };
        _workers.Open(one, new ScriptedConnection());
        for (int round = 1; round <= 3; round++)
        {
            Assert.Equal(25, one.Queue(25, bytes: 20));
            one.Output.EndBurst();
            one.Channel.Flush();
            one.Settle();
            one.Settle();
            Assert.Equal(25L * round, one.Counters[Counter.MessagesSent]);
            Assert.Equal((packed * round, buffers * round), (one.Counters[Counter.PackedMessages], one.Counters[Counter.PackBuffers]));
            Assert.InRange(one.Counters[Counter.BytesSent], 25L * 20 * round, long.MaxValue);
            Assert.Equal(one.Channel.BytesWritten, one.Counters[Counter.BytesSent]);
        }

        Assert.Equal((packed * 3, one.Channel.BytesWritten),
            (_workers.Server.Recording.Counters[Counter.PackedMessages], _workers.Server.Recording.Counters[Counter.BytesSent]));
    }
}
