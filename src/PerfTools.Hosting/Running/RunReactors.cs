using PerfCommon.Reactor;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Running;

/// <summary>
/// The reactors of a run, one for each worker, dispatched by a separate thread or by the worker's (<c>-useUserDispatch</c>).
/// </summary>
/// <param name="workers">The workers.</param>
/// <param name="session">Whether there are reactors, and their threads.</param>
/// <param name="recovery">The reactors' recovery after a loss; null for the bare session.</param>
internal sealed class RunReactors(IReadOnlyList<Worker> workers, SessionOptions session, RecoveryOptions? recovery)
{
    private readonly Reactor[] _reactors = [.. workers.Select(worker => new Reactor(recovery, worker))];

    /// <summary>All reactors, in the order of the workers.</summary>
    public IReadOnlyList<Reactor> All => _reactors;

    /// <summary>True when they are dispatched, with everything that their sessions need; false when only their workers run.</summary>
    public bool AreDispatched => recovery is not null;

    /// <summary>The reactor of a worker, counted from 0.</summary>
    public Reactor this[int worker] => _reactors[worker];

    /// <summary>Returns the number of the worker of a reactor.</summary>
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
