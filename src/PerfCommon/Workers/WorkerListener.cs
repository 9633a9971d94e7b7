using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>A port for several workers; each connection goes to the one that serves the fewest. Main thread only.</summary>
internal sealed class WorkerListener : IDisposable
{
    private readonly RsslListener _listener;

    /// <param name="options">Where to listen, and what is granted.</param>
    /// <param name="network">On which network; null for the system's.</param>
    /// <exception cref="SetupException">The port cannot be had.</exception>
    public WorkerListener(ListenOptions options, Network? network = null)
    {
        try
        {
            _listener = RsslListener.Bind(options, network ?? SystemNetwork.Instance);
        }
        catch (IOException cause)
        {
            throw new SetupException(SetupProblem.NotStarted, cause.Message, cause);
        }
    }

    /// <summary>The port, also when 0 was asked for.</summary>
    public int Port => _listener.Port;

    /// <summary>Waits for a connection, and takes all that are there.</summary>
    /// <param name="limit">The longest wait.</param>
    /// <param name="workers">Who serves them.</param>
    /// <param name="create">Makes what the worker does with one.</param>
    /// <param name="stop">Ends it early between two connections.</param>
    public void Accept(TimeSpan limit, IReadOnlyList<Worker> workers, Func<Worker, Connection> create, CancellationToken stop)
    {
        TimeSpan wait = limit;
        while (!stop.IsCancellationRequested && _listener.TryAccept(wait, out AcceptedConnection? accepted))
        {
            Worker worker = workers.MinBy(w => w.ServedConnections)!;
            worker.Serve(accepted, create(worker));
            wait = TimeSpan.Zero;
        }

        if (_listener.TakeUnanswered() is > 0 and int unanswered)
            workers[0].CountRefused(unanswered, _listener.Options.MaxConnections);
    }

    public void Dispose() => _listener.Dispose();
}
