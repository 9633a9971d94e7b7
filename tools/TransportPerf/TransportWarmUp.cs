using System.Collections.Concurrent;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>Has two sides send messages over memory, and end, so that the compiler has done its work when a run begins and ends.</summary>
internal static class TransportWarmUp
{
    private const int Rate = 100_000;

    /// <summary>Plays it through.</summary>
    /// <returns>Messages that the reading side received, and whether it came to its end.</returns>
    public static (long Received, bool HasEnded) Run()
    {
        TransportPerfOptions sending = new() { MsgRate = Rate }, reading = new() { MsgRate = 0 };
        WorkerRecording recording = TransportPerfRole.CreateRecording(sending); // of both, which have one thread
        TransportPeer reader = CreatePeer(reading);
        Rehearsal.Run(CreatePeer(sending), recording, reader, recording, () => true);
        return (recording.Counters[Counter.MessagesReceived], reader is { Closed: not null, IsOrderly: true });
    }

    private static TransportPeer CreatePeer(TransportPerfOptions options) =>
        new(options, TransportPerfRole.CreateMessages(options, worker: 0), new ConcurrentQueue<TransportPeer>());
}
