using System.Collections.Concurrent;
using System.Globalization;
using PerfCommon;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>TransportPerf's part of a run: listens or connects, and judges how connections ended.</summary>
/// <remarks>A client's first lost connection ends its run. A server ends with its last client, and survives faulty ones.</remarks>
internal sealed class TransportPerfRole : ToolRole
{
    // Another client may follow one that disappeared; then the server continues.
    private const long NextClientNanos = 10 * Clock.NanosPerSecond;

    // A connection that was just given to a worker may be the next client; one that stays silent longer delays nothing.
    private const long NewcomerNanos = Clock.NanosPerSecond;

    private readonly TransportPerfOptions _options;
    private readonly RunConsole _console;
    private readonly BurstPlan[] _messages;
    private readonly ConcurrentQueue<TransportPeer> _ended = new();
    private readonly WorkerListener? _listener; // only of a server
    private readonly List<Dialer> _dialers = []; // only of a client
    private TransportPeer? _firstEnded;
    private TransportPeer? _firstUnorderly;
    private TransportPeer? _firstLoss;
    private TransportPeer? _lastClient;
    private long _lastClientNanos;
    private int _badClients;
    private bool _anyCut;
    private long _endNanos = long.MaxValue;

    /// <exception cref="SetupException">
    /// The port cannot be bound, a password or certificate file cannot be used, or the clock of the peer's host does not answer.
    /// </exception>
    public TransportPerfRole(TransportPerfOptions options, RunConsole console, RunSignals? signals = null)
        : base(CreateWorkers(options.Run, () => CreateRecording(options)), TransportPerfReport.Create(options, Environment.ProcessId))
    {
        (_options, _console) = (options, console);
        _messages = [.. Workers.Select(worker => CreateMessages(options, worker.Options.Number))];
        Settings = options.Sends ? TransportPerfSettings.Create(options, _messages) : null;
        SenderClock = SenderClock.Open(options.SenderClock, signals?.StopRequested ?? CancellationToken.None, Series.Messages);
        SenderClock?.Hold(Workers);
        ConnectionOptions connection = NameProtocol(options.Connection);
        if (connection.IsServer)
        {
            _listener = new WorkerListener(connection.ForServer("TransportPerf"));
            return;
        }

        ConnectOptions connect = connection.ForClient("TransportPerf");
        _dialers.AddRange(Enumerable.Range(0, options.CountConnections).Select(number => Workers[number % Workers.Count])
            .Select(worker => worker.Connect(CreatePeer(worker), connect, givesUpWhenRefused: true)));
    }

    public override RoleSettings? Settings { get; }

    public override long? EndNanos => _endNanos;

    public override IEnumerable<string> Notes
    {
        get
        {
            if (_options.Connection is { UsesTls: true, Tls.SkipCertificateCheck: true })
                yield return "Certificate check: off (-insecureSkipCertCheck)";
            if (_badClients > 0)
                yield return string.Create(CultureInfo.InvariantCulture, $"Connections ended out of order: {_badClients}");
        }
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        SenderClock?.Begin(console.WriteLine);
        _endNanos = (SenderClock is null ? nowNanos : Clock.NowNanos) + (_options.RunSeconds * Clock.NanosPerSecond);
        if (_listener is not null)
            console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Listening on port {_listener.Port}"));
    }

    public override void RunTurn(TimeSpan limit, CancellationToken stop)
    {
        if (_listener is null)
            base.RunTurn(limit, stop);
        else
            _listener.Accept(limit, Workers, CreatePeer, stop);
        DequeueEnded();
    }

    public override RunOutcome? FindEnd(long nowNanos) => _listener is null ? FindClientEnd(nowNanos) : FindServerEnd(nowNanos);

    public override RunOutcome Complete(RunOutcome outcome)
    {
        DequeueEnded();
        if (outcome.Code == ExitCode.Success && _firstLoss is not null)
            outcome = outcome with { Code = ExitCode.Incomplete, Reason = $"verification failed: {_firstLoss.EndText}" };
        SenderClock?.Complete();
        outcome = SenderClock.Judge(outcome, Workers.Sum(worker => worker.Recording.Counters[Counter.BeyondBound]));
        return outcome with
        {
            NotComparableReason = _firstUnorderly?.EndText ?? (_anyCut ? "the peer did not end its stream within 3 s" : null),
        };
    }

