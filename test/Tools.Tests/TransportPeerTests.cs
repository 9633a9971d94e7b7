using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Clocks;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>
/// A peer of TransportPerf loses, repeats or swaps one message: exactly the messages before it were counted, and the end says what was
/// wrong. Over memory; the test gives both sides their turns.
/// </summary>
[Trait("Category", "Fast")]
public sealed class TransportPeerTests : IDisposable
{
    private const int Bytes = 76;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryNetwork _network = new(TimeSource.System);
    private readonly TransportPerfOptions _options = new() { MsgRate = 0 };
    private readonly ConcurrentQueue<TransportPeer> _ended = new();
    private readonly List<TransportPeer> _peers = [];
    private readonly Worker[] _servers;
    private readonly WorkerListener _listener;
    private readonly ChannelPoller _client;
    private PeerClock? _clock;

    public TransportPeerTests()
    {
        _servers = [.. Enumerable.Range(0, 2).Select(number =>
            new Worker(new WorkerOptions { Number = number }, TransportPerfRole.CreateRecording(_options), _network))];
        _listener = new WorkerListener(new ListenOptions { Port = 0 }, _network);
        _client = new ChannelPoller(busyRead: true, _network);
    }

    public void Dispose()
    {
        _clock?.Dispose();
        _client.Dispose();
        _listener.Dispose();
        foreach (Worker server in _servers)
            server.Dispose();
    }

    [Theory]
    [InlineData("0 1 2 3 4 5 6 7 8 9", 10, null)]
    [InlineData("100 101 102 103", 4, null)] // the first one seen may have any number
    [InlineData("0 1 2 3 4 5 6 8 9", 7, "sequence number 8 where 7 was due")]
    [InlineData("0 1 2 3 4 5 6 6 7 8 9", 7, "sequence number 6 where 7 was due")]
    [InlineData("0 1 2 3 4 5 7 6 8 9", 6, "sequence number 7 where 6 was due")]
    [InlineData("0 2", 1, "sequence number 2 where 1 was due")]
    [InlineData("0 0", 1, "sequence number 0 where 1 was due")]
    [InlineData("9223372036854775807 0", 1, "sequence number 0 where -9223372036854775808 was due")]
    public void Take_OneOddMessage_IsWhereItsCountsEnd(string sequences, int counted, string? violation)
    {
        foreach (bool isOneByOne in new[] { false, true })
        {
            int before = _peers.Count;
            RsslChannel channel = Open();
            TransportPeer peer = _peers[before];
            CounterSnapshot start = Counts();
            foreach (string sequence in sequences.Split(' '))
            {
                Send(channel, long.Parse(sequence, CultureInfo.InvariantCulture), stamp: 0);
                if (isOneByOne)
                    TurnServers(); // the number that is due outlives the turn
            }

            End(channel, peer);
            CounterSnapshot found = Counts() - start;
            Assert.Equal((counted, counted * Bytes), (found[Counter.MessagesReceived], found[Counter.BytesReceived]));
            Assert.Equal((violation is not null, violation is null, violation is null), (peer.LostMessages, peer.IsOrderly, peer.WasPartner));
            Assert.Equal(violation ?? peer.EndText, peer.EndText);
            Assert.Equal(0, found[Counter.DrainedMessages] + found[Counter.MessageStampsReceived]);
        }
    }

    [Fact]
    public void Take_FirstMessages_BelongToTheStart()
    {
        RsslChannel channel = Open();
        Assert.DoesNotContain(_servers, server => server.Recording.TimeOf(Moment.FirstMessage) is not null);
        Send(channel, 0, stamp: 0);
        Until(() => Counts()[Counter.MessagesReceived] == 1);
        Assert.Equal((1, Bytes), (Counts()[Counter.StartupMessages], Counts()[Counter.StartupBytes]));
        Assert.Single(_servers, server => server.Recording.TimeOf(Moment.FirstMessage) is not null);
        Assert.DoesNotContain(_servers, server => server.Recording.TimeOf(Moment.ReceivingSettled) is not null);
    }

    [Fact]
    public void Take_StampedMessages_AreCountedApartAndTheirAgeIsTheLatency()
    {
        const double age = 1_000_000; // in microseconds
        RsslChannel channel = Open();
        long start = Clock.NowNanos;
        for (int i = 0; i < 10; i++)
            Send(channel, i, stamp: i % 3 == 0 ? start - (long)(age * Clock.NanosPerMicro) : 0);
        End(channel, _peers[0]);
        double passed = (double)(Clock.NowNanos - start) / Clock.NanosPerMicro;
        Assert.Equal((10, 4), (Counts()[Counter.MessagesReceived], Counts()[Counter.MessageStampsReceived]));
        LatencyFigures found = Assert.Single(_servers.Select(server => server.Recording[Series.Messages].CollectRest()), one => one.Count > 0);
        Assert.Equal(4, found.Count);
        Assert.InRange(found.Min, age, found.Max);
        Assert.InRange(found.Max, age, age + passed);
    }

