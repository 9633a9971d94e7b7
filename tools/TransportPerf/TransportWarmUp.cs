using System.Collections.Concurrent;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>Sends messages between two sides in memory and ends both, so that the JIT compiler has finished when a run begins and ends.</summary>
internal static class TransportWarmUp
{
    private const int Rate = 100_000;

    /// <summary>Runs the warm-up once.</summary>
    /// <returns>Messages that the reading side received, and whether it reached its end.</returns>
    public static (long Received, bool HasEnded) Run()
    {
        TransportPerfOptions sending = new() { MsgRate = Rate }, reading = new() { MsgRate = 0 };
        WorkerRecording recording = TransportPerfRole.CreateRecording(sending); // of both sides, which share one thread
        TransportPeer reader = CreatePeer(reading);
        ConnectionWarmUp.Run(CreatePeer(sending), recording, reader, recording, () => true);
        return (recording.Counters[Counter.MessagesReceived], reader is { Closed: not null, IsOrderly: true });
    }

    private static TransportPeer CreatePeer(TransportPerfOptions options) =>
        new(options, TransportPerfRole.CreateMessages(options, worker: 0), new ConcurrentQueue<TransportPeer>());
}
