using LatencyPerf.Links;
using PerfCommon.Measurement;

namespace LatencyPerf.Rounds;

/// <summary>Waits for datagrams as the options say: asleep, spinning a while first, or never asleep.</summary>
/// <param name="link">The link on which they arrive.</param>
/// <param name="isBusy">True never sleeps.</param>
/// <param name="spinNanos">The time that it spins before it sleeps.</param>
internal sealed class LinkReader(ILink link, bool isBusy, long spinNanos)
{
    /// <summary>The maximum wait, for the sake of signals and of peers that vanish.</summary>
    public const long MaxWaitNanos = 100 * Clock.NanosPerMilli;

    private const int LooksPerTurn = 64;

    /// <summary>Receives the next datagram, waiting for it until a time; may return without one earlier.</summary>
    public bool TryRead(long untilNanos, out Span<byte> datagram)
    {
        if (isBusy)
            return TryLook(out datagram);
        if (spinNanos > 0 && TrySpin(out datagram))
            return true;
        link.Wait(Math.Clamp(untilNanos - Clock.NowNanos, 0, MaxWaitNanos));
        return link.TryReceive(out datagram);
    }

    private bool TryLook(out Span<byte> datagram)
    {
        for (int i = 0; i < LooksPerTurn; i++)
        {
            if (link.TryReceive(out datagram))
                return true;
        }

        datagram = default;
        return false;
    }

    private bool TrySpin(out Span<byte> datagram)
    {
        long until = Clock.NowNanos + spinNanos;
        do
        {
            if (link.TryReceive(out datagram))
                return true;
        }
        while (Clock.NowNanos < until);
        return false;
    }
}
