using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Clocks;

/// <summary>Sends probes to a peer's clock, one at a time, and receives the answers. One thread.</summary>
internal sealed class ClockProber : IDisposable
{
    private const long FirstLimitNanos = Clock.NanosPerSecond / 5;
    private const long MinLimitNanos = 20 * Clock.NanosPerMilli;
    private const int RoundTripsOfLimit = 4;
    private const long FirstNanos = 2 * Clock.NanosPerSecond;
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(50);

    private readonly ClockLink _link;
    private readonly ClockSeal _seal;
    private readonly ClockIncarnation _incarnation;
    private readonly Func<long> _now;
    private readonly WallStamps? _stamps; // null where the stamps are those of this program
    private readonly UInt128 _run = new(BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)), BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)));
    private readonly byte[] _probe = new byte[ClockMessage.Bytes];
    private readonly byte[] _answer = new byte[ClockMessage.Bytes];
    private long _sequence;
    private long _minRoundTrip = long.MaxValue;
    private long _firstLimit; // of probes before the first answer

    private ClockProber(ClockLink link, byte[] key, Func<long> now, Func<long>? wall)
    {
        (_link, _seal, _incarnation, _now) = (link, new ClockSeal(key), new ClockIncarnation(key), now);
        if (wall is not null && link.IsStamped)
            _stamps = new WallStamps(() => WallReading.Take(now, wall));
    }

    public string Transport => _link.Transport;

    /// <summary>Number of probes without an answer in time.</summary>
    public long Lost { get; private set; }

    /// <summary>Number of received messages that do not answer the last probe.</summary>
    public long Dropped { get; private set; }

    /// <summary>Number of exchanges with a stamp of this host's kernel for the answer.</summary>
    public long Stamped { get; private set; }

    /// <summary>Number of exchanges without a result because this host's wall clock was set meanwhile.</summary>
    public long Stepped { get; private set; }

    /// <summary>True when the peer's kernel stamped the last probe.</summary>
    public bool IsPeerStamped { get; private set; }

    /// <summary>The identities of both clocks at the last exchange: a change means an interruption.</summary>
    public (ulong Own, ulong Peer) Incarnations { get; private set; }

    /// <summary>True when both sides read one clock: they share machine and time namespace, and the stamps do not contradict that.</summary>
    public bool IsOneClock { get; private set; }

    /// <summary>Finds a transport over which the peer answers: datagrams, else a connection.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="key">The key that both sides share.</param>
    /// <param name="now">Reads this host's clock.</param>
    /// <param name="wall">Reads this host's wall clock, for stamps of the kernel where it has them; null for stamps of this program.</param>
    /// <exception cref="SetupException">The peer answers over neither.</exception>
    public static ClockProber Open(IPEndPoint peer, byte[] key, Func<long> now, Func<long>? wall = null)
    {
        try
        {
            ClockProber datagrams = new(ClockLink.OpenDatagrams(peer, wall is not null), key, now, wall);
            if (datagrams.TryBegin())
                return datagrams;
            datagrams.Dispose();
        }
        catch (SocketException)
        {
            // the other transport is left
        }

        if (ClockLink.TryConnect(peer) is { } link)
        {
            ClockProber stream = new(link, key, now, wall: null); // no stamps of single messages
            if (stream.TryBegin())
                return stream;
            stream.Dispose();
        }

        throw new SetupException(SetupProblem.NotStarted, $"the clock at {peer} does not answer (is perftools clock --listen there, with the same key?)");
    }

    /// <summary>Sends a probe and waits for its answer.</summary>
    /// <returns>False when no answer arrived in time, or the wall clock was set while stamps depended on it.</returns>
    public bool TryExchange(out ClockExchange exchange)
    {
        exchange = default;
        ulong own = _incarnation.Current;
        new ClockMessage(ClockMessageKind.Probe, _run, ++_sequence, _now(), 0, 0, own).Write(_probe, _seal);
        long limit = _minRoundTrip == long.MaxValue ? _firstLimit : Math.Max(MinLimitNanos, RoundTripsOfLimit * _minRoundTrip);
        _stamps?.Next();
        long sent = _now(); // after the seal, right before sending
        long received = sent;
        _link.Send(_probe);
        while (!_link.HasFailed && received - sent < limit)
        {
            bool isWhole = _link.TryReceive(_answer, limit - (received - sent));
            received = _now();
            if (!isWhole)
                continue;
            if (ClockMessage.TryRead(_answer, ClockMessageKind.Answer, _seal, out ClockMessage answer) && answer.Run == _run && answer.Sequence == _sequence)
            {
                (Incarnations, IsPeerStamped) = ((own, answer.Incarnation), answer.IsStamped);
                if (!TryStamp(new(sent, answer.PeerReceived, answer.PeerSent, received), out exchange))
                    return false;
                _minRoundTrip = Math.Max(0, Math.Min(_minRoundTrip, exchange.RoundTripNanos));
                return true;
            }

            Dropped++;
        }

        Lost++;
        return false;
    }

    public void Dispose()
    {
        _link.Dispose();
        _seal.Dispose();
    }

    // The kernel's stamps are between those of this program, which remain where it made none.
    private bool TryStamp(ClockExchange own, out ClockExchange exchange)
    {
        exchange = own;
        if (_stamps is null || _link.Stamps is not (var sent, { } received))
            return true;
        WallLead lead = _stamps.Next();
        exchange = own with
        {
            Sent = sent is { } known && lead.Covers(known) ? Math.Max(own.Sent, lead.EarliestOf(known)) : own.Sent,
            Received = Math.Min(own.Received, lead.LatestOf(received)),
        };
        bool isSound = lead.Covers(received) && exchange.IsOrdered;
        (Stamped, Stepped) = isSound ? (Stamped + 1, Stepped) : (Stamped, Stepped + 1);
        return isSound;
    }

    private bool TryBegin()
    {
        long until = _now() + FirstNanos;
        for (long limit = FirstLimitNanos; until - _now() is var left and > 0; limit = Math.Min(2 * limit, FirstNanos))
        {
            _firstLimit = Math.Min(limit, left); // longer each time: a peer may be on another continent
            if (!TryExchange(out ClockExchange exchange))
            {
                Thread.Sleep(FirstPause); // the peer may be about to listen
                continue;
            }

            Lost = 0;
            // a machine that was copied while it ran has the other's name, not its clock
            IsOneClock = ClockIncarnation.AreOneClock(Incarnations.Own, Incarnations.Peer) && exchange is { LowerNanos: <= 0, UpperNanos: >= 0 };
            return true;
        }

        return false;
    }
}
