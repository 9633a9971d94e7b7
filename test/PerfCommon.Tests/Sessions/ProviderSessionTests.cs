using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A provider's sessions on a worker's thread against simulated clients.</summary>
public sealed class ProviderSessionTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);
    private static readonly ServiceInfo Service = new() { Id = 1, Name = "DIRECT_FEED" };

    private readonly ChannelPoller _clients = new();
    private readonly RsslListener _listener =
        RsslListener.Bind(new ListenOptions { Port = 0, OutputBuffers = 20, SendBufferBytes = 4_096 });
    private readonly BurstPlan _updates = SessionSamples.Updates();
    private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording());
    private readonly WorkerThread _thread;

    public ProviderSessionTests() => _thread = new WorkerThread("provider", ThreadBinding.Unbound, () =>
    {
        while (!_worker.HasEnded)
            _worker.Turn();
    });

    private CounterSet Counters => _worker.Recording.Counters;

    public void Dispose()
    {
        _worker.RequestEnd();
        _thread.Join(Limit);
        _worker.Dispose();
        _clients.Dispose();
        _listener.Dispose();
    }

    [Fact]
    public void Turn_OneReaderStops_TheOtherGoesOnAndAllIsCounted()
    {
        RsslChannel slow = Connect();
        RsslChannel quick = Connect();
        long quickUpdates = 0, slowUpdates = 0;
        AskItems(slow);
        Until(() =>
        {
            slowUpdates += CountUpdates(slow); // until all its items have been sent
            return Counters[Counter.RefreshesSent] == 5;
        });
        AskItems(quick);
        Until(() =>
        {
            quickUpdates += CountUpdates(quick);
            return Counters[Counter.UpdatesStopped] > 0;
        });
        long stalled = quickUpdates;
        Until(() => (quickUpdates += CountUpdates(quick)) > stalled + 1_000);

        _worker.RequestEnd();
        Until(() =>
        {
            quickUpdates += CountUpdates(quick);
            slowUpdates += CountUpdates(slow);
            return !_thread.IsAlive && quick.State == ChannelState.Closed && slow.State == ChannelState.Closed;
        });
        Assert.Null(_thread.Defect);
        Assert.Equal(Counters[Counter.UpdatesSent], quickUpdates + slowUpdates);
        Assert.Equal(10, Counters[Counter.RefreshesSent]);

        IReadOnlyList<ConnectionAccount> accounts = _worker.Recording.Connections; // the slow one first
        Assert.Equal(2, accounts.Count);
        Assert.True(accounts[0].Counts[Counter.UpdatesStopped] > 0 && accounts[0].NotSent >= accounts[1].NotSent);
        Assert.Equal([slowUpdates, quickUpdates], accounts.Select(account => account.Counts[Counter.UpdatesSent]));
        Assert.Equal(Counters[Counter.UpdatesNotSent], accounts.Sum(account => account.NotSent));
        Assert.Equal(slow.Info.LocalAddress!.ToString(), accounts[0].Address);
    }

    [Fact]
    public void Turn_MessageThatIsNone_ClosesThatConnectionOnly()
    {
        RsslChannel bad = Connect();
        RsslChannel good = Connect();
        AskItems(good);
        Queue(bad, room => room[..3].Length);
        bad.Flush();
        long updates = 0;
        Until(() =>
        {
            updates += CountUpdates(good);
            CountUpdates(bad);
            return bad.State == ChannelState.Closed && updates > 0 && _worker.Recording.AnyBroken;
        });

        Assert.Equal(ChannelState.Active, good.State);
        Assert.True(_worker.Recording.AnyBroken);
    }

    [Theory]
    [InlineData(RequestFlags.Streaming, 0x1e8)]
    [InlineData(RequestFlags.Streaming | RequestFlags.PrivateStream, 0x5e8)]
    public void Turn_RequestForAPrivateStream_ImageSaysThatItIs(int asked, int expected)
    {
        RsslChannel channel = Connect();
        Queue(channel, room => DomainMsg.Encode(room, new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = asked,
            Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = Service.Id, Name = "RDT1"u8 },
        }));
        channel.Flush();

        int flags = 0;
        Until(() =>
        {
            while (channel.TryRead(out ReadOnlySpan<byte> message))
            {
                if (RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success && msg.MsgClass == MsgClass.Refresh)
                    flags = msg.Flags;
            }

            return flags != 0;
        });
        Assert.Equal(expected, flags);
    }

    private RsslChannel Connect()
    {
        RsslChannel channel =
            _clients.Connect(new ConnectOptions { Host = "127.0.0.1", Port = _listener.Port, ReceiveBufferBytes = 4_096 });
        Until(() =>
        {
            if (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? connection))
            {
                _worker.Serve(connection,
                    new ProviderSession(SessionSamples.Provider with { LoginOptional = true }, new SampleLoad(_updates)));
            }

            return channel.State == ChannelState.Active;
        });
        return channel;
    }

    // All at once, so that all refreshes are due before the first update.
    private static void AskItems(RsslChannel channel)
    {
        for (int i = 0; i < 5; i++)
        {
            byte[] name = System.Text.Encoding.ASCII.GetBytes($"RDT{i}");
            Queue(channel, room => MarketPriceConsumer.EncodeRequest(room, 6 + i, Service, name, isStreaming: true));
        }

        channel.Flush();
    }

    private delegate int Encoder(Span<byte> room);

    private static void Queue(RsslChannel channel, Encoder encode)
    {
        Assert.True(channel.TryBeginMessage(200, out Span<byte> room));
        room.Clear();
        channel.EndMessage(encode(room));
    }

    private static long CountUpdates(RsslChannel channel)
    {
        long count = 0;
        while (channel.TryRead(out ReadOnlySpan<byte> message))
            count += UpdateHeader.TryRead(message, out _) ? 1 : 0;
        return count;
    }

    private void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held; {_thread.Defect}");
            _clients.Wait(Clock.NowNanos + 2_000_000);
        }
    }
}
