using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace TransportPerf;

/// <summary>What both sides of TransportPerf have in common on the main thread.</summary>
internal abstract class TransportRole : ToolRole
{
    // Between two collections.
    private const int LatencyRecordsKept = 1 << 20;

    private readonly TransportPlan[] _plans;
    private ConnectionEnd? _firstUnorderly;
    private long _endNanos = long.MaxValue;

    private protected TransportRole(TransportPerfOptions options)
        : base(CreateWorkers(options), TransportPerfReport.Create(Environment.ProcessId))
    {
        Options = options;
        _plans = [.. Workers.Select((_, i) => new TransportPlan(options, i))];
    }

    public override long? EndNanos => _endNanos;

    public override IEnumerable<string> Notes => Options.Connection is { UsesTls: true, Tls.SkipCertificateCheck: true }
        ? ["Certificate check: off (-insecureSkipCertCheck)"]
        : [];

    private protected TransportPerfOptions Options { get; }

    public static TransportRole Create(TransportPerfOptions options, RunConsole console) =>
        options.Connection.IsServer ? new ServerRole(options, console) : new ClientRole(options);

    public override void Begin(RunConsole console, long nowNanos) => _endNanos = nowNanos + (Options.RunSeconds * Clock.NanosPerSecond);

    public override RunOutcome Complete(RunOutcome outcome)
    {
        TakeEnds();
        string? notComparable = _firstUnorderly?.Text
            ?? (_plans.Any(plan => plan.AnyCut) ? "the peer did not end its stream within 3 s" : null);
        return outcome with { NotComparableReason = notComparable };
    }

    private protected bool IsTimeOver(long nowNanos) => nowNanos >= _endNanos;

    private protected TransportPlan PlanOf(Worker worker) => _plans[worker.Options.Number];

    private protected bool HasEnds => _plans.Any(plan => !plan.Ends.IsEmpty);

    /// <summary>Takes notice of connections that have ended since the last call.</summary>
    private protected void TakeEnds()
    {
        foreach (TransportPlan plan in _plans)
        {
            while (plan.Ends.TryDequeue(out ConnectionEnd? end))
            {
                _firstUnorderly ??= end.IsOrderly ? null : end;
                Note(end);
            }
        }
    }

    private protected abstract void Note(ConnectionEnd end);

    /// <summary>The protocol that the tool names in a plain or encrypted handshake; over WebSocket the sub-protocol says what the messages are.</summary>
    private protected T WithProtocol<T>(T options)
        where T : ChannelOptions => Options.Connection.UsesWebSocket
            ? options
            : (T)(ChannelOptions)(options with { ProtocolType = RsslProtocol.TransportPerf, MajorVersion = 0, MinorVersion = 0 });

    private static Worker[] CreateWorkers(TransportPerfOptions options)
    {
        Worker[] workers = new Worker[options.Run.Threads.Count];
        for (int i = 0; i < workers.Length; i++)
        {
            WorkerRecording recording = new(LatencyUnit.Nanoseconds)
            {
                LatencyRecords = options.Run.LatencyFile is null ? null : new RecordRing<LatencyRecord>(LatencyRecordsKept),
            };
            recording.Measure(Series.Messages, LatencyUnit.Nanoseconds);
            WorkerOptions worker = new() { Number = i, TickRate = options.Run.TickRate, BusyRead = options.Run.BusyRead };
            workers[i] = new Worker(worker, recording);
        }

        return workers;
    }
}
