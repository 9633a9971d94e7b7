using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Reactor;

/// <summary>
/// Runs sessions on one thread and reconnects those whose connection is lost: consumers and non-interactive providers that connect,
/// providers that listen.
/// </summary>
/// <remarks>
/// Either call <see cref="Dispatch"/> repeatedly, or <see cref="Start"/> a thread for it. That thread calls the handlers. Add sessions
/// before the first <see cref="Dispatch"/> or <see cref="Start"/>, or in a handler. <see cref="RequestEnd"/> and
/// <see cref="HasEnded"/> may be called by any thread, and <see cref="Execute"/> for what belongs to the reactor's.
/// </remarks>
public sealed class Reactor : IDisposable
{
    private static readonly TimeSpan MaxLook = TimeSpan.FromMilliseconds(10);

    private readonly RecoveryOptions? _recovery; // null: its worker runs alone, and what is lost stays lost
    private readonly List<Served> _served = [];
    private readonly Worker _worker;
    private long _nextAcceptNanos;
    private Thread? _thread;
    private Exception? _defect;

    /// <summary>Creates a reactor without sessions.</summary>
    /// <param name="recovery">Recovery of lost connections and items; null for the defaults.</param>
    /// <param name="options">Tick rate, busy reading, receiver of notices; null for the defaults.</param>
    public Reactor(RecoveryOptions? recovery = null, WorkerOptions? options = null)
        : this(recovery ?? new(), new Worker(options ?? new()))
    {
    }

    /// <param name="recovery">Recovery of lost connections and items; null for none.</param>
    /// <param name="worker">The worker whose thread is used.</param>
    internal Reactor(RecoveryOptions? recovery, Worker worker)
    {
        recovery?.Check();
        (_recovery, _worker) = (recovery, worker);
    }

    /// <summary>True once the end was requested and every connection is closed.</summary>
    public bool HasEnded => _worker.HasEnded;

    /// <summary>True when it is dispatched, with everything that its sessions need; false when its worker runs alone.</summary>
    internal bool IsDispatched => _recovery is not null;

    /// <summary>Creates a reactor that uses a worker, whose recording then has its counts, samples and moments.</summary>
    /// <param name="worker">The worker whose thread is used; it must have no connections yet.</param>
    /// <param name="recovery">Recovery of lost connections and items; null for none.</param>
    public static Reactor On(Worker worker, RecoveryOptions? recovery)
    {
        ArgumentNullException.ThrowIfNull(worker);
        return new Reactor(recovery, worker);
    }

