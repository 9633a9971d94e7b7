using System.Globalization;
using PerfCommon;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Running;

/// <summary>The port of a tool that listens; each connection goes to the worker that serves the fewest. Main thread only.</summary>
internal sealed class ToolListener : IDisposable
{
    private readonly RsslListener _listener;

    /// <exception cref="SetupException">The port cannot be had.</exception>
    public ToolListener(ListenOptions options)
    {
        try
        {
            _listener = RsslListener.Bind(options);
        }
        catch (IOException cause)
        {
            throw new SetupException(SetupProblem.NotStarted, cause.Message, cause);
        }
    }

    /// <summary>Prints the line by which people and scripts learn the port.</summary>
    public void Announce(RunConsole console) =>
        console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Listening on port {_listener.Port}"));

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
    }

    public void Dispose() => _listener.Dispose();
}
