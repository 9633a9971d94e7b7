using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.Notices;

namespace PerfHub.Memory;

/// <summary>Disconnects the connection that uses the most memory when it is nearly used up.</summary>
internal static class MemoryDisconnect
{
    private const long BytesPerMegabyte = 1 << 20;

    /// <summary>Closes the connection, counts it and reports why. On the thread of the connection.</summary>
    /// <param name="channel">Its channel.</param>
    /// <param name="counters">Its counters.</param>
    /// <param name="recording">The recording of its worker.</param>
    /// <param name="bytes">Approximate bytes that it uses.</param>
    public static void End(RsslChannel channel, CounterSet counters, WorkerRecording recording, long bytes)
    {
        counters.Add(HubCounter.ConnectionsOverShare, 1);
        recording.Notices.Add(HubNotices.OutOfMemory, ChannelText.DescribePeer(channel), bytes / BytesPerMegabyte);
        channel.Abort("memory is nearly used up, and the greatest part was kept for it");
    }
}
