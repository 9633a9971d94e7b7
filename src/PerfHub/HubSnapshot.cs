using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.Counting;

namespace PerfHub;

/// <summary>The state of a hub at one moment, and its counts since its start.</summary>
public sealed record HubSnapshot
{
    internal HubSnapshot(IReadOnlyCollection<WorkerRecording> recordings)
    {
        int Now(Gauge gauge) => (int)recordings.Sum(recording => recording[gauge]);
        long Count(params ReadOnlySpan<Counter> counters)
        {
            long sum = 0;
            foreach (Counter counter in counters)
                sum += recordings.Sum(recording => recording.Counters[counter]);
            return sum;
        }

        (Publishers, Consumers, Items, Subscriptions) = (Now(HubGauge.Sources), Now(HubGauge.Consumers), Now(HubGauge.Items), Now(HubGauge.Watchers));
        (RefreshesReceived, RefreshesDelivered) = (Count(Counter.RefreshesReceived), Count(Counter.RefreshesSent));
        (UpdatesReceived, UpdatesDelivered) = (Count(HubCounter.UpdatesReceived), Count(Counter.UpdatesSent));
        (UpdatesConflated, UpdatesLost) = (Count(HubCounter.UpdatesConflated), Count(Counter.UpdatesNotSent, HubCounter.UpdatesDropped));
        UpdatesThrottled = Count(HubCounter.UpdatesThrottled);
        (PostsReceived, PostsDelivered) = (Count(Counter.PostsReceived), Count(Counter.PostsSent, Counter.PostsReflected));
        ConsumersDisconnected = Count(HubCounter.ConnectionsCut);
        LatencyAccumulator latency = new(LatencyUnit.Microseconds);
        foreach (WorkerRecording recording in recordings)
            recording[Series.Through].AddWholeTo(latency);
        Latency = latency.Histogram;
    }

    /// <summary>Connections to interactive providers and of publishers, now or when the hub was stopped.</summary>
    public int Publishers { get; }

    /// <summary>Connections of consumers that are logged in or about to, now or when the hub was stopped.</summary>
    public int Consumers { get; }

    /// <summary>Items with an image or a request for it.</summary>
    public int Items { get; }

    /// <summary>Streams that consumers have open.</summary>
    public int Subscriptions { get; }

    /// <summary>Refreshes that providers and publishers sent.</summary>
    public long RefreshesReceived { get; }

    /// <summary>Refreshes that were sent to consumers.</summary>
    public long RefreshesDelivered { get; }

    /// <summary>Updates that providers and publishers sent.</summary>
    public long UpdatesReceived { get; }

    /// <summary>Updates that were sent to consumers, each counted once for each consumer.</summary>
    public long UpdatesDelivered { get; }

    /// <summary>Updates that a slow consumer received merged into a later one.</summary>
    public long UpdatesConflated { get; }

    /// <summary>Updates that <see cref="HubOptions.Throttle"/> merged into a later one, counted once for all consumers.</summary>
    public long UpdatesThrottled { get; }

    /// <summary>Updates for a consumer that were dropped, or lost with its connection.</summary>
    public long UpdatesLost { get; }

    /// <summary>Posts that consumers sent.</summary>
    public long PostsReceived { get; }

    /// <summary>Posts that were sent to providers, or to the consumers of a service without one.</summary>
    public long PostsDelivered { get; }

    /// <summary>Consumers that were disconnected because they were too slow.</summary>
    public long ConsumersDisconnected { get; }

    /// <summary>
    /// Microseconds through the hub, of each update received: from the end of the call that received it until the last consumer's socket has accepted
    /// it.
    /// </summary>
    public LongHistogram Latency { get; }
}