    public override void Dispose()
    {
        _listener?.Dispose();
        base.Dispose();
    }

    /// <summary>Creates the recording of a worker.</summary>
    internal static WorkerRecording CreateRecording(TransportPerfOptions options)
    {
        WorkerRecording recording = CreateRecording(options.Run, LatencyUnit.Nanoseconds);
        recording.Measure(Series.Messages, LatencyUnit.Nanoseconds);
        return recording;
    }

    /// <summary>Plans the messages that a worker sends: none when the side only reflects.</summary>
    internal static BurstPlan CreateMessages(TransportPerfOptions options, int worker)
    {
        int rate = options.Reflect ? 0 : options.MsgRate;
        int stampRate = options.LatencyMsgRate.All ? StampCells.All : Math.Min(options.LatencyMsgRate.PerSecond, rate);
        return new(
            MessageKind.Opaque, rate, stampRate, options.Run.TickRate, seed: worker + 1, LatencyUnit.Nanoseconds,
            options.Run.StampsDue)
        {
            Profile = options.Run.RateProfile,
            MayChange = options.Sends && options.Control.TakesChanges, // a side that only receives has no ticks
        };
    }

    // Only in a plain or encrypted handshake; over WebSocket the sub-protocol names the message format.
    private static ConnectionOptions NameProtocol(ConnectionOptions connection) => connection.UsesWebSocket
        ? connection
        : connection.ChangeChannel(o => o with { ProtocolType = RsslProtocol.TransportPerf, MajorVersion = 0, MinorVersion = 0 });

    private TransportPeer CreatePeer(Worker worker) => new(_options, _messages[worker.Options.Number], _ended, SenderClock?.Peer);

    private RunOutcome? FindClientEnd(long nowNanos)
    {
        if (_firstEnded is not null)
            return new RunOutcome(ExitCode.Incomplete, $"connection lost: {_firstEnded.EndText}");
        if (FindRefusal(_dialers.Select(dialer => dialer.GaveUp)) is { } refusal)
            return refusal;
        if (nowNanos < _endNanos)
            return null;
        if (Workers.Sum(worker => worker.OpenConnections) >= _dialers.Count)
            return RunOutcome.Success;
        Dialer missing = _dialers.Find(dialer => !dialer.Connection.IsOpen) ?? _dialers[0];
        return new RunOutcome(ExitCode.NotStarted, $"not connected within the run time: {missing.Problem}");
    }

    private RunOutcome? FindServerEnd(long nowNanos)
    {
        if (nowNanos >= _endNanos)
            return RunOutcome.Success;
        if (_lastClient is null || Workers.Any(worker => worker.OpenConnections > 0) || !_ended.IsEmpty)
            return null;
        long sinceNanos = nowNanos - _lastClientNanos;
        if (sinceNanos < NewcomerNanos && Workers.Any(worker => worker.ServedConnections > 0))
            return null;
        if (_lastClient.IsOrderly)
            return new RunOutcome(ExitCode.Success, "the last client left");
        return sinceNanos < NextClientNanos
            ? null
            : new RunOutcome(ExitCode.Incomplete, $"the last client was lost: {_lastClient.EndText}");
    }

    private void DequeueEnded()
    {
        while (_ended.TryDequeue(out TransportPeer? peer))
        {
            if (peer.WasCut)
                _anyCut = true;
            else
                RecordEnd(peer);
        }
    }

    private void RecordEnd(TransportPeer peer)
    {
        _firstEnded ??= peer;
        if (peer.WasPartner)
            (_lastClient, _lastClientNanos) = (peer, Clock.NowNanos);
        if (peer.IsOrderly)
            return;
        _firstUnorderly ??= peer;
        if (_listener is null)
            return;
        _firstLoss ??= peer.LostMessages ? peer : null;
        _badClients++;
        _console.WriteLine($"Connection ended: {peer.EndText}");
    }
}
