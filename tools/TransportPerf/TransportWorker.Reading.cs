using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace TransportPerf;

internal sealed partial class TransportWorker
{
    // Bounded, so that a flood of input cannot starve the ticks; what is left stays ready.
    private const int MaxReadsPerTurn = 2048;

    private void Read(Peer peer)
    {
        if (_plan.Options.Reflect && !_finishing)
            Reflect(peer);
        else
            ReadAll(peer);
    }

    private void ReadAll(Peer peer)
    {
        RsslChannel channel = peer.Channel;
        for (int i = 0; i < MaxReadsPerTurn && channel.TryRead(out ReadOnlySpan<byte> message); i++)
        {
            if (!Take(peer, message))
                return;
        }
    }

    private bool Take(Peer peer, ReadOnlySpan<byte> message)
    {
        if (peer.IsJson)
            return TakeJson(peer, message);
        if (!RawMessage.TryRead(message, out long sequence, out long stampNanos))
            return Reject(peer, $"a message of {message.Length} bytes is no message of this tool");
        return Take(peer, sequence, stampNanos, message.Length);
    }

    private bool Take(Peer peer, long sequence, long stampNanos, int bytes)
    {
        if (sequence != peer.ExpectedSequence && peer.MessagesReceived > 0)
            return RejectSequence(peer, sequence);
        peer.ExpectedSequence = sequence + 1;
        peer.MessagesReceived++;
        peer.BytesReceived += bytes;
        if (stampNanos > 0)
            RecordLatency(peer, stampNanos);
        return true;
    }

    // One object, or an array of those that were packed: [{...},{...}]
    private bool TakeJson(Peer peer, ReadOnlySpan<byte> text)
    {
        ReadOnlySpan<byte> rest = JsonMessage.InsideArray(text);
        while (JsonMessage.TryRead(rest, out long sequence, out long stampNanos, out int bytes))
        {
            if (!Take(peer, sequence, stampNanos, bytes))
                return false;
            if (bytes == rest.Length)
                return true;
            rest = rest[bytes] == (byte)',' ? rest[(bytes + 1)..] : default;
        }
        return Reject(peer, $"a text of {text.Length} bytes is no message of this tool");
    }

    private void RecordLatency(Peer peer, long stampNanos)
    {
        long nowNanos = Clock.NowNanos;
        peer.LatencyMessages++;
        Latency.Record(nowNanos - stampNanos);
        LatencyRecords?.TryWrite(new LatencyRecord(stampNanos, nowNanos));
    }

    private static bool RejectSequence(Peer peer, long sequence)
    {
        peer.LostMessages = true;
        return Reject(peer, $"sequence number {sequence} where {peer.ExpectedSequence} was due");
    }

    private static bool Reject(Peer peer, string violation)
    {
        peer.Violation = violation;
        peer.Channel.Close();
        return false;
    }
}
