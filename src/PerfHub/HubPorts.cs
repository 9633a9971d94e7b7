using PerfCommon;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfHub;

/// <summary>The ports of a hub: one for consumers, and one for publishers unless that of the consumers serves both. One thread accepts.</summary>
internal sealed class HubPorts : IDisposable
{
    private readonly WorkerListener _consumers;
    private readonly WorkerListener? _publishers; // null: one port for both

    /// <param name="consumers">Address and settings of the port for consumers.</param>
    /// <param name="publisherPort">The port for publishers at the same address, with the same settings; null where one port serves both.</param>
    /// <param name="network">The network; null for the system's.</param>
    /// <exception cref="SetupException">A port is not available.</exception>
    public HubPorts(ListenOptions consumers, int? publisherPort, Network? network = null)
    {
        _consumers = new WorkerListener(consumers, network);
        try
        {
            _publishers = publisherPort is { } port ? new WorkerListener(consumers with { Port = port }, network) : null;
        }
        catch
        {
            _consumers.Dispose();
            throw;
        }
    }

    /// <summary>True where one port serves consumers and publishers.</summary>
    public bool IsOne => _publishers is null;

    /// <summary>Port for consumers, also when 0 was requested.</summary>
    public int ConsumerPort => _consumers.Port;

    /// <summary>Port for publishers, also when 0 was requested.</summary>
    public int PublisherPort => (_publishers ?? _consumers).Port;

    /// <summary>Waits for a consumer's connection, and accepts all that are pending, those of publishers, too.</summary>
    /// <param name="limit">The longest wait.</param>
    /// <param name="threads">The threads that serve them.</param>
    /// <param name="stop">Ends it early between two connections.</param>
    public void Accept(TimeSpan limit, HubThreads threads, CancellationToken stop)
    {
        _consumers.Accept(limit, threads.SessionWorkers, threads.CreateConsumer, stop);
        _publishers?.Accept(TimeSpan.Zero, threads.SourceWorkers, threads.CreatePublisher, stop);
    }

    public void Dispose()
    {
        _consumers.Dispose();
        _publishers?.Dispose();
    }
}
