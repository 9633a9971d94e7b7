using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfTools.Hosting.Clocks;

/// <summary>Answers probes of this host's clock, over datagrams and connections on one port, on separate threads.</summary>
/// <remarks>
/// Messages that are not sealed with the key are dropped silently. An answer is as long as its probe and is sent to the probe's sender only. There
/// are at most 5,000 answers a second; a seventeenth connection is closed.
/// </remarks>
internal sealed class ClockAnswerer : IDisposable
{
    private const long WaitNanos = Clock.NanosPerSecond / 10;

    private readonly byte[] _key;
    private readonly Func<long> _now;
    private readonly Func<long>? _wall;
    private readonly ClockPort _port;
    private long _answered;

    private ClockAnswerer(ClockPort port, byte[] key, Func<long> now, Func<long>? wall)
    {
        (_port, _key, _now, _wall) = (port, key, now, wall);
        StampedDatagrams? stamped = wall is null ? null : StampedDatagrams.TryOpen(port.Datagrams, stampsSent: false);
        IsStamped = stamped is not null;
        port.Start(() => AnswerDatagrams(stamped), AnswerConnection);
    }

    /// <inheritdoc cref="ClockPort.Local"/>
    public IPEndPoint Local => _port.Local;

    /// <summary>True where the kernel stamps the datagrams.</summary>
    public bool IsStamped { get; }

    /// <summary>Number of answered probes. Any thread.</summary>
    public long Answered => Volatile.Read(ref _answered);

    /// <summary>Number of messages that are no probes, have another key, or exceeded the rate. Any thread.</summary>
    public long Dropped => _port.Dropped;

    /// <summary>Listens on an address.</summary>
    /// <param name="at">Address and port; port 0 for a free one.</param>
    /// <param name="key">The key that both sides share.</param>
    /// <param name="now">Reads this host's clock.</param>
    /// <param name="wall">Reads this host's wall clock, for stamps of the kernel where it has them; null for stamps of this program.</param>
    /// <exception cref="SetupException">The port is in use.</exception>
    public static ClockAnswerer Listen(IPEndPoint at, byte[] key, Func<long> now, Func<long>? wall = null) => new(ClockPort.Listen(at), key, now, wall);

    public void Dispose() => _port.Dispose();

    private void AnswerDatagrams(StampedDatagrams? stamped)
    {
        using ClockSeal seal = new(_key);
        ClockIncarnation incarnation = new(_key);
        byte[] message = new byte[ClockMessage.Bytes + 1]; // one byte more, so that a longer message is detected
        SocketAddress sender = new(_port.Datagrams.AddressFamily);
        WallStamps? stamps = stamped is null ? null : new(() => WallReading.Take(_now, _wall!));
        while (!_port.IsOver)
        {
            try
            {
                int bytes = stamped?.Receive(message, WaitNanos) ?? _port.Datagrams.ReceiveFrom(message, SocketFlags.None, sender);
                if (stamped is not null && bytes <= 0)
                    continue; // the time is over, or an answer did not reach its peer
                stamped?.CopySender(sender);
                (long received, bool isStamped) = FindReceived(stamps, stamped?.ReceivedNanos);
                if (TryAnswer(message, bytes, received, seal, incarnation, isStamped))
                    _port.Datagrams.SendTo(message.AsSpan(0, ClockMessage.Bytes), SocketFlags.None, sender);
            }
            catch (Exception failure) when (ClockPort.IsEnd(failure))
            {
                // the end, or the sender is gone
            }
        }
    }

    // The kernel's stamp, as far as it is not later than this program's; none for a probe that had to wait, or where the wall clock was set.
    private (long Received, bool IsStamped) FindReceived(WallStamps? stamps, long? stamp)
    {
        long received = _now();
        return stamps?.Next() is { } lead && stamp is { } known && lead.Covers(known) ? (Math.Min(received, lead.LatestOf(known)), true) : (received, false);
    }

    private bool TryAnswer(byte[] message, int bytes, long received, ClockSeal seal, ClockIncarnation incarnation, bool isStamped = false)
    {
        if (!ClockMessage.TryRead(message.AsSpan(0, bytes), ClockMessageKind.Probe, seal, out ClockMessage probe) || !_port.IsDue(received))
        {
            _port.CountDropped();
            return false;
        }

        ClockMessage answer = probe with { Kind = ClockMessageKind.Answer, PeerReceived = received, IsStamped = isStamped };
        (answer with { PeerSent = _now(), Incarnation = incarnation.Current }).Write(message, seal);
        Interlocked.Increment(ref _answered);
        return true;
    }

    private void AnswerConnection(Socket connection)
    {
        using ClockSeal seal = new(_key);
        ClockIncarnation incarnation = new(_key);
        ClockPort.ReceiveMessages(connection, message =>
        {
            if (!TryAnswer(message, message.Length, _now(), seal, incarnation))
                return false; // a peer with another key gets no answer
            connection.Send(message);
            return true;
        });
    }
}
