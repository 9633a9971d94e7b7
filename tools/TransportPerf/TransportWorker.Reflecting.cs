using PerfCommon.Transport;

namespace TransportPerf;

internal sealed partial class TransportWorker
{
    /// <summary>Sends every message back as it is; what finds no output buffer waits, and with it all further reading.</summary>
    private void Reflect(Peer peer)
    {
        RsslChannel channel = peer.Channel;
        for (int i = 0; i < MaxReadsPerTurn && TrySendBack(peer); i++)
        {
            if (!channel.TryRead(out ReadOnlySpan<byte> message))
                break;
            if (!Take(peer, message))
                return;
            // kept aside: the message is valid only until the channel is touched again
            peer.Reflection.Keep(message, peer.IsJson);
        }
        TrySendBack(peer);
        channel.Flush();
    }

    /// <summary>Sends what waits; false when something still waits.</summary>
    private static bool TrySendBack(Peer peer)
    {
        while (!peer.Reflection.IsEmpty)
        {
            ReadOnlySpan<byte> message = peer.Reflection.Next;
            if (!TryBegin(peer.Channel, message.Length, out Span<byte> room))
                return false;
            message.CopyTo(room);
            peer.Channel.EndMessage(message.Length);
            peer.Reflection.Drop(message.Length);
        }
        return true;
    }

    private static bool TryBegin(RsslChannel channel, int bytes, out Span<byte> room) =>
        channel.TryBeginMessage(bytes, out room) || (channel.Flush() && channel.TryBeginMessage(bytes, out room));
}
