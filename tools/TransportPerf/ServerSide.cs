using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>The listening side: hands connections to the least loaded worker, ends with its last client, survives bad ones.</summary>
internal sealed class ServerSide : ITransportSide
{
    // A client that vanished may be followed by another; then the server goes on.
    private const long NextClientNanos = 10 * Clock.NanosPerSecond;

    // A connection that was just handed over may be the next client; one that stays silent longer holds up nothing.
    private const long NewcomerNanos = Clock.NanosPerSecond;

    private readonly RsslListener _listener;
    private readonly RunConsole _console;
    private int[] _assigned = [];
    private ConnectionEnd? _lastClient;
    private long _lastClientNanos;
    private ConnectionEnd? _firstLoss;
    private ConnectionEnd? _firstUnorderly;
    private int _badClients;

    /// <exception cref="SetupException">The port cannot be had, or the certificate cannot be used.</exception>
    public ServerSide(TransportPerfOptions options, RunConsole console)
    {
        _console = console;
        ListenOptions listen = options.Connection.ForServer("TransportPerf");
        try
        {
            // over WebSocket the sub-protocol says what the messages are
            _listener = RsslListener.Bind(options.Connection.UsesWebSocket ? listen : ToolProtocol.Of(listen));
        }
        catch (IOException problem)
        {
            throw new SetupException(SetupProblem.NotStarted, problem.Message, problem);
        }
        console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Listening on port {_listener.Port}"));
    }

    public ConnectOptions? Connect => null;

    public void TakeTurn(IReadOnlyList<TransportWorker> workers, TimeSpan limit, CancellationToken stop)
    {
        if (_assigned.Length == 0)
            _assigned = new int[workers.Count];
        TimeSpan wait = limit;
        while (!stop.IsCancellationRequested && _listener.TryAccept(wait, out AcceptedConnection? connection))
        {
            int index = FindLeastLoaded(workers);
            _assigned[index] += connection.Refusal is null ? 1 : 0;
            workers[index].Poller.Post(connection);
            wait = TimeSpan.Zero;
        }
        foreach (TransportWorker worker in workers)
        {
            while (worker.Ends.TryDequeue(out ConnectionEnd? end))
                Note(end);
        }
    }

    public RunOutcome? FindEnd(IReadOnlyList<TransportWorker> workers, bool isTimeOver, long nowNanos)
    {
        if (isTimeOver)
            return RunOutcome.Success;
        if (_lastClient is null || workers.Any(worker => worker.ActiveNow > 0 || !worker.Ends.IsEmpty))
            return null;
        if (HasNewcomers(workers) && nowNanos - _lastClientNanos < NewcomerNanos)
            return null;
        if (_lastClient.IsOrderly)
            return new RunOutcome(ExitCode.Success, "the last client left");
        return nowNanos - _lastClientNanos < NextClientNanos
            ? null : new RunOutcome(ExitCode.Incomplete, $"the last client was lost: {_lastClient.Text}");
    }

    public RunOutcome? FindFailure() =>
        _firstLoss is null ? null : new RunOutcome(ExitCode.Incomplete, $"verification failed: {_firstLoss.Text}");

    public string? FindNotComparable(IReadOnlyList<TransportWorker> workers)
    {
        foreach (TransportWorker worker in workers)
        {
            while (worker.Ends.TryDequeue(out ConnectionEnd? end))
                Note(end);
        }
        return _firstUnorderly?.Text;
    }

    public IEnumerable<string> FindNotes() =>
        _badClients > 0 ? [string.Create(CultureInfo.InvariantCulture, $"Connections ended out of order: {_badClients}")] : [];

    public void Dispose() => _listener.Dispose();

    private int FindLeastLoaded(IReadOnlyList<TransportWorker> workers) =>
        Enumerable.Range(0, workers.Count).MinBy(i => _assigned[i] - workers[i].GoneSoFar);

    // handed over, and neither active nor gone yet
    private bool HasNewcomers(IReadOnlyList<TransportWorker> workers) =>
        workers.Where((worker, i) => worker.ActiveNow == 0 && _assigned[i] > worker.GoneSoFar).Any();

    private void Note(ConnectionEnd end)
    {
        if (end.WasProven && end.Violation is null)
            (_lastClient, _lastClientNanos) = (end, Clock.NowNanos);
        if (end.LostMessages)
            _firstLoss ??= end;
        if (end.IsOrderly)
            return;
        _badClients++;
        _firstUnorderly ??= end;
        _console.WriteLine($"Connection ended: {end.Text}");
    }
}
