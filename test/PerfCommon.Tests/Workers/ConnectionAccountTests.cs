using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class ConnectionAccountTests
{
    [Fact]
    public void Slowest_Many_AreTheTenThatLostMostTheWorstFirst()
    {
        WorkerRecording recording = new();
        foreach (int notSent in Enumerable.Range(0, 30).Select(i => i * 7 % 30))
            recording.RecordConnection(Account(notSent), path: null);
        Assert.Equal(Enumerable.Range(20, 10).Reverse().Select(i => (long)i), recording.Connections.Select(account => account.NotSent));
    }

    /// <summary>Connections that lost nothing are kept, too, while there is room: those that lost a message take their places.</summary>
    [Fact]
    public void Connections_ThatLostNothing_AreKeptUntilOthersLose()
    {
        WorkerRecording recording = new();
        for (int i = 0; i < 12; i++)
            recording.RecordConnection(Account(notSent: 0, $"peer {i}"), path: null);
        Assert.Equal(Enumerable.Range(0, 10).Select(i => $"peer {i}"), recording.Connections.Select(account => account.Address));
        recording.RecordConnection(Account(notSent: 1, "slow"), path: null);
        Assert.Equal(["slow", .. Enumerable.Range(0, 9).Select(i => $"peer {i}")], recording.Connections.Select(account => account.Address));
        Assert.Equal((13L, 0), (recording.ConnectionsEnded, recording.Paths.Count));
    }

    [Fact]
    public void NotSent_EveryKind_IsAdded()
    {
        CounterSet counters = new();
        foreach (Counter counter in new[] { Counter.UpdatesNotSent, Counter.RefreshesNotSent, Counter.PostsNotSent, Counter.GenericNotSent,
            Counter.MessagesNotSent })
        {
            counters.Add(counter, 1);
        }

        counters.Add(Counter.UpdatesStopped, 1); // part of the updates
        Assert.Equal(5, new ConnectionAccount("", 50, counters.Snapshot()).NotSent);
    }

    [Fact]
    public void CounterSet_OfAConnection_CountsForItsWorkerToo()
    {
        CounterSet worker = new();
        CounterSet first = new(worker);
        CounterSet second = new(worker);
        first.Add(Counter.UpdatesSent, 3);
        second.Add(Counter.UpdatesSent, 4);
        Assert.Equal((7, 3, 4), (worker[Counter.UpdatesSent], first[Counter.UpdatesSent], second[Counter.UpdatesSent]));
    }

    private static ConnectionAccount Account(long notSent, string address = "peer")
    {
        CounterSet counters = new();
        counters.Add(Counter.UpdatesNotSent, notSent);
        return new ConnectionAccount(address, 50, counters.Snapshot());
    }
}
