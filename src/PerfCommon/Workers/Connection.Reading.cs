using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <content>Reads the messages that have arrived.</content>
public abstract partial class Connection
{
    private const int MaxBytesPerTurn = 1 << 20; // limits turns with long messages
    private const int MessagesBetweenLooks = 256;

    /// <summary>
    /// Reads messages into a receiver, batch by batch, until none is left, the turn's share is used up, or the receiver accepts no more.
    /// </summary>
    /// <param name="receiver">Receives the messages; a struct, so that its calls are inlined.</param>
    /// <param name="untilNanos">When to stop, checked now and then.</param>
    /// <returns>Messages read.</returns>
    private protected int Receive<TReceiver>(ref TReceiver receiver, long untilNanos)
        where TReceiver : struct, IMessageReceiver
    {
        RsslChannel channel = Channel;
        int most = Worker.Options.MaxMessagesPerTurn; // so that ticks and other connections get their turn under a flood
        int count = 0;
        bool wantsMore = true;
        long lastByte = channel.BytesRead + MaxBytesPerTurn;
        while (wantsMore && count < most && channel.BytesRead < lastByte)
        {
            if (count > 0 && untilNanos != long.MaxValue && Time.NowNanos >= untilNanos)
                break;
            int limit = untilNanos == long.MaxValue ? most - count : Math.Min(most - count, MessagesBetweenLooks);
            int taken = DispatchBatch(channel, ref receiver, limit, ref wantsMore);
            if (taken == 0 && wantsMore)
            {
                // messages that are no plain ones, and bytes that have not been received yet
                if (!channel.TryRead(out ReadOnlySpan<byte> message))
                    break;
                wantsMore = receiver.Receive(message);
                taken = 1;
            }

            count += taken;
        }

        return count;
    }

    private static int DispatchBatch<TReceiver>(RsslChannel channel, ref TReceiver receiver, int limit, ref bool wantsMore)
        where TReceiver : struct, IMessageReceiver
    {
        channel.BeginBatch(out ReceiveBatch run);
        int left = limit;
        while (left > 0 && run.TryRead(out ReadOnlySpan<byte> message))
        {
            left--;
            if (receiver.Receive(message))
                continue;
            wantsMore = false;
            break;
        }

        channel.EndBatch(run);
        return limit - left;
    }
}
