using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

/// <summary>Records are returned one at a time, however large the room is into which they are read.</summary>
public sealed class TlsRecordStreamTests
{
    [Fact]
    public async Task ReadAsync_RecordsInRoomsOfAnySize_ReturnsEachToItsLastByte()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        (MemoryPipe own, _) = MemoryPipe.CreatePair();
        own.Inject([22, 3, 3, 0, 1, 9, 22, 3, 3, 0, 0]);
        await using TlsRecordStream stream = new(own, new ByteQueue());
        stream.Receive(out _);
        byte[] room = new byte[20];
        Assert.Equal(5, await stream.ReadAsync(room.AsMemory(0, 5), token));
        Task<int> last = stream.ReadAsync(room, token).AsTask();
        Assert.True(last.IsCompleted);
        Assert.Equal((1, 9), (await last, room[0]));
        Assert.Equal(5, await stream.ReadAsync(room, token));

        Task<int> next = stream.ReadAsync(room, token).AsTask(); // of a record that has not arrived
        Assert.False(next.IsCompleted);
        own.Inject([22, 3, 3, 0, 1]);
        stream.Receive(out _);
        Assert.False(next.IsCompleted);
        own.Inject([7]);
        stream.Receive(out _);
        Assert.Equal((6, 7), (await next, room[5]));
    }
}
