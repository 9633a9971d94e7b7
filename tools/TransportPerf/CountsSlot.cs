using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>Hands a worker's counts over when the main thread asks for them, so that all of them are of one moment.</summary>
internal sealed class CountsSlot
{
    private const int Idle = 0;
    private const int Requested = 1;
    private const int Published = 2;

    private TransportCounts _counts;
    private int _state;

    /// <summary>True when the main thread waits for an answer. Worker only.</summary>
    public bool IsRequested => Volatile.Read(ref _state) == Requested;

    /// <summary>Answers. Worker only, and only when asked.</summary>
    public void Publish(in TransportCounts counts)
    {
        _counts = counts;
        Volatile.Write(ref _state, Published);
    }

    /// <summary>Asks. Main thread only.</summary>
    public void Request() => Interlocked.CompareExchange(ref _state, Requested, Idle);

    /// <summary>Takes the answer. Main thread only.</summary>
    public bool TryTake(out TransportCounts counts)
    {
        bool isThere = Volatile.Read(ref _state) == Published;
        counts = isThere ? _counts : default;
        if (isThere)
            Volatile.Write(ref _state, Idle);
        return isThere;
    }
}
