using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfHub.Memory;

/// <summary>How a connection is ended for which most of a memory is kept that is nearly used up.</summary>
internal static class MemoryCut
{
    private const long BytesPerMegabyte = 1 << 20;

    /// <summary>Ends it, counts it and says why. On the thread of the connection.</summary>
    /// <param name="channel">Its channel.</param>
    /// <param name="counters">What is counted of it.</param>
    /// <param name="recording">That of its worker.</param>
    /// <param name="bytes">What is kept for it, about.</param>
    public static void End(RsslChannel channel, CounterSet counters, WorkerRecording recording, long bytes)
    {
        counters.Add(Counter.ConnectionsOverShare, 1);
        recording.Notices.Add("Memory", $"Connection of {ChannelText.DescribePeer(channel)} closed: memory is nearly used up, and the greatest "
            + $"part is kept for it, about {bytes / BytesPerMegabyte} MB.");
        channel.Abort("memory is nearly used up, and the greatest part was kept for it");
    }
}
