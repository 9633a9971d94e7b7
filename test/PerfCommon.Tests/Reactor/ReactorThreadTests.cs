using PerfCommon.Reactor;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using Xunit;
using OneThread = PerfCommon.Reactor.Reactor;

namespace PerfCommon.Tests.Reactor;

/// <summary>The thread of each reactor of a session, and the processor to which it is pinned.</summary>
public class ReactorThreadTests
{
    [Fact]
    public void Run_WorkerThreads_BindsTheReactorsOwnThread()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the processors of a thread are read from Linux");
        Assert.SkipUnless(ThreadBinding.FindProblem([0]) is null, "CPU 0 is not among those of this process");
        Assert.Equal(("reactor", "0"), Run(new() { Reactor = true, WorkerThreads = ThreadPlan.BoundTo(0) }));
    }

    [Fact]
    public void Run_UserDispatch_IsOnTheCallersThread() =>
        Assert.NotEqual("reactor", Run(new() { Reactor = true, UserDispatch = true, WorkerThreads = ThreadPlan.BoundTo(0) }).Thread);

    [Fact]
    public void Run_WithoutRecovery_RunsTheWorkerOnTheCallersThread()
    {
        Witness witness = new();
        using Worker worker = new(new WorkerOptions()) { Task = witness };
        worker.RequestEnd();
        new OneThread(recovery: null, worker).Run(processor: 0);
        Assert.Equal((true, Environment.CurrentManagedThreadId), (worker.HasEnded, witness.ThreadId));
    }

    private static (string? Thread, string Processors) Run(SessionOptions options)
    {
        using Worker worker = new(new WorkerOptions());
        Witness witness = new();
        worker.Task = witness;
        worker.RequestEnd();
        new OneThread(new RecoveryOptions(), worker).Run(options.ReactorProcessorOf(0));
        return (witness.Thread, witness.Processors);
    }

    private sealed class Witness : IWorkerTask
    {
        public string? Thread { get; private set; }

        public int ThreadId { get; private set; }

        public string Processors { get; private set; } = "";

        bool IWorkerTask.DelaysEnd => false;

        void IWorkerTask.OnAwake()
        {
            (Thread, ThreadId) = (System.Threading.Thread.CurrentThread.Name, Environment.CurrentManagedThreadId);
            if (OperatingSystem.IsLinux())
                Processors = ReadProcessors();
        }

        private static string ReadProcessors() => File.ReadLines("/proc/thread-self/status")
            .First(line => line.StartsWith("Cpus_allowed_list:", StringComparison.Ordinal)).Split('\t')[1];

        void IWorkerTask.Work()
        {
        }

        void IWorkerTask.OnFirstOver()
        {
        }

        bool IWorkerTask.TrySleep() => true;
    }
}
