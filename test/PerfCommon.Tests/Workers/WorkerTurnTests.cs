using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The maximum of messages that a worker reads from a connection before others are served.</summary>
public sealed class WorkerTurnTests
{
    [Theory]
    [InlineData(1, 10)]
    [InlineData(3, 4)]
    [InlineData(10, 1)]
    [InlineData(4_096, 1)]
    public void MaxMessagesPerTurn_OfMessagesThatAreThere_LeavesTheRestToFurtherTurns(int most, int turns)
    {
        const int count = 10;
        using MemoryWorkers workers = new(options: new WorkerOptions { MaxMessagesPerTurn = most });
        (ProbeConnection client, ProbeConnection server) = (new(), new());
        workers.Join(server, client);
        while (!client.IsOpened || !server.IsOpened)
        {
            workers.Client.Turn(0);
            workers.Server.Turn(0);
        }

        Assert.Equal(count, client.Queue(count, bytes: 50));
        workers.Client.Turn(0);
        List<int> read = [];
        while (server.Received.Count < count)
        {
            int before = server.Received.Count;
            workers.Server.Turn(0);
            if (server.Received.Count > before)
                read.Add(server.Received.Count - before);
        }

        Assert.Equal(turns, read.Count);
        Assert.All(read.SkipLast(1), messages => Assert.Equal(most, messages));
        Assert.Equal(Enumerable.Range(0, count).Select(number => (long)number), server.Received);
    }
}
