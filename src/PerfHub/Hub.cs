using PerfCommon;
using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.FanOut;
using PerfHub.Memory;
using PerfHub.Services;

namespace PerfHub;

/// <summary>
/// A distribution hub in this process. Publishers send it images and updates, consumers subscribe: each receives the image of an item, then
/// its updates.
/// </summary>
/// <remarks>
/// Its threads run from its start until it is stopped. A process may have any number of hubs, each with its ports. Any thread may call any member.
/// </remarks>
public sealed class Hub : IAsyncDisposable
{
    private const string Name = "PerfHub";
    private const int MaxLooks = 1_000; // for the answer of a thread, each after a pause

    private static readonly TimeSpan LookPause = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan AcceptWait = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(10); // queued messages are sent within 3 s, or never

    private readonly Worker[] _workers;
    private readonly HubThreads _threads;
    private readonly HubPorts _ports;
    private readonly CancellationTokenSource _ending = new();
    private readonly SemaphoreSlim _collecting = new(1, 1);
    private readonly Lock _stopLock = new();
    private readonly Task[] _running; // the tasks of the workers, in their order
    private readonly Task _accepting;
    private Task? _stopping;
    private volatile bool _hasStopped;

    private Hub(HubOptions options, HubPorts ports)
    {
        _ports = ports;
        ConnectionMeter.Start();
        _workers = [.. Enumerable.Range(0, options.Threads).Select(number => new Worker(
            new WorkerOptions { Number = number }, HubThreads.CreateRecording(options.OnNotice ?? (static _ => { }))))];
        HubSettings settings = CreateSettings(options);
        _threads = new HubThreads(settings, settings.CreateSourceSettings(), _workers, _workers);
        _threads.AddServices(options.Services.Select(
            (name, i) => new ServiceOffer { Name = name, Id = (ushort)(i + 1), HasOrderBooks = true }));
        // the hub itself requests lost items again
        LoginIdentity identity = LoginIdentity.OfThisProcess() with { ApplicationName = Name, SingleOpen = false };
        foreach (ConnectOptions upstream in options.Upstreams)
            _threads.AddUpstream(new(upstream, ServiceName: null, identity, options.Dictionary));
        _running = [.. _workers.Select(worker => StartThread(() => worker.Run()))];
        _accepting = StartThread(Accept);
    }

    /// <summary>Port for consumers.</summary>
    public int ConsumerPort => _ports.ConsumerPort;

    /// <summary>Port for publishers.</summary>
    public int PublisherPort => _ports.PublisherPort;

    /// <summary>Starts a hub; it listens when the task is complete.</summary>
    /// <param name="options">Where the hub listens, and what it distributes.</param>
    /// <exception cref="SetupException">The options contradict each other, or a port cannot be bound.</exception>
    public static Task<Hub> StartAsync(HubOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Task.Run(() => Start(options));
    }

    /// <summary>Returns the hub's state and counts; after its end the last ones.</summary>
    /// <remarks>
    /// Queries its threads, which answer between two batches of messages. Samples of a thread that does not answer within a second are part of a
    /// later snapshot.
    /// </remarks>
    public async Task<HubSnapshot> SnapshotAsync()
    {
        if (_hasStopped)
            return CreateSnapshot();
        await _collecting.WaitAsync().ConfigureAwait(false);
        try
        {
            if (!_hasStopped)
                await CollectAsync().ConfigureAwait(false);
            return CreateSnapshot();
        }
        finally
        {
            _collecting.Release();
        }
    }

    /// <summary>
    /// Stops the hub in good order: its ports are closed, publishers are disconnected, queued messages are sent, then consumers are disconnected.
    /// </summary>
    /// <exception cref="InvalidOperationException">One of its threads had failed.</exception>
    /// <exception cref="TimeoutException">One of its threads did not end within 10 s.</exception>
    public Task StopAsync()
    {
        lock (_stopLock)
            return _stopping ??= StopOnceAsync();
    }

    /// <summary>Stops the hub as <see cref="StopAsync"/> does; its ports are free then.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await StopAsync().ConfigureAwait(false);
        }
        finally
        {
            _ending.Dispose();
            _collecting.Dispose();
        }
    }

    private static Hub Start(HubOptions options)
    {
        if (options.FindProblem() is { } problem)
            throw new SetupException(SetupProblem.CommandLine, problem);
        ListenOptions listen = new()
        {
            Port = options.ConsumerPort,
            InterfaceName = options.InterfaceName,
            OutputBuffers = HubSettings.UsualOutputBuffers,
            ComponentVersion = Name,
        };
        HubPorts ports = new(listen, options.HasOnePort ? null : options.PublisherPort);
        try
        {
            return new Hub(options, ports);
        }
        catch
        {
            ports.Dispose();
            throw;
        }
    }

    // The process's memory is not the hub's: no memory limit delays its sources.
    private static HubSettings CreateSettings(HubOptions options) => new()
    {
        Services = new ServiceTable(domains: DomainLimit.None),
        Offer = HubSettings.CreateOffer(Name),
        Dictionary = options.Dictionary,
        Memory = new HubMemory(static () => 0),
        TakesPublishers = options.HasOnePort,
        Slow = options.SlowConsumers,
        MaxQueueBytes = options.MaxQueueBytes,
        Tuning = new HubTuning { ThrottleNanos = options.Throttle.Ticks * TimeSpan.NanosecondsPerTick },
    };

    private static Task StartThread(Action body) =>
        Task.Factory.StartNew(body, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private HubSnapshot CreateSnapshot() => new([.. _workers.Select(worker => worker.Recording)]);

    private void Accept()
    {
        while (!_ending.IsCancellationRequested)
            _ports.Accept(AcceptWait, _threads, _ending.Token);
    }

    private async Task CollectAsync()
    {
        foreach (Worker worker in _workers)
        {
            worker.Recording.RequestInterval();
            worker.Wake();
        }

        for (int i = 0; i < _workers.Length; i++)
        {
            for (int look = 0; !_workers[i].Recording.TryCollect(out _) && !_running[i].IsCompleted && look < MaxLooks; look++)
                await Task.Delay(LookPause).ConfigureAwait(false);
        }
    }

    private async Task StopOnceAsync()
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ports.Dispose();
        foreach (Worker worker in _workers)
            worker.RequestEnd();
        Task ended = Task.WhenAll([_accepting, .. _running]);
        await Task.WhenAny(ended, Task.Delay(StopLimit)).ConfigureAwait(false);
        Exception? defect = _running.Append(_accepting).FirstOrDefault(thread => thread.IsFaulted)?.Exception?.InnerException;
        if (ended.IsCompleted)
            await ReleaseAsync().ConfigureAwait(false);
        if (defect is not null)
            throw new InvalidOperationException("A thread of the hub failed.", defect);
        if (!ended.IsCompleted)
            throw new TimeoutException($"A thread of the hub did not end within {StopLimit.TotalSeconds} s.");
    }

    // The threads have ended: only their recordings are kept.
    private async Task ReleaseAsync()
    {
        await _collecting.WaitAsync().ConfigureAwait(false);
        _hasStopped = true;
        foreach (Worker worker in _workers)
        {
            worker.Recording.CollectRest();
            worker.Release();
        }

        _collecting.Release();
    }
}
