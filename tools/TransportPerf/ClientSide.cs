using PerfCommon;
using PerfCommon.Transport;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>The connecting side: one connection per worker; the first that is lost ends the run.</summary>
internal sealed class ClientSide : ITransportSide
{
    private ConnectionEnd? _firstEnd;
    private ConnectionEnd? _firstUnorderly;

    /// <exception cref="SetupException">A password or certificate file cannot be used.</exception>
    public ClientSide(TransportPerfOptions options)
    {
        ConnectOptions connect = options.Connection.ForClient("TransportPerf");
        Connect = options.Connection.UsesWebSocket ? connect : ToolProtocol.Of(connect);
    }

    public ConnectOptions? Connect { get; }

    public void TakeTurn(IReadOnlyList<TransportWorker> workers, TimeSpan limit, CancellationToken stop)
    {
        stop.WaitHandle.WaitOne(limit);
        TakeEnds(workers);
    }

    public RunOutcome? FindEnd(IReadOnlyList<TransportWorker> workers, bool isTimeOver, long nowNanos)
    {
        if (_firstEnd is { } end)
            return new RunOutcome(ExitCode.Incomplete, $"connection lost: {end.Text}");
        if (workers.Select(worker => worker.GaveUp).FirstOrDefault(reason => reason is not null) is { } refusal)
            return new RunOutcome(ExitCode.NotStarted, $"cannot connect: {refusal}");
        if (!isTimeOver)
            return null;
        string? reason = workers.FirstOrDefault(worker => worker.ActiveNow == 0)?.LastConnectProblem;
        return workers.All(worker => worker.ActiveNow > 0)
            ? RunOutcome.Success
            : new RunOutcome(ExitCode.NotStarted, $"not connected within the run time{(reason is null ? "" : ": " + reason)}");
    }

    public RunOutcome? FindFailure() => null;

    public string? FindNotComparable(IReadOnlyList<TransportWorker> workers)
    {
        TakeEnds(workers);
        return _firstUnorderly?.Text;
    }

    public IEnumerable<string> FindNotes() => [];

    public void Dispose()
    {
        // nothing is held: the workers own the connections
    }

    private void TakeEnds(IReadOnlyList<TransportWorker> workers)
    {
        foreach (TransportWorker worker in workers)
        {
            while (worker.Ends.TryDequeue(out ConnectionEnd? end))
            {
                _firstEnd ??= end;
                _firstUnorderly ??= end.IsOrderly ? null : end;
            }
        }
    }
}