    /// <summary>A stamp of a clock whose difference is not known is counted, and has no latency; one of a known clock has, without any allocation.</summary>
    [Fact]
    public void Take_StampsOfAnotherClock_HaveALatencyOnceItIsKnown()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "other systems have no name for a clock");
        byte[] key = new byte[32];
        string file = Path.GetTempFileName();
        using ClockAnswerer answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), key, () => Clock.NowNanos);
        try
        {
            File.WriteAllBytes(file, key);
            _clock = PeerClock.Open(new() { Peer = answerer.Local.ToString(), KeyFile = file });
            RsslChannel channel = Open();
            for (int i = 0; i < 3; i++)
                Send(channel, i, stamp: Clock.NowNanos);
            Until(() => Counts()[Counter.MessagesReceived] == 3);
            _clock.Begin(CancellationToken.None); // it is this one
            for (int i = 3; i < 10; i++)
                Send(channel, i, stamp: Clock.NowNanos);
            End(channel, _peers[0]);
            Assert.Equal((10, 3), (Counts()[Counter.MessageStampsReceived], Counts()[Counter.Uncorrected]));
            Assert.Equal(7, _servers.Sum(server => server.Recording[Series.Messages].CollectRest().Count));

            PeerStamps stamps = new(_clock, LatencyUnit.Nanoseconds, _servers[0].Recording.Counters);
            Assert.True(stamps.TryRead(1, 2, out long sent)); // compiled
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (ulong i = 0; i < 1_000; i++)
                stamps.TryRead(i, 500, out sent); // half of them are later than now
            Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        }
        finally
        {
            File.Delete(file);
        }
    }

    // Each connection is numbered separately, and the sums are those of all threads.
    [Fact]
    public void Take_TwoConnectionsOnTwoThreads_AreCheckedAloneAndSummedUp()
    {
        RsslChannel[] channels = [Open(), Open()];
        for (int i = 0; i < 10; i++)
        {
            Send(channels[0], i, stamp: 0);
            Send(channels[1], 5 + i - (i > 6 ? 1 : 0), stamp: 0); // repeats 11
            TurnServers();
        }

        End(channels[0], _peers[0]);
        End(channels[1], _peers[1]);
        Assert.Equal([10, 7], _servers.Select(server => server.Recording.Counters[Counter.MessagesReceived]).OrderDescending());
        Assert.Equal((17, 17 * Bytes), (Counts()[Counter.MessagesReceived], Counts()[Counter.BytesReceived]));
        Assert.Equal((false, true), (_peers[0].LostMessages, _peers[1].LostMessages));
        Assert.Equal("sequence number 11 where 12 was due", _peers[1].EndText);
    }

    [Theory]
    [InlineData(5, false)]
    [InlineData(5, true)]
    [InlineData(0, false)]
    public void Take_MessagesAfterTheEnd_AreDrainedAndStillChecked(int after, bool losesOne)
    {
        const int before = 10;
        RsslChannel channel = Open();
        for (int i = 0; i < before; i++)
            Send(channel, i, stamp: 0);
        Until(() => Counts()[Counter.MessagesReceived] == before);
        foreach (Worker server in _servers)
            server.RequestEnd();
        TurnServers();
        for (int i = 0; i < after; i++)
            Send(channel, before + i + (losesOne && i > 2 ? 1 : 0), stamp: 0);
        End(channel, _peers[0]);
        int drained = losesOne ? 3 : after;
        CounterSnapshot found = Counts();
        Assert.Equal((before + drained, drained), (found[Counter.MessagesReceived], found[Counter.DrainedMessages]));
        Assert.Equal(((before + drained) * Bytes, drained * Bytes), (found[Counter.BytesReceived], found[Counter.DrainedBytes]));
        Assert.Equal(losesOne, _peers[0].LostMessages);
    }

    private CounterSnapshot Counts() =>
        _servers.Aggregate(default(CounterSnapshot), (sum, server) => sum + server.Recording.Counters.Snapshot());

    private RsslChannel Open()
    {
        RsslChannel channel = _client.Connect(new ConnectOptions { Host = MemoryNetwork.Host, Port = _listener.Port });
        Until(() => channel.State == ChannelState.Active);
        return channel;
    }

    private TransportPeer CreatePeer(Worker worker)
    {
        _peers.Add(new(_options, TransportPerfRole.CreateMessages(_options, worker.Options.Number), _ended, _clock));
        return _peers[^1];
    }

    private static void Send(RsslChannel channel, long sequence, long stamp)
    {
        if (channel.State != ChannelState.Active || !channel.TryBeginMessage(Bytes, out Span<byte> room))
            return; // the server has closed it, as it should
        RawMessage.Write(room[..Bytes], sequence, stamp);
        channel.EndMessage(Bytes);
        channel.Flush();
    }

    private void End(RsslChannel channel, TransportPeer peer)
    {
        TurnServers();
        _client.Wait(0);
        channel.Close();
        Until(() => _ended.Contains(peer));
    }

    private void Until(Func<bool> condition)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
        {
            Assert.True(waited.Elapsed < Limit, "the condition never held");
            _client.Wait(0);
            TurnServers();
        }
    }

    private void TurnServers()
    {
        _listener.Accept(TimeSpan.Zero, _servers, CreatePeer, CancellationToken.None);
        foreach (Worker server in _servers)
        {
            server.Wake(); // nothing to wait for
            server.Turn();
        }
    }
}
