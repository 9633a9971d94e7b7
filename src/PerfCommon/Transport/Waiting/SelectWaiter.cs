using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Waits with the framework's select, where there is no ppoll: whole milliseconds, rounded up, and no wait below one.
/// </summary>
internal sealed class SelectWaiter : Waiter
{
    private readonly List<(WaitSlot Slot, Socket Socket, bool Reads, bool Writes)> _entries = [];
    private readonly Socket _signal = new(AddressFamily.InterNetwork, SocketType.Dgram, System.Net.Sockets.ProtocolType.Udp);
    private readonly byte[] _datagram = new byte[1];

    public SelectWaiter()
    {
        _signal.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _signal.Connect(_signal.LocalEndPoint!);
    }

    public override void Add(WaitSlot slot, WaitSource source)
    {
        slot.Index = _entries.Count;
        _entries.Add((slot, source.Socket!, Reads: false, Writes: false));
    }

    public override void SetInterest(WaitSlot slot, bool reads, bool writes) =>
        _entries[slot.Index] = _entries[slot.Index] with { Reads = reads, Writes = writes };

    public override void Remove(WaitSlot slot)
    {
        _entries[slot.Index] = _entries[^1];
        _entries[^1].Slot.Index = slot.Index;
        _entries.RemoveAt(_entries.Count - 1);
        slot.Index = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        List<Socket> reads = [_signal, .. _entries.Where(e => e.Reads).Select(e => e.Socket)];
        List<Socket> writes = [.. _entries.Where(e => e.Writes).Select(e => e.Socket)];
        List<Socket> errors = [.. _entries.Select(e => e.Socket)];
        Socket.Select(reads, writes, errors, RoundUp(timeoutNanos));
        if (reads.Remove(_signal))
            _signal.Receive(_datagram);
        foreach ((WaitSlot slot, Socket socket, _, _) in _entries)
        {
            bool isBroken = errors.Contains(socket);
            bool readable = isBroken || reads.Contains(socket);
            bool writable = isBroken || writes.Contains(socket);
            if (readable || writable)
                Found.Add((slot, readable, writable));
        }
    }

    /// <summary>Returns a time as whole milliseconds, never less: a wait that ends too early would be repeated until its time has come.</summary>
    internal static TimeSpan RoundUp(long nanos) => TimeSpan.FromMilliseconds((nanos + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli);

    public override void Signal() => _signal.Send(_datagram);

    public override void Dispose() => _signal.Dispose();
}
