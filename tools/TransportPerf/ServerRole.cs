using System.Globalization;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>The listening side: hands connections to the least loaded worker, ends with its last client, survives bad ones.</summary>
internal sealed class ServerRole : TransportRole
{
    // A client that vanished may be followed by another; then the server goes on.
    private const long NextClientNanos = 10 * Clock.NanosPerSecond;

    // A connection that was just handed over may be the next client; one that stays silent longer holds up nothing.
    private const long NewcomerNanos = Clock.NanosPerSecond;

    private readonly RsslListener _listener;
    private readonly RunConsole _console;
    private ConnectionEnd? _lastClient;
    private long _lastClientNanos;
    private ConnectionEnd? _firstLoss;
    private int _badClients;

    /// <exception cref="SetupException">The port cannot be had, or the certificate cannot be used.</exception>
    public ServerRole(TransportPerfOptions options, RunConsole console)
        : base(options)
    {
        _console = console;
        ListenOptions listen = WithProtocol(options.Connection.ForServer("TransportPerf"));
        try
        {
            _listener = RsslListener.Bind(listen);
        }
        catch (IOException problem)
        {
            throw new SetupException(SetupProblem.NotStarted, problem.Message, problem);
        }
    }

    public override IEnumerable<string> Notes => _badClients == 0
        ? base.Notes
        : base.Notes.Append(string.Create(CultureInfo.InvariantCulture, $"Connections ended out of order: {_badClients}"));

    public override void Begin(RunConsole console, long nowNanos)
    {
        base.Begin(console, nowNanos);
        console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Listening on port {_listener.Port}"));
    }

    public override void TakeTurn(TimeSpan limit, CancellationToken stop)
    {
        TimeSpan wait = limit;
        while (!stop.IsCancellationRequested && _listener.TryAccept(wait, out AcceptedConnection? accepted))
        {
            Worker worker = Workers.MinBy(w => w.ServedConnections)!;
            worker.Serve(accepted, new TransportPeer(PlanOf(worker)));
            wait = TimeSpan.Zero;
        }

        TakeEnds();
    }

    public override RunOutcome? FindEnd(long nowNanos)
    {
        if (IsTimeOver(nowNanos))
            return RunOutcome.Success;
        if (_lastClient is null || HasEnds || Workers.Any(worker => worker.OpenConnections > 0))
            return null;
        if (Workers.Any(worker => worker.ServedConnections > 0) && nowNanos - _lastClientNanos < NewcomerNanos)
            return null;
        if (_lastClient.IsOrderly)
            return new RunOutcome(ExitCode.Success, "the last client left");
        return nowNanos - _lastClientNanos < NextClientNanos
            ? null
            : new RunOutcome(ExitCode.Incomplete, $"the last client was lost: {_lastClient.Text}");
    }

    public override RunOutcome Complete(RunOutcome outcome)
    {
        RunOutcome completed = base.Complete(outcome);
        return completed.Code == ExitCode.Success && _firstLoss is { } loss
            ? completed with { Code = ExitCode.Incomplete, Reason = $"verification failed: {loss.Text}" }
            : completed;
    }

    public override void Dispose()
    {
        _listener.Dispose();
        base.Dispose();
    }

    private protected override void Note(ConnectionEnd end)
    {
        if (end.WasProven && end.Violation is null)
            (_lastClient, _lastClientNanos) = (end, Clock.NowNanos);
        if (end.LostMessages)
            _firstLoss ??= end;
        if (end.IsOrderly)
            return;
        _badClients++;
        _console.WriteLine($"Connection ended: {end.Text}");
    }
}
