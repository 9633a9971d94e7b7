using System.Diagnostics;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Consumers of one provider on one thread.</summary>
internal sealed class LoopbackConsumers : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly Worker _worker = new(new WorkerOptions { OnNotice = _ => { } });
    private readonly WorkerThread _thread;

    public LoopbackConsumers(int port, int count, int itemsOfEach)
    {
        All = [.. Enumerable.Range(0, count).Select(_ => new CountingConsumer())];
        ConsumerSessionOptions options = SessionPair.Items(itemsOfEach);
        foreach (CountingConsumer consumer in All)
            _worker.Connect(new ConsumerSession(options, consumer), At(port));
        _thread = new WorkerThread("consumers", ThreadBinding.Unbound, () => _worker.Run());
    }

    public IReadOnlyList<CountingConsumer> All { get; }

    public static void Until(Func<bool> condition, Func<string> describe)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, describe());
            Thread.Sleep(1);
        }
    }

    /// <summary>Waits until the provider has ended every connection, and this side has read all of it.</summary>
    public void End()
    {
        Until(() => _worker.OpenConnections == 0, () => $"{_worker.OpenConnections} connections are open");
        _worker.RequestEnd();
        Assert.True(_thread.Join(Limit));
        Assert.Null(_thread.Defect);
    }

    public void Dispose()
    {
        _worker.RequestEnd();
        _thread.Join(Limit);
        _worker.Dispose();
    }

    // On a busy machine a thousand handshakes need more time.
    private static ConnectOptions At(int port) => new() { Host = "127.0.0.1", Port = port, HandshakeTimeoutSeconds = (int)Limit.TotalSeconds };
}
