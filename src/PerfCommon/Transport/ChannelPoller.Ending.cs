using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class ChannelPoller
{
    /// <summary>
    /// Ends every channel in order: sends queued messages, ends our streams, and discards arriving bytes until the peers have ended
    /// theirs. Closing a channel with unread bytes would reset its connection.
    /// </summary>
    /// <param name="limit">The time limit; channels whose peers do not end their streams by then stay open.</param>
    /// <returns>True when all channels are closed.</returns>
    public bool FinishAll(TimeSpan limit)
    {
        long untilNanos = Time.NowNanos + (long)(limit.TotalSeconds * Clock.NanosPerSecond);
        for (int i = 0; i < Channels.Count; i++)
            Channels[i].FinishSending();
        while (_channels.Slots.Exists(slot => slot.Channel.Closed is null))
        {
            if (Time.NowNanos >= untilNanos)
                return false;
            Wait(untilNanos);
            DiscardReady();
        }

        return true;
    }

    private void DiscardReady()
    {
        for (int i = 0; i < Ready.Count; i++)
        {
            while (Ready[i].TryRead(out _))
            {
            }
        }
    }
}
