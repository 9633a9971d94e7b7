using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace TransportPerf;

internal sealed partial class TransportWorker
{
    // Then reading gets its turn, so that neither side starves.
    private const int MaxTicksPerTurn = 4;

    private readonly TickSchedule _schedule;
    private readonly StampCells _stamps;

    private void SendDueTicks(long nowNanos)
    {
        for (int i = 0; i < MaxTicksPerTurn && _schedule.TryTakeTick(nowNanos, out TickInfo tick); i++)
        {
            SendLag.Record(tick.LagNanos);
            foreach (Peer peer in _peers)
                SendBurst(peer, tick);
            nowNanos = Clock.NowNanos;
        }
    }

    private void SendBurst(Peer peer, in TickInfo tick)
    {
        if (tick.SkippedBefore > 0)
            peer.NeverWritten += _plan.Rate.InTicks(tick.Index - tick.SkippedBefore, tick.SkippedBefore);
        peer.DropBurst(forLackOfBuffers: peer.Channel.State == ChannelState.Active);
        if (peer.Channel.State != ChannelState.Active)
            return;
        peer.BurstSize = _plan.Rate.InTick(tick.InSecond);
        peer.StampPosition = _stamps.EveryMessage ? -1 : _stamps.Position(_stamps.CellOf(tick.Index, peer.Number));
        ContinueBurst(peer);
    }

    /// <summary>Writes as much of the burst as output buffers allow; the rest waits until the socket is writable, or the next tick.</summary>
    private void ContinueBurst(Peer peer)
    {
        int before;
        do
        {
            before = peer.BurstDone;
            if (_plan.Options.PackCount > 1)
                WritePacks(peer);
            else
                WriteMessages(peer);
        }
        while (peer.Channel.Flush() && peer.HasBurst && peer.BurstDone > before);
    }

    private void WriteMessages(Peer peer)
    {
        RsslChannel channel = peer.Channel;
        (int size, bool json, bool all) = (_plan.Options.MsgBytes, peer.IsJson, _stamps.EveryMessage);
        (int position, int end, int stampPosition) = (peer.BurstDone, peer.BurstSize, peer.StampPosition);
        long sequence = peer.NextSequence;
        for (; position < end; position++)
        {
            long stampNanos = all || position == stampPosition ? Clock.NowNanos : 0;
            if (!channel.TryBeginMessage(size, out Span<byte> room))
                break;
            Fill(room, sequence++, stampNanos, json);
            channel.EndMessage(size);
        }
        (peer.BurstDone, peer.NextSequence) = (position, sequence);
    }

    private void WritePacks(Peer peer)
    {
        RsslChannel channel = peer.Channel;
        (int size, bool json) = (_plan.Options.MsgBytes, peer.IsJson);
        while (peer.HasBurst && channel.TryBeginPack((int)_plan.Options.PackBytes))
        {
            int end = Math.Min(peer.BurstSize, peer.BurstDone + _plan.Options.PackCount);
            for (; peer.BurstDone < end; peer.BurstDone++)
            {
                long stampNanos = _stamps.EveryMessage || peer.BurstDone == peer.StampPosition ? Clock.NowNanos : 0;
                if (!channel.TryBeginPackedMessage(size, out Span<byte> room))
                    throw new InvalidOperationException($"a packed buffer of {_plan.Options.PackBytes} bytes has no room for its messages");
                Fill(room, peer.NextSequence++, stampNanos, json);
                channel.EndPackedMessage(size);
            }
            channel.EndPack();
        }
    }

    private static void Fill(Span<byte> room, long sequence, long stampNanos, bool json)
    {
        if (json)
            JsonMessage.Write(room, sequence, stampNanos);
        else
            RawMessage.Write(room, sequence, stampNanos);
    }
}
