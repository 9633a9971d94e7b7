namespace Tools.Tests.Replay;

/// <summary>Gives a worker its turns until it has ended or the replay is over.</summary>
internal sealed class TurnThread : IDisposable
{
    private readonly Thread _thread;
    private readonly Action _wake;
    private volatile bool _stop;

    /// <summary>Starts the thread.</summary>
    /// <param name="turn">One turn; false when it was the last.</param>
    /// <param name="finish">What comes after the last turn.</param>
    /// <param name="wake">Ends the wait of a turn.</param>
    public TurnThread(Func<bool> turn, Action finish, Action wake)
    {
        _wake = wake;
        _thread = new Thread(() => Run(turn, finish)) { IsBackground = true, Name = "replay" };
        _thread.Start();
    }

    /// <summary>What the worker threw; null while all is well.</summary>
    public Exception? Defect { get; private set; }

    /// <summary>Waits for the worker's last turn.</summary>
    public bool Join() => _thread.Join(ReplayPeer.Patience);

    public void Dispose()
    {
        _stop = true;
        _wake();
        Join();
    }

    private void Run(Func<bool> turn, Action finish)
    {
        try
        {
            while (!_stop && turn())
            {
            }

            finish();
        }
#pragma warning disable CA1031 // atop a thread; the test fails with it
        catch (Exception defect)
#pragma warning restore CA1031
        {
            Defect = defect;
        }
    }
}
