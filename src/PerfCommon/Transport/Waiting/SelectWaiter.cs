using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Waits by the framework's select, where there is no ppoll: whole milliseconds, rounded up, and a look without waiting below one.</summary>
internal sealed class SelectWaiter : SocketWaiter
{
    private sealed class Entry(RsslChannel channel, Socket socket)
    {
        public RsslChannel Channel => channel;
        public Socket Socket => socket;
        public bool Reads { get; set; }
        public bool Writes { get; set; }
    }

    private readonly List<Entry> _entries = [];
    private readonly Socket _signal = new(AddressFamily.InterNetwork, SocketType.Dgram, System.Net.Sockets.ProtocolType.Udp);
    private readonly byte[] _datagram = new byte[1];

    public SelectWaiter()
    {
        _signal.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _signal.Connect(_signal.LocalEndPoint!);
    }

    public override void Add(RsslChannel channel, Socket socket)
    {
        channel.WaitIndex = _entries.Count;
        _entries.Add(new Entry(channel, socket));
    }

    public override void SetInterest(RsslChannel channel, bool reads, bool writes)
    {
        Entry entry = _entries[channel.WaitIndex];
        (entry.Reads, entry.Writes) = (reads, writes);
    }

    public override void Remove(RsslChannel channel)
    {
        int at = channel.WaitIndex;
        Entry last = _entries[^1];
        _entries[at] = last;
        last.Channel.WaitIndex = at;
        _entries.RemoveAt(_entries.Count - 1);
        channel.WaitIndex = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        List<Socket> reads = [_signal, .. _entries.Where(e => e.Reads).Select(e => e.Socket)];
        List<Socket> writes = [.. _entries.Where(e => e.Writes).Select(e => e.Socket)];
        List<Socket> errors = [.. _entries.Select(e => e.Socket)];
        long millis = (timeoutNanos + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli;
        Socket.Select(reads, writes, errors, TimeSpan.FromMilliseconds(millis));
        if (reads.Remove(_signal))
            _signal.Receive(_datagram);
        foreach (Entry entry in _entries)
        {
            bool isBroken = errors.Contains(entry.Socket);
            bool readable = isBroken || reads.Contains(entry.Socket);
            bool writable = isBroken || writes.Contains(entry.Socket);
            if (readable || writable)
                Found.Add((entry.Channel, readable, writable));
        }
    }

    public override void Signal() => _signal.Send(_datagram);

    public override SocketWaiter MoveToLarger() => this;

    public override void Dispose() => _signal.Dispose();
}