    /// <summary>Adds a consumer.</summary>
    /// <param name="options">Its requests, repeated each time it connects.</param>
    /// <param name="handler">Handles the events; its items keep their numbers.</param>
    /// <param name="connect">Address of the provider.</param>
    public RecoveringConsumer Consume(ConsumerSessionOptions options, ConsumerHandler handler, ConnectOptions connect)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(handler);
        ArgumentNullException.ThrowIfNull(connect);
        return new RecoveringConsumer(_worker, options, handler, connect, _recovery);
    }

    /// <summary>Adds a consumer of two servers, one of them a standby.</summary>
    /// <param name="options">Its requests to each server.</param>
    /// <param name="handler">Handles the events of the active server.</param>
    /// <param name="servers">First the server that starts as active, then the other.</param>
    /// <param name="mode">The condition of a switch.</param>
    public StandbyConsumer Consume(ConsumerSessionOptions options, ConsumerHandler handler, (ConnectOptions Starting, ConnectOptions Other) servers,
        StandbyMode mode)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(handler);
        ArgumentNullException.ThrowIfNull(servers.Starting, nameof(servers));
        ArgumentNullException.ThrowIfNull(servers.Other, nameof(servers));
        return new(_worker, options, handler, servers, mode, _recovery ?? new());
    }

    /// <summary>Adds a non-interactive provider.</summary>
    /// <param name="options">Items that it publishes each time it connects.</param>
    /// <param name="handler">Supplies the content of its messages; its items keep their numbers.</param>
    /// <param name="connect">Address of the hub.</param>
    public RecoveringPublisher Publish(PublisherSessionOptions options, PublisherHandler handler, ConnectOptions connect)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(handler);
        ArgumentNullException.ThrowIfNull(connect);
        return new RecoveringPublisher(_worker, options, handler, connect, _recovery);
    }

    /// <summary>Adds a provider that listens; each connection gets a separate handler.</summary>
    /// <param name="options">Its service and items.</param>
    /// <param name="createHandler">Creates the handler of a connection.</param>
    /// <param name="listen">Where it listens; port 0 for any free port.</param>
    /// <returns>The port.</returns>
    /// <exception cref="SetupException">The port is not available.</exception>
    public int Provide(ProviderSessionOptions options, Func<ProviderHandler> createHandler, ListenOptions listen)
    {
        ArgumentNullException.ThrowIfNull(createHandler);
        return Provide(options, _ => createHandler(), listen, [this]);
    }

    /// <summary>
    /// Adds a provider that listens here and whose connections several reactors share: each connection is assigned to the reactor that serves
    /// the fewest, and gets a separate handler.
    /// </summary>
    /// <param name="options">Its service and items.</param>
    /// <param name="createHandler">Creates the handler of a connection, given the reactor that serves it; on this one's thread.</param>
    /// <param name="listen">Where it listens; port 0 for any free port.</param>
    /// <param name="serving">The serving reactors; this one, which accepts, may be among them.</param>
    /// <returns>The port.</returns>
    /// <exception cref="SetupException">The port is not available.</exception>
    public int Provide(
        ProviderSessionOptions options, Func<Reactor, ProviderHandler> createHandler, ListenOptions listen, IReadOnlyList<Reactor> serving)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(createHandler);
        ArgumentNullException.ThrowIfNull(listen);
        ArgumentNullException.ThrowIfNull(serving);
        Dictionary<Worker, Reactor> reactors = serving.ToDictionary(reactor => reactor._worker);
        WorkerListener listener = new(listen);
        _served.Add(new(listener, [.. reactors.Keys], worker => new ProviderSession(options, createHandler(reactors[worker]))));
        return listener.Port;
    }

    /// <summary>
    /// Accepts, does the work that is due, waits for bytes, and notifies the handlers; it rethrows their exceptions.
    /// </summary>
    /// <param name="limit">The longest wait; 0 for none.</param>
    public void Dispatch(TimeSpan limit)
    {
        if (_served.Count > 0)
            AcceptWhenDue();
        if (!_worker.HasEnded)
            _worker.Turn(_worker.Time.NowNanos + (long)(Limit(limit).TotalSeconds * Clock.NanosPerSecond));
    }

    /// <summary>Dispatches on a dedicated thread until the end.</summary>
    public void Start() => StartOn(ThreadBinding.Unbound);

    /// <summary>Runs until the end, on the calling thread or on a dedicated one that it waits for; rethrows an exception of a handler.</summary>
    /// <param name="processor">Processor of the dedicated thread, or <see cref="ThreadBinding.Unbound"/>; null for the calling thread.</param>
    public void Run(int? processor = null)
    {
        if (!IsDispatched)
        {
            _worker.Run();
        }
        else if (processor is null)
        {
            DispatchToEnd();
        }
        else
        {
            StartOn(processor.Value);
            Join(Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>
    /// Executes an action on the reactor's thread, in its next turn: to subscribe to items, for example. Any thread, until the reactor is disposed;
    /// without effect once it has ended.
    /// </summary>
    /// <param name="action">The action; its exceptions are those of a handler.</param>
    public void Execute(Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        _worker.Poller.Run(_ => action());
    }

    /// <summary>Requests the end: queued messages are sent, our streams end, the peers' streams are read to their end (3 s at most).</summary>
    public void RequestEnd() => _worker.RequestEnd();

    /// <summary>Waits for the end of the thread that <see cref="Start"/> started; rethrows an exception of a handler.</summary>
    /// <param name="limit">The longest wait.</param>
    /// <returns>False when it has not ended by then.</returns>
    public bool Join(TimeSpan limit)
    {
        if (_thread?.Join(limit) == false)
            return false;
        return _defect is null ? true : throw new InvalidOperationException("A handler threw an exception.", _defect);
    }

    /// <summary>Closes every connection immediately. The thread must have ended.</summary>
    public void Dispose()
    {
        _worker.Dispose();
        foreach (Served served in _served)
            served.Listener.Dispose();
    }

    /// <summary>Waits for connections and accepts those that are pending, where one thread accepts and another dispatches.</summary>
    /// <param name="limit">The longest wait; 0 for none.</param>
    /// <param name="stop">Ends it early between two connections.</param>
    public void Accept(TimeSpan limit, CancellationToken stop = default)
    {
        foreach (Served served in _served)
            served.Listener.Accept(limit, served.Workers, served.Create, stop);
    }

    private void StartOn(int processor)
    {
        _thread = new Thread(() => RunOn(processor)) { IsBackground = true, Name = "reactor" };
        _thread.Start();
    }

    private void RunOn(int processor)
    {
        try
        {
            if (!ThreadBinding.TryBindCurrentThread(processor))
                throw new InvalidOperationException($"the thread cannot be bound to CPU {processor}");
            DispatchToEnd();
        }
        catch (Exception defect) when (Keep(defect))
        {
        }
    }

    private void DispatchToEnd()
    {
        while (!HasEnded)
            Dispatch(TimeSpan.FromSeconds(1));
    }

    private bool Keep(Exception defect)
    {
        _defect = defect;
        _worker.RecordDefect(_worker.Time.NowNanos); // the counts so far remain, and end here
        return true;
    }

    // Checking for connections is a system call, so it is done less often than turns.
    private void AcceptWhenDue()
    {
        long now = _worker.Time.NowNanos;
        if (now < _nextAcceptNanos || _worker.IsEndRequested)
            return;
        _nextAcceptNanos = now + RecoveryPace.Nanos(MaxLook);
        Accept(TimeSpan.Zero);
    }

    // A connection may arrive at any time.
    private TimeSpan Limit(TimeSpan asked) => _served.Count > 0 && asked > MaxLook ? MaxLook : asked;

    private sealed record Served(WorkerListener Listener, IReadOnlyList<Worker> Workers, Func<Worker, Connection> Create);
}
