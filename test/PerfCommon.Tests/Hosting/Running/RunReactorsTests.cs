using PerfCommon.Reactor;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>The thread of each reactor of a run, and the processor to which it is pinned.</summary>
public class RunReactorsTests
{
    [Fact]
    public void Run_WorkerThreads_BindsTheReactorsOwnThread()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the processors of a thread are read from Linux");
        Assert.SkipUnless(ThreadBinding.FindProblem(ThreadPlan.BoundTo(0)) is null, "CPU 0 is not among those of this process");
        Assert.Equal(("reactor", "0"), Run(new() { Reactor = true, WorkerThreads = ThreadPlan.BoundTo(0) }));
    }

    [Fact]
    public void Run_UserDispatch_IsOnTheCallersThread() =>
        Assert.NotEqual("reactor", Run(new() { Reactor = true, UserDispatch = true, WorkerThreads = ThreadPlan.BoundTo(0) }).Thread);

    private static (string? Thread, string Processors) Run(SessionOptions options)
    {
        using Worker worker = new(new WorkerOptions());
        Witness witness = new();
        worker.Task = witness;
        worker.RequestEnd();
        new RunReactors([worker], options, new RecoveryOptions()).Run(0);
        return (witness.Thread, witness.Processors);
    }

    private sealed class Witness : IWorkerTask
    {
        public string? Thread { get; private set; }

        public string Processors { get; private set; } = "";

        bool IWorkerTask.DelaysEnd => false;

        void IWorkerTask.OnAwake()
        {
            Thread = System.Threading.Thread.CurrentThread.Name;
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
