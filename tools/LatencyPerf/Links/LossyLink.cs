using System.Net;
using LatencyPerf.Protocol;

namespace LatencyPerf.Links;

/// <summary>Drops a share of the arriving datagrams before the protocol sees them, for tests: <c>-dropRate</c>.</summary>
/// <param name="inner">The link on which they arrive; disposed with this one.</param>
/// <param name="rate">The share, 0 to 1.</param>
/// <param name="seed">The seed of the random choice.</param>
internal sealed class LossyLink(ILink inner, double rate, int seed) : ILink
{
    private readonly Random _random = new(seed);

    /// <summary>The number of dropped datagrams.</summary>
    public long Dropped { get; private set; }

    public IReadOnlyList<string> Description => inner.Description;
    public PeerAddress? Source => inner.Source;
    public string? Broken => inner.Broken;
    public long KernelDrops => inner.KernelDrops;

    public bool TryReceive(out Span<byte> datagram)
    {
        while (inner.TryReceive(out datagram))
        {
            if (_random.NextDouble() >= rate)
                return true;
            Dropped++;
        }

        return false;
    }

    public bool PollRefusal() => inner.PollRefusal();
    public void Wait(long limitNanos) => inner.Wait(limitNanos);
    public void EndRendezvous() => inner.EndRendezvous();
    public void LookForPeers() => inner.LookForPeers();
    public void Send(int peer, ReadOnlySpan<byte> datagram) => inner.Send(peer, datagram);
    public void SendData(ReadOnlySpan<byte> datagram) => inner.SendData(datagram);
    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram) => inner.Answer(to, datagram);
    public void Admit(int cookie, PeerAddress at) => inner.Admit(cookie, at);
    public void Release(int cookie) => inner.Release(cookie);
    public bool IsReachable(int cookie) => inner.IsReachable(cookie);
    public void UseGroup(IPEndPoint? group) => inner.UseGroup(group);
    public void Dispose() => inner.Dispose();
}
