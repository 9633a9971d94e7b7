using PerfCommon.Workers;

namespace PerfTools.Hosting.Running;

/// <summary>A worker's thread: pinned to a processor on request, with every exception reported.</summary>
internal sealed class WorkerThread
{
    private readonly Thread _thread;
    private volatile Exception? _defect;

    /// <summary>Starts the thread on a processor, or on any (<see cref="ThreadBinding.Unbound"/>).</summary>
    public WorkerThread(string name, int processor, Action body)
    {
        _thread = new Thread(() => RunGuarded(processor, body)) { Name = name, IsBackground = true };
        _thread.Start();
    }

    /// <summary>The exception that ended the thread; null while there is none.</summary>
    public Exception? Defect => _defect;

    /// <summary>The thread's name in messages.</summary>
    public string Name => _thread.Name!;

    public bool IsAlive => _thread.IsAlive;

    /// <summary>Waits for the thread's end; false when it is still running.</summary>
    public bool Join(TimeSpan limit) => _thread.Join(limit);

    private void RunGuarded(int processor, Action body)
    {
        try
        {
            if (!ThreadBinding.TryBindCurrentThread(processor))
                throw new InvalidOperationException($"the thread cannot be bound to CPU {processor}");
            body();
        }
#pragma warning disable CA1031 // top of the thread: the main thread reports it and fails the run
        catch (Exception defect)
#pragma warning restore CA1031
        {
            _defect = defect;
        }
    }
}
