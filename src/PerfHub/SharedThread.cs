using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Upstream;

namespace PerfHub;

/// <summary>A thread that reads sources and serves consumers: it delivers what it has read in the same turn.</summary>
internal sealed class SharedThread(UpstreamThread sources, ConsumerThread sessions) : IWorkerTask
{
    public bool DelaysEnd => sources.DelaysEnd || sessions.DelaysEnd;

    public long NextDueNanos => Math.Min(sources.NextDueNanos, sessions.NextDueNanos);

    long IWorkerTask.KeptBytes => sources.KeptBytes + sessions.KeptBytes;

    public void OnAwake()
    {
        sources.OnAwake();
        sessions.OnAwake();
    }

    public void Work()
    {
        sources.Work();
        sessions.Work();
    }

    public void OnFirstOver()
    {
        sources.OnFirstOver();
        sessions.OnFirstOver();
    }

    // Both announce their sleep, whatever the other returns.
    public bool TrySleep() => sources.TrySleep() & sessions.TrySleep();
}
