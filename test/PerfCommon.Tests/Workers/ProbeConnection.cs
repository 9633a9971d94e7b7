using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Workers;

/// <summary>A connection that the test controls, and that records its events.</summary>
internal sealed class ProbeConnection : Connection
{
    public List<TickInfo> Ticks { get; } = [];

    public List<long> Received { get; } = [];

    public bool Ticking { get; set; }

    public CloseReason? Reason { get; private set; }

    public bool IsOpened { get; private set; }

    /// <summary>How its messages share buffers.</summary>
    public Packing Packs { get; init; } = Packing.None;

    internal override Packing Packing => Packs;

    internal override bool WantsTicks => Ticking;

    /// <summary>Queues messages of one size that carry their number.</summary>
    /// <returns>Number of messages that found a buffer.</returns>
    public int Queue(int count, int bytes)
    {
        for (int i = 0; i < count; i++)
        {
            if (!Output.TryBegin(bytes, out Span<byte> room))
                return i;
            new NumberEncoder(bytes).Encode(room, stamp: 0);
            BitConverter.TryWriteBytes(room, (long)i);
            Output.End(bytes, MessageKind.Opaque);
        }

        return count;
    }

    internal override void OnOpened(long nowNanos) => IsOpened = true;

    internal override bool OnTick(in TickInfo tick)
    {
        Ticks.Add(tick);
        return true;
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
    }

    internal override void OnClosed(CloseReason reason) => Reason = reason;

    private readonly struct Receiver(ProbeConnection connection) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message)
        {
            connection.Received.Add(NumberEncoder.NumberIn(message));
            return true;
        }
    }
}
