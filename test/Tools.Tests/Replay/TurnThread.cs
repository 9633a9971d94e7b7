using PerfCommon.Workers;

namespace Tools.Tests.Replay;

/// <summary>Gives a worker its turns until it has ended.</summary>
internal sealed class TurnThread : IDisposable
{
    private readonly Thread _thread;
    private readonly Worker _worker;

    public TurnThread(Worker worker)
    {
        _worker = worker;
        _thread = new Thread(Run) { IsBackground = true, Name = "replay" };
        _thread.Start();
    }

    /// <summary>What the worker threw; null while all is well.</summary>
    public Exception? Defect { get; private set; }

    /// <summary>Ends the worker in good order and waits for its last turn.</summary>
    /// <returns>False when it did not end.</returns>
    public bool End()
    {
        _worker.RequestEnd();
        return _thread.Join(ReplayPeer.Patience);
    }

    public void Dispose() => End();

    private void Run()
    {
        try
        {
            while (!_worker.HasEnded)
                _worker.Turn();
        }
#pragma warning disable CA1031 // atop a thread; the test fails with it
        catch (Exception defect)
#pragma warning restore CA1031
        {
            Defect = defect;
        }
    }
}
