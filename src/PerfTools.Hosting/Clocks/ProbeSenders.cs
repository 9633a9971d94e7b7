using System.Net;

namespace PerfTools.Hosting.Clocks;

/// <summary>
/// The senders of probes that wait for answers, by run: 64 at most; a further one replaces the one whose last probe is the oldest. Any thread.
/// </summary>
internal sealed class ProbeSenders
{
    /// <summary>The maximum number of senders.</summary>
    public const int Max = 64;

    private readonly Dictionary<UInt128, Sender> _senders = [];
    private readonly Lock _gate = new();
    private long _probes;

    /// <summary>Adds a probe.</summary>
    /// <param name="probe">The probe.</param>
    /// <param name="from">Its sender's address; a copy of it is kept.</param>
    /// <returns>False for one that is not newer than the last of its run, such as a repeated one.</returns>
    public bool TryAdd(ClockMessage probe, SocketAddress from)
    {
        lock (_gate)
        {
            bool isKnown = _senders.TryGetValue(probe.Run, out Sender? known);
            if (isKnown && probe.Sequence <= known!.Sequence)
                return false;
            if (!isKnown && _senders.Count >= Max)
                _senders.Remove(_senders.MinBy(sender => sender.Value.Number).Key);
            _senders[probe.Run] = new(isKnown && known!.Address.Equals(from) ? known.Address : Copy(from), probe.Sequence, ++_probes);
            return true;
        }
    }

    /// <summary>Returns the sender of a probe, once; null for an answer to no probe, or to another than the last of its run.</summary>
    /// <param name="answer">The answer to the probe.</param>
    public SocketAddress? Take(ClockMessage answer)
    {
        lock (_gate)
        {
            if (!_senders.TryGetValue(answer.Run, out Sender? known) || known.IsAnswered || known.Sequence != answer.Sequence)
                return null;
            known.IsAnswered = true;
            return known.Address;
        }
    }

    private static SocketAddress Copy(SocketAddress from)
    {
        SocketAddress copy = new(from.Family, from.Size);
        from.Buffer.Span[..from.Size].CopyTo(copy.Buffer.Span);
        return copy;
    }

    private sealed class Sender(SocketAddress address, long sequence, long number)
    {
        public SocketAddress Address => address;
        public long Sequence => sequence;
        public long Number => number;
        public bool IsAnswered { get; set; }
    }
}
