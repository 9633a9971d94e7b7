using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>ProvPerf's part of a run: accepts consumers, gives each to the worker with the fewest, and ends when its run time elapses.</summary>
internal sealed class ProvPerfRole : ToolRole
{
    /// <summary>Name of the item that lists the others.</summary>
    public const string SymbolListName = "_ITEMS";

    private readonly ProvPerfOptions _options;
    private readonly MessageData _messages;
    private readonly UpdateSource _updates;
    private readonly ProviderSessionOptions _session;
    private readonly FieldDictionary _dictionary;
    private readonly ProviderPlan[] _plans;
    private readonly ItemList _symbols;
    private readonly Reactor[] _reactors; // of the workers
    private readonly int _port;
    private long _endNanos = long.MaxValue;

    private ProvPerfRole(
        ProvPerfOptions options, FieldDictionary dictionary, MessageData messages, SizedMessages? sized, ItemList symbols)
        : base(CreateWorkers(options.Run, () => CreateRecording(options), options.Session.MaxDispatch), ProvPerfReport.Create(options))
    {
        _options = options;
        RecoveryOptions? recovery = options.Session.Reactor ? new RecoveryOptions() : null;
        _reactors = [.. Workers.Select(worker => Reactor.On(worker, recovery))];
        _messages = messages;
        _updates = new UpdateSource(messages, options.PreEncoded, sized);
        _dictionary = dictionary;
        _plans = [.. Workers.Select(worker => ProviderPlan.Of(options, worker.Options.Number))];
        ProviderSessionOptions session = CreateSession(options, dictionary);
        _session = session with { Service = session.Service with { HasOrderBooks = messages.HasOrderBooks } };
        _symbols = symbols;
        Settings = ProvPerfSettings.Create(options, [.. _plans.Select(plan => plan.Updates)], _updates);
        _port = _reactors[0].Provide(_session, CreateLoad, options.Connection.ForServer("ProvPerf"), _reactors);
    }

    public override string WorkerWord => "Thread";

    public override long? EndNanos => _endNanos;

    public override RoleSettings Settings { get; }

    /// <summary>Loads the inputs and binds the port.</summary>
    /// <exception cref="SetupException">An input file cannot be used, or the port cannot be bound.</exception>
    public static ProvPerfRole Create(ProvPerfOptions options)
    {
        FieldDictionary dictionary = FoundDictionary.Load(options.Session);
        SizedMessages? sized = options.UpdateSize is { } size ? new SizedMessages(size.Bytes, size.Fields) : null;
        MessageData messages = sized?.Messages ?? MessageData.Load(options.MsgFile, dictionary);
        if (options.GenericMsgRate > 0)
            messages.RequireGenerics();
        return new ProvPerfRole(options, dictionary, messages, sized, LoadSymbols(options));
    }

    public override void Begin(RunConsole console, long nowNanos)
    {
        foreach (string warning in _messages.Warnings)
            console.WriteLine($"Warning: {warning}");
        console.Write(writer => MessageSizes.WriteOfProvider(writer, _messages));
        console.WriteLine($"Listening on port {_port}");
        RunWarmUp(_options, _session, _messages, _updates); // consumers that connect meanwhile wait in the kernel's accept queue until it ends, some 10 ms
        _endNanos = Clock.NowNanos + (_options.RunSeconds * Clock.NanosPerSecond);
    }

    // A reactor accepts connections itself.
    public override void RunTurn(TimeSpan limit, CancellationToken stop)
    {
        if (_options.Session.Reactor)
            base.RunTurn(limit, stop);
        else
            _reactors[0].Accept(limit, stop);
    }

    public override void RunWorker(int worker) => _reactors[worker].Run(_options.Session.ReactorProcessorOf(worker));

    public override RunOutcome? FindEnd(long nowNanos) =>
        nowNanos >= _endNanos ? new RunOutcome(ExitCode.Success, "run time expired") : null;

    public override RunOutcome Complete(RunOutcome outcome) =>
        Workers.Any(worker => worker.Recording.AnyBroken) ? outcome with { NotComparableReason = "a connection broke" } : outcome;

    public override void Dispose()
    {
        _reactors[0].Dispose(); // it owns the port
        base.Dispose();
    }

    internal static ProviderSessionOptions CreateSession(ProvPerfOptions options, FieldDictionary dictionary) => new()
    {
        Offer = LoginOffer.OfThisProcess() with
        {
            ApplicationName = "ProvPerf",
            SupportOmmPost = true,
            RoundTripLatency = options.Session.RoundTrips,
        },
        Service = new ServiceOffer
        {
            Name = options.ServiceName,
            Id = (ushort)options.ServiceId,
            OpenLimit = (ulong)options.OpenLimit,
            Announced = options.Capabilities,
            SymbolList = SymbolListName,
        },
        Dictionary = dictionary,
        MaxPackCount = options.MaxPackCount,
        PackBufferBytes = options.PackBufferBytes,
        RefreshBurstSize = options.RefreshBurstSize,
        LoginOptional = options.LoginOptional,
    };

    /// <summary>Sends built-in messages for some 10 ms with a provider of the default options, so that its code is compiled.</summary>
    internal static void RunWarmUp()
    {
        ProvPerfOptions options = new();
        FieldDictionary dictionary = FieldDictionary.Default;
        MessageData messages = MessageData.Default(dictionary);
        MessageSizes.WriteOfProvider(TextWriter.Null, messages); // this and the report are written before the run listens
        ProvPerfReport.Create(options);
        RunWarmUp(options, CreateSession(options, dictionary), messages, new UpdateSource(messages));
    }

    /// <summary>Creates the recording of a worker.</summary>
    internal static WorkerRecording CreateRecording(ProvPerfOptions options)
    {
        WorkerRecording recording = CreateRecording(options.Run);
        recording.Measure(Series.Generic, options.Session.StampUnit());
        if (options.Session.RoundTrips)
            recording.Measure(Series.RoundTrips, LatencyUnit.Nanoseconds);
        if (options.MeasureEncode)
            recording.Measure(Series.Encoding, LatencyUnit.Nanoseconds);
        return recording;
    }

    private ProviderLoad CreateLoad(Reactor reactor) => new(_messages, _updates, _plans[Array.IndexOf(_reactors, reactor)], _dictionary, _symbols);

    private static ItemList LoadSymbols(ProvPerfOptions options) => options.ItemFile is { } file
        ? ItemList.Load(file, options.ItemCount) : ItemList.CreateNumbered("RDT", options.ItemCount);

    private static void RunWarmUp(ProvPerfOptions options, ProviderSessionOptions session, MessageData messages, UpdateSource updates)
    {
        options = options with { Run = options.Run with { LatencyFile = null } };
        ProviderLoad load = new(messages, updates, ProviderPlan.Of(options, worker: 0), session.Dictionary);
        SessionWarmUp.Provider(session, load, CreateRecording(options));
    }
}
