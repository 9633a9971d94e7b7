using System.Runtime.ExceptionServices;

namespace PerfCommon.Tests;

/// <summary>A thread of a test: what its body throws fails the test that waits for it, instead of ending the process of all tests.</summary>
/// <param name="body">Its work.</param>
/// <param name="name">Its name.</param>
internal sealed class TestThread(Action body, string name = "test")
{
    private Thread? _thread;
    private volatile Exception? _defect;

    public string Name => name;

    /// <summary>True between the start and the end of the body.</summary>
    public bool IsAlive => _thread?.IsAlive == true;

    /// <summary>Starts it; the process does not wait for its end.</summary>
    public void Start()
    {
        _thread = new Thread(RunGuarded) { Name = name, IsBackground = true };
        _thread.Start();
    }

    /// <summary>Waits for its end, and throws what the body threw.</summary>
    public void Join() => Join(Timeout.InfiniteTimeSpan);

    /// <summary>Waits for its end, and throws what the body threw.</summary>
    /// <returns>False when it is still running.</returns>
    public bool Join(TimeSpan limit)
    {
        if (!_thread!.Join(limit))
            return false;
        if (_defect is { } defect)
            ExceptionDispatchInfo.Throw(defect);
        return true;
    }

    private void RunGuarded()
    {
        try
        {
            body();
        }
#pragma warning disable CA1031 // top of the thread: thrown again to the test that waits for it
        catch (Exception defect)
#pragma warning restore CA1031
        {
            _defect = defect;
        }
    }
}
