using PerfCommon.Reactor;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>
/// The reactors of a run, one for each worker, and whose thread dispatches them: one of their own, or the worker's
/// (<c>-useUserDispatch</c>).
/// </summary>
/// <param name="workers">The workers.</param>
/// <param name="session">Whether there is a reactor at all, and its threads.</param>
/// <param name="recovery">What a reactor does when something is lost; null for the bare session.</param>
internal sealed class RunReactors(IReadOnlyList<Worker> workers, SessionOptions session, RecoveryOptions? recovery)
{
    private readonly Reactor[] _reactors = [.. workers.Select(worker => new Reactor(recovery, worker))];

    /// <summary>All of them, in the order of the workers.</summary>
    public IReadOnlyList<Reactor> All => _reactors;

    /// <summary>True when they are dispatched, and do all that their sessions need; false when only their workers run.</summary>
    public bool AreDispatched => recovery is not null;

    /// <summary>That of a worker, counted from 0.</summary>
    public Reactor this[int worker] => _reactors[worker];

    /// <summary>Whose reactor it is.</summary>
    public int IndexOf(Reactor reactor) => Array.IndexOf(_reactors, reactor);

    /// <summary>Runs a worker to its end. On the worker's thread.</summary>
    public void Run(int worker)
    {
        Reactor reactor = _reactors[worker];
        if (!AreDispatched)
        {
            workers[worker].Run();
        }
        else if (session.UserDispatch)
        {
            while (!reactor.HasEnded)
                reactor.Dispatch(TimeSpan.FromSeconds(1));
        }
        else
        {
            reactor.StartOn(session.ReactorProcessorOf(worker));
            reactor.Join(Timeout.InfiniteTimeSpan);
        }
    }
}
