using System.Net;
using System.Net.Sockets;
using PerfCommon;

namespace PerfTools.Hosting.Clocks;

/// <summary>
/// Passes probes of another host's clock on to it, and its answers back, over datagrams and connections on one port: for a host that reaches this one and
/// not that clock.
/// </summary>
/// <remarks>
/// Only messages that are sealed with the key are passed on, unchanged; the first probe of a connection opens the one to the clock. An exchange takes as
/// long as both parts of the way together, so the interval of the difference is wider, and holds. At most 5,000 messages a second are passed on, those
/// of both directions together; a seventeenth connection is closed.
/// </remarks>
internal sealed class ClockRelay : IDisposable
{
    private readonly ClockPort _port;
    private readonly byte[] _key;
    private readonly Func<IPEndPoint?> _find;
    private readonly Func<long> _now;
    private readonly ProbeSenders _senders = new();
    private readonly Lock _gate = new(); // guards the beginning and the end of the socket to the clock
    private Socket? _clock;
    private IPEndPoint? _place;
    private long _passed;

    private ClockRelay(ClockPort port, byte[] key, Func<IPEndPoint?> find, Func<long> now)
    {
        (_port, _key, _find, _now) = (port, key, find, now);
        port.Start(PassProbes, PassConnection);
    }

    /// <inheritdoc cref="ClockPort.Local"/>
    public IPEndPoint Local => _port.Local;

    /// <summary>Number of messages passed on, both directions together. Any thread.</summary>
    public long Passed => Volatile.Read(ref _passed);

    /// <summary>
    /// Number of other messages: not sealed with the key, too many, probes while the clock is unknown or cannot be reached, answers to no probe. Any thread.
    /// </summary>
    public long Dropped => _port.Dropped;

    /// <summary>Listens on an address.</summary>
    /// <param name="at">Address and port; port 0 for a free one.</param>
    /// <param name="key">The key that prober and clock share.</param>
    /// <param name="find">Finds the address of the clock, when a probe has come; null while it is unknown. Any thread.</param>
    /// <param name="now">Reads this host's clock, for the limit of messages a second.</param>
    /// <exception cref="SetupException">The port is in use.</exception>
    public static ClockRelay Listen(IPEndPoint at, byte[] key, Func<IPEndPoint?> find, Func<long> now) => new(ClockPort.Listen(at), key, find, now);

    public void Dispose()
    {
        _port.Dispose();
        lock (_gate)
            _clock?.Dispose();
    }

    private void PassProbes()
    {
        using ClockSeal seal = new(_key);
        byte[] message = new byte[ClockMessage.Bytes + 1]; // one byte more, so that a longer message is detected
        SocketAddress sender = new(_port.Datagrams.AddressFamily);
        while (!_port.IsOver)
        {
            try
            {
                int bytes = _port.Datagrams.ReceiveFrom(message, SocketFlags.None, sender);
                if (!ClockMessage.TryRead(message.AsSpan(0, bytes), ClockMessageKind.Probe, seal, out ClockMessage probe) || !_senders.TryAdd(probe, sender))
                    _port.CountDropped();
                else
                    Pass(message, OpenDatagrams());
            }
            catch (Exception failure) when (ClockPort.IsEnd(failure))
            {
                _port.CountDropped(); // nothing listens at the place of the clock, or it is the end
            }
        }
    }

    private void PassAnswers(Socket clock)
    {
        using ClockSeal seal = new(_key);
        byte[] message = new byte[ClockMessage.Bytes + 1];
        while (!_port.IsOver)
        {
            try
            {
                int bytes = clock.Receive(message);
                bool isAnswer = ClockMessage.TryRead(message.AsSpan(0, bytes), ClockMessageKind.Answer, seal, out ClockMessage answer);
                if (isAnswer && _senders.Take(answer) is { } sender)
                    Pass(message, _port.Datagrams, sender);
                else
                    _port.CountDropped();
            }
            catch (Exception failure) when (ClockPort.IsEnd(failure))
            {
                // the end, or nothing listens at the place of the clock
            }
        }
    }

    // Null while the clock is not known, or cannot be reached.
    private Socket? OpenDatagrams()
    {
        if (_clock is not null || FindPlace() is not { } place)
            return _clock;
        Socket clock = new(place.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            clock.Connect(place); // datagrams of other senders are not received
        }
        catch (SocketException)
        {
            clock.Dispose();
            return null;
        }

        lock (_gate)
        {
            if (_port.IsOver)
            {
                clock.Dispose();
                return null;
            }

            _clock = clock;
        }

        ClockPort.StartThread("clock answers", () => PassAnswers(clock));
        return clock;
    }

    private IPEndPoint? FindPlace()
    {
        try
        {
            return _place ??= _find();
        }
        catch (SetupException)
        {
            return null; // the next probe asks again
        }
    }

    private void PassConnection(Socket connection)
    {
        using ClockSeal seal = new(_key);
        Socket? clock = null;
        try
        {
            ClockPort.ReceiveMessages(connection, message =>
            {
                if (!IsSealed(message, ClockMessageKind.Probe, seal))
                    return false;
                clock ??= OpenConnection(connection);
                Pass(message, clock);
                return clock is not null;
            });
        }
        finally
        {
            clock?.Dispose();
        }
    }

    private Socket? OpenConnection(Socket prober)
    {
        if (FindPlace() is not { } place || ClockLink.TryOpenConnection(place) is not { } clock)
            return null;
        ClockPort.StartThread("clock answers", () => PassBack(clock, prober));
        return clock;
    }

    private void PassBack(Socket clock, Socket prober)
    {
        using ClockSeal seal = new(_key);
        ClockPort.RunToEnd(() => ClockPort.ReceiveMessages(clock, message =>
        {
            bool isSealed = IsSealed(message, ClockMessageKind.Answer, seal);
            if (isSealed)
                Pass(message, prober);
            return isSealed;
        }));
        ClockPort.RunToEnd(() => prober.Shutdown(SocketShutdown.Both)); // it has no answers from here on: its own thread disposes it
    }

    private bool IsSealed(byte[] message, ClockMessageKind kind, ClockSeal seal)
    {
        bool isSealed = ClockMessage.TryRead(message, kind, seal, out _);
        if (!isSealed)
            _port.CountDropped();
        return isSealed;
    }

    // Sends a message unchanged, as far as the limit of this second allows.
    private void Pass(byte[] message, Socket? to, SocketAddress? address = null)
    {
        if (to is null || !_port.IsDue(_now()))
        {
            _port.CountDropped();
            return;
        }

        ReadOnlySpan<byte> whole = message.AsSpan(0, ClockMessage.Bytes);
        if (address is null)
            to.Send(whole);
        else
            to.SendTo(whole, SocketFlags.None, address);
        Interlocked.Increment(ref _passed);
    }
}
