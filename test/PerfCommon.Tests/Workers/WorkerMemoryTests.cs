using System.Runtime.CompilerServices;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>The task of a worker, and the memory that both keep for peers.</summary>
public sealed class WorkerMemoryTests : IDisposable
{
    private readonly MemoryWorkers _workers = new(TimeSource.StartAt(Clock.NanosPerSecond));
    private readonly ProbeConnection _peer = new();

    private TimeSource Time => _workers.Network.Time;

    private Worker Near => _workers.Client;

    public void Dispose() => _workers.Dispose();

    [Fact]
    public void Turn_WithATask_LetsItWorkOnce()
    {
        KeepingTask task = new();
        Near.Task = task;
        for (int turn = 1; turn <= 3; turn++)
        {
            Near.Turn(0);
            Assert.Equal((turn, turn), (task.Awakenings, task.Works));
        }
    }

    /// <summary>The memory kept for peers is reported once a second: arrays of channels, and that of the task.</summary>
    [Fact]
    public void KeptBytes_TaskHasSome_IsToldOnceASecond()
    {
        KeepingTask task = new() { KeptBytes = 1_000_000 };
        Near.Task = task;
        Near.Turn(0);
        Assert.Equal(Near.Poller.PooledBytes + 1_000_000, Near.Recording[Gauge.KeptBytes]);
        long before = Near.Recording[Gauge.KeptBytes];
        task.KeptBytes = 2_000_000;
        Time.Advance(Clock.NanosPerSecond - 1);
        Near.Turn(0);
        Assert.Equal(before, Near.Recording[Gauge.KeptBytes]);
        Time.Advance(1);
        Near.Turn(0);
        Assert.Equal(Near.Poller.PooledBytes + 2_000_000, Near.Recording[Gauge.KeptBytes]);
    }

    /// <summary>Arrays that were not needed for 15 seconds are given up.</summary>
    [Fact]
    public void PooledBytes_AfterAFlood_AreGivenUpInTime()
    {
        _workers.Open(_peer, new ScriptedConnection());
        Assert.InRange(_peer.Queue(40, bytes: 6_000), 1, 40);
        _workers.Server.Turn(0);
        Near.Turn(0);
        _workers.Server.Turn(0);
        long held = _workers.Server.Poller.PooledBytes;
        int seconds = 0;
        for (; _workers.Server.Poller.PooledBytes == held && seconds < 100; seconds++)
            PassSecond();
        Assert.Equal(29, seconds); // they were used in the first 15 s, which began a second before
        Assert.InRange(_workers.Server.Poller.PooledBytes, 0, held - 1);
    }

    [Fact]
    public void Release_ConnectionThatIsStillDialed_IsHeldNoMore()
    {
        Worker worker = new(new WorkerOptions(), new WorkerRecording(), _workers.Network);
        WeakReference connection = Dial(worker);
        worker.Release();
        GC.Collect();
        Assert.False(connection.IsAlive);
        GC.KeepAlive(worker);
    }

    [Fact]
    public void Turn_AfterAConnectionHasEnded_HoldsItNoMore()
    {
        WeakReference connection = OpenAndEnd();
        Assert.Equal(0, Near.OpenConnections);
        GC.Collect();
        Assert.False(connection.IsAlive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference OpenAndEnd()
    {
        ProbeConnection peer = new();
        ScriptedConnection connection = _workers.Open(peer, new ScriptedConnection());
        Assert.Equal(1, Near.OpenConnections);
        peer.Channel.Close();
        for (int round = 0; round < 8; round++)
            PassSecond();
        Assert.NotNull(connection.Closed);
        return new WeakReference(connection);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Dial(Worker worker)
    {
        ScriptedConnection connection = new();
        worker.Connect(connection, new ConnectOptions { Host = MemoryNetwork.Host, Port = 7 });
        return new WeakReference(connection);
    }

    private void PassSecond()
    {
        Time.Advance(Clock.NanosPerSecond);
        Near.Turn(0);
        _workers.Server.Turn(0);
    }

    private sealed class KeepingTask : IWorkerTask
    {
        public long KeptBytes { get; set; }

        public int Awakenings { get; private set; }

        public int Works { get; private set; }

        public bool DelaysEnd => false;

        public void OnAwake() => Awakenings++;

        public void Work() => Works++;

        public void OnFirstOver()
        {
        }

        public bool TrySleep() => true;
    }
}
