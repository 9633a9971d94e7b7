using System.Net;
using LatencyPerf.Links;
using LatencyPerf.Protocol;

namespace Tools.Tests.LatencyTests;

/// <summary>A link whose other end is in the hands of a test: no socket, no thread, and hardly any time.</summary>
/// <param name="deliver">Gets what is sent: the peer, and the datagram.</param>
/// <param name="tick">Does what is due on the other end; called when this end waits.</param>
internal sealed class DirectLink(Action<int, byte[]> deliver, Action tick) : ILink
{
    private readonly Queue<(int From, byte[] Datagram)> _arrived = new();

    /// <summary>What becomes of a datagram that is sent here: the one that arrives, or null for none.</summary>
    public Func<DatagramHeader, byte[], byte[]?> Carry { get; set; } = (_, datagram) => datagram;

    public IReadOnlyList<string> Description => [];

    public PeerAddress? Source { get; private set; }

    public string? Broken { get; set; }

    public long KernelDrops { get; init; }

    public long Dropped { get; init; }

    /// <summary>True where the next look finds the socket of the peer closed.</summary>
    public bool IsRefused { get; set; }

    public bool HasEndedRendezvous { get; private set; }

    /// <summary>How often this end slept, or would have.</summary>
    public int Waits { get; private set; }

    public List<DatagramHeader> Sent { get; } = [];

    /// <summary>Sends a datagram to this end.</summary>
    public void Arrive(int from, ReadOnlySpan<byte> datagram)
    {
        if (DatagramHeader.TryRead(datagram, out DatagramHeader header) && Carry(header, datagram.ToArray()) is { } carried)
            _arrived.Enqueue((from, carried));
    }

    public bool TryReceive(out Span<byte> datagram)
    {
        datagram = default;
        if (_arrived.Count == 0)
            tick(); // also for a side that never waits
        if (_arrived.Count == 0)
            return false;
        (int from, byte[] bytes) = _arrived.Dequeue();
        Source = HasEndedRendezvous ? null : ConversationPair.AddressOf(from);
        datagram = bytes;
        return true;
    }

    public bool PollRefusal()
    {
        bool isRefused = IsRefused;
        IsRefused = false;
        return isRefused;
    }

    public void Wait(long limitNanos)
    {
        Waits++;
        tick();
        if (_arrived.Count == 0 && limitNanos > 0)
            Thread.Sleep(1);
    }

    public void EndRendezvous() => HasEndedRendezvous = true;

    public void Send(int peer, ReadOnlySpan<byte> datagram)
    {
        if (DatagramHeader.TryRead(datagram, out DatagramHeader header))
            Sent.Add(header);
        deliver(peer, datagram.ToArray());
    }

    public void SendData(ReadOnlySpan<byte> datagram) => Send(IDatagramOutput.Publisher, datagram);

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => Send(IDatagramOutput.Publisher, datagram);

    public void Admit(int cookie, PeerAddress at)
    {
    }

    public void Release(int cookie)
    {
    }

    public bool IsReachable(int cookie) => true;

    public void UseGroup(IPEndPoint? group)
    {
    }

    public void Dispose()
    {
    }

    /// <summary>What a peer on the other end sends with.</summary>
    internal sealed class Peer(Func<DirectLink> link, int number) : IDatagramOutput
    {
        public void Send(int peer, ReadOnlySpan<byte> datagram) => link().Arrive(number, datagram);

        public void SendData(ReadOnlySpan<byte> datagram) => link().Arrive(number, datagram);

        public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => link().Arrive(number, datagram);

        public void Admit(int cookie, PeerAddress at)
        {
        }

        public void Release(int cookie)
        {
        }

        public bool IsReachable(int cookie) => true;

        public void UseGroup(IPEndPoint? group)
        {
        }
    }
}
