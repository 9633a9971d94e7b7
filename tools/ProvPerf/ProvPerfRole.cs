using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>ProvPerf's part of a run: accepts consumers, gives each to the worker with the fewest, and ends with its run time.</summary>
internal sealed class ProvPerfRole : ToolRole
{
    private readonly ProvPerfOptions _options;
    private readonly MessageData _messages;
    private readonly ProviderSessionOptions _session;
    private readonly BurstPlan[] _updates;
    private readonly WorkerListener _listener;
    private long _endNanos = long.MaxValue;

    private ProvPerfRole(ProvPerfOptions options, FieldDictionary dictionary, MessageData messages, WorkerListener listener)
        : base(CreateWorkers(options.Run, () => new WorkerRecording()), ProvPerfReport.Create(options))
    {
        _options = options;
        _listener = listener;
        _messages = messages;
        _updates = [.. Workers.Select(worker => CreateUpdates(options, worker.Options.Number))];
        _session = CreateSession(options, dictionary);
    }

    public override string WorkerWord => "Thread";

    public override long? EndNanos => _endNanos;

    /// <summary>Loads the inputs and binds the port.</summary>
    /// <exception cref="SetupException">An input file cannot be used, or the port cannot be had.</exception>
    public static ProvPerfRole Create(ProvPerfOptions options)
    {
        FieldDictionary dictionary = LoadDictionary(options);
        MessageData messages = MessageData.Load(options.MsgFile, dictionary);
        return new ProvPerfRole(options, dictionary, messages, new WorkerListener(options.Connection.ForServer("ProvPerf")));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        foreach (string warning in _messages.Warnings)
            console.WriteLine($"Warning: {warning}");
        console.Write(writer => MessageSize.WriteBlock(writer, _messages.ProviderSizes()));
        RunWarmUp(_session, _messages, _updates[0]);
        console.WriteLine($"Listening on port {_listener.Port}");
        _endNanos = Clock.NowNanos + (_options.RunSeconds * Clock.NanosPerSecond);
    }

    public override void TakeTurn(TimeSpan limit, CancellationToken stop) => _listener.Accept(
        limit, Workers, worker => new ProviderSession(_session, new ProviderLoad(_messages, _updates[worker.Options.Number])), stop);

    public override RunOutcome? FindEnd(long nowNanos) =>
        nowNanos >= _endNanos ? new RunOutcome(ExitCode.Success, "run time expired") : null;

    public override RunOutcome Complete(RunOutcome outcome) =>
        Workers.Any(worker => worker.Recording.AnyBroken) ? outcome with { NotComparableReason = "a connection broke" } : outcome;

    public override void Dispose()
    {
        _listener.Dispose();
        base.Dispose();
    }

    internal static ProviderSessionOptions CreateSession(ProvPerfOptions options, FieldDictionary dictionary) => new()
    {
        Offer = new LoginOffer { ApplicationName = "ProvPerf", Position = LoginPosition.FindLocal() },
        Service = new ServiceOffer { Name = options.ServiceName, Id = (ushort)options.ServiceId, OpenLimit = (ulong)options.OpenLimit },
        Dictionary = dictionary,
        MaxPackCount = options.MaxPackCount,
        PackBufferBytes = options.PackBufferBytes,
        RefreshBurstSize = options.RefreshBurstSize,
    };

    /// <summary>Has a provider of the default options send for some 10 ms, messages of our own.</summary>
    internal static void RunWarmUp()
    {
        ProvPerfOptions options = new();
        FieldDictionary dictionary = FieldDictionary.Default;
        RunWarmUp(CreateSession(options, dictionary), MessageData.Default(dictionary), CreateUpdates(options, worker: 0));
    }

    /// <summary>The updates of each connection of a worker, which is numbered from 0.</summary>
    internal static BurstPlan CreateUpdates(ProvPerfOptions options, int worker)
    {
        int stampRate = options.LatencyUpdateRate.All ? StampCells.All : options.LatencyUpdateRate.PerSecond;
        return new(
            MessageKind.Update, options.UpdateRate, stampRate, options.Run.TickRate, seed: worker + 1,
            options.Session.NanoTime ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds, options.Run.StampsDue);
    }

    private static void RunWarmUp(ProviderSessionOptions session, MessageData messages, BurstPlan updates) =>
        WarmUp.Provider(session, new ProviderLoad(messages, updates), new WorkerRecording());

    /// <summary>The dictionary of the options, or the program's own.</summary>
    /// <exception cref="SetupException">A file that is named is missing or cannot be used.</exception>
    internal static FieldDictionary LoadDictionary(ProvPerfOptions options)
    {
        DictionaryFiles files = DictionaryFiles.Find(
            options.Session.FieldDictionary, options.Session.EnumDictionary, Environment.CurrentDirectory, AppContext.BaseDirectory);
        return files.Load();
    }
}
