using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Listens on a port for several workers; each connection is assigned to the one that serves the fewest. Main thread only.</summary>
internal sealed class WorkerListener : IDisposable
{
    private readonly RsslListener _listener;

    /// <param name="options">Address and settings of the listener.</param>
    /// <param name="network">The network; null for the system's.</param>
    /// <exception cref="SetupException">The port is not available.</exception>
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

    /// <summary>The port, also when 0 was requested.</summary>
    public int Port => _listener.Port;

    /// <summary>Waits for a connection, and accepts all that are pending.</summary>
    /// <param name="limit">The longest wait.</param>
    /// <param name="workers">The workers that serve them.</param>
    /// <param name="create">Creates the handler of a connection.</param>
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

        if (_listener.CollectUnanswered() is > 0 and int unanswered)
            workers[0].CountRefused(unanswered, _listener.Options.MaxConnections);
    }

    public void Dispose() => _listener.Dispose();
}
