using System.Net;
using LatencyPerf.Protocol;

namespace Tools.Tests.LatencyTests;

/// <summary>A network without sockets and a clock without time: loses, doubles, overtakes and delays by a seed.</summary>
/// <param name="seed">The seed of its faults.</param>
/// <param name="lossShare">The share of lost datagrams.</param>
/// <param name="oddShare">The share of doubled, and of delayed datagrams.</param>
internal sealed class SimulatedNetwork(int seed, double lossShare = 0, double oddShare = 0)
{
    private const long DelayNanos = 20_000;
    private const int MaxHoldUps = 200;

    private readonly Random _random = new(seed);
    private readonly PriorityQueue<(int From, int To, byte[] Datagram), (long, long)> _onTheWay = new();
    private long _sent;

    public long NowNanos { get; set; } = 1;

    /// <summary>
    /// What becomes of a datagram, by sender, receiver and header: how much longer than others each copy of it is on its way. None loses it;
    /// null leaves it to the seed.
    /// </summary>
    public Func<int, int, DatagramHeader, long[]?> Carry { get; init; } = (_, _, _) => null;

    public int Subscribers { get; init; } = 1;

    public long NextArrivalNanos => _onTheWay.TryPeek(out _, out (long At, long) first) ? first.At : long.MaxValue;

    /// <summary>The end of a side: 0 is the publisher.</summary>
    public End CreateEnd(int side) => new(this, side);

    /// <summary>Takes what has arrived by now.</summary>
    public bool TryDeliver(out int from, out int to, out byte[] datagram)
    {
        (from, to, datagram) = (0, 0, []);
        if (NextArrivalNanos > NowNanos)
            return false;
        (from, to, datagram) = _onTheWay.Dequeue();
        return true;
    }

    private void Send(int from, int to, ReadOnlySpan<byte> datagram)
    {
        if (DatagramHeader.TryRead(datagram, out DatagramHeader header) && Carry(from, to, header) is { } delays)
        {
            foreach (long delay in delays)
                _onTheWay.Enqueue((from, to, datagram.ToArray()), (NowNanos + DelayNanos + delay, _sent++));
            return;
        }

        if (_random.NextDouble() < lossShare)
            return;
        int copies = _random.NextDouble() < oddShare ? 2 : 1;
        for (int i = 0; i < copies; i++)
        {
            long delay = DelayNanos * (_random.NextDouble() < oddShare ? _random.Next(1, MaxHoldUps) : 1);
            _onTheWay.Enqueue((from, to, datagram.ToArray()), (NowNanos + delay, _sent++));
        }
    }

    /// <summary>What one side sends into it.</summary>
    internal sealed class End(SimulatedNetwork network, int side) : IDatagramOutput
    {
        public IPEndPoint? Group { get; private set; }

        public List<(string To, byte[] Datagram)> Answers { get; } = [];

        /// <summary>Peers of which the link knows that they are gone.</summary>
        public HashSet<int> Gone { get; } = [];

        /// <summary>Bytes of all that was sent and answered.</summary>
        public long SentBytes { get; private set; }

        public void Send(int peer, ReadOnlySpan<byte> datagram)
        {
            SentBytes += datagram.Length;
            network.Send(side, peer, datagram);
        }

        public void SendData(ReadOnlySpan<byte> datagram)
        {
            SentBytes += datagram.Length;
            if (side != IDatagramOutput.Publisher)
                network.Send(side, IDatagramOutput.Publisher, datagram);
            for (int cookie = 1; side == IDatagramOutput.Publisher && cookie <= network.Subscribers; cookie++)
                network.Send(side, cookie, datagram);
        }

        public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram)
        {
            SentBytes += datagram.Length;
            Answers.Add((to.Text, datagram.ToArray()));
        }

        public void Admit(int cookie, PeerAddress at)
        {
        }

        public void Release(int cookie) => Gone.Remove(cookie);

        public bool IsReachable(int cookie) => !Gone.Contains(cookie);

        public void UseGroup(IPEndPoint? group) => Group = group;
    }
}
