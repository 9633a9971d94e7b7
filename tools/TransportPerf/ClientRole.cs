using PerfCommon;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>The connecting side: one connection per worker; the first that is lost ends the run.</summary>
internal sealed class ClientRole : TransportRole
{
    private readonly List<Dialer> _dialers = [];
    private ConnectionEnd? _firstEnd;

    /// <exception cref="SetupException">A password or certificate file cannot be used.</exception>
    public ClientRole(TransportPerfOptions options)
        : base(options)
    {
        ConnectOptions connect = WithProtocol(options.Connection.ForClient("TransportPerf"));
        foreach (Worker worker in Workers)
            _dialers.Add(worker.Connect(new TransportPeer(PlanOf(worker)), connect, givesUpWhenRefused: true));
    }

    public override void TakeTurn(TimeSpan limit, CancellationToken stop)
    {
        base.TakeTurn(limit, stop);
        TakeEnds();
    }

    public override RunOutcome? FindEnd(long nowNanos)
    {
        if (_firstEnd is { } end)
            return new RunOutcome(ExitCode.Incomplete, $"connection lost: {end.Text}");
        if (_dialers.Select(dialer => dialer.GaveUp).FirstOrDefault(reason => reason is not null) is { } refusal)
            return new RunOutcome(ExitCode.NotStarted, $"cannot connect: {refusal}");
        if (!IsTimeOver(nowNanos))
            return null;
        int missing = Workers.ToList().FindIndex(worker => worker.OpenConnections == 0);
        if (missing < 0)
            return RunOutcome.Success;
        string reason = _dialers[missing].LastProblem is { } problem ? ": " + problem : "";
        return new RunOutcome(ExitCode.NotStarted, $"not connected within the run time{reason}");
    }

    private protected override void Note(ConnectionEnd end) => _firstEnd ??= end;
}
