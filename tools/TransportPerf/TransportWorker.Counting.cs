using PerfTools.Hosting.Reporting;

namespace TransportPerf;

internal sealed partial class TransportWorker
{
    private TransportCounts _retired;
    private TransportCounts _beforeDrain;

    /// <summary>Everything counted, what is still queued counted as not sent. After the thread has ended.</summary>
    public TransportCounts CountFinally() => WithDropped(Drained(_retired));

    private TransportCounts CountNow()
    {
        TransportCounts counts = _retired;
        foreach (Peer peer in _peers)
            counts += peer.Count(isOver: false);
        return counts;
    }

    // What came in after the end began is received, but belongs to no rate.
    private TransportCounts Drained(in TransportCounts counts) => !_finishing ? counts : counts with
    {
        DrainedMessages = counts.MessagesReceived - _beforeDrain.MessagesReceived,
        DrainedBytes = counts.BytesReceived - _beforeDrain.BytesReceived,
    };

    private TransportCounts WithDropped(in TransportCounts counts) =>
        counts with { LatencyRecordsDropped = LatencyRecords?.DroppedCount ?? 0 };

    private void ServiceReports()
    {
        Latency.ServiceRequests();
        SendLag.ServiceRequests();
        if (Counts.IsRequested)
            Counts.Publish(WithDropped(Drained(CountNow())));
    }
}
