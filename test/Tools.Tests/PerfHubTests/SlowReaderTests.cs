using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Consumers;
using PerfHub.Counting;
using PerfHub.Memory;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The backlog of a consumer that has stopped reading: its size and age, the fate of the rest, and the reports about it.</summary>
public class SlowReaderTests
{
    private const int MaxQueueBytes = 65_536;
    private const int MessageBytes = 1_200; // with its header and its frame, at most
    private const int PatienceTurns = 100; // of a millisecond
    private const int GoneMillis = 3_000;
    private static readonly byte[] List = HostileMessages.List(1, 100, 8);

    [Theory]
    [InlineData(SlowConsumerPolicy.Drop)]
    [InlineData(SlowConsumerPolicy.Conflate)]
    internal void Updates_ForAStoppedReader_FillItsQueueAndNoMoreAndEachIsCounted(SlowConsumerPolicy policy)
    {
        using PublishedItem item = new(Options(policy));
        TalkingPeer reader = item.Watch();
        Counter lost = policy == SlowConsumerPolicy.Drop ? HubCounter.UpdatesDropped : HubCounter.UpdatesConflated;
        int sent = 0;
        for (int round = 0; round < 3; round++)
        {
            item.Hub.Stop(reader);
            sent += item.SendUntil(() => item.Hub.Count(lost) > 20 * (round + 1), () => item.SendUpdate(List));
            Assert.InRange(item.MostQueued, MaxQueueBytes + 1, MaxQueueBytes + MessageBytes);
            item.Hub.Resume(reader);
            item.Hub.Turns(20); // it catches up
        }

        Assert.Equal((sent, 0L), (reader.Updates + item.Hub.Count(lost), item.Hub.Count(HubCounter.ConnectionsCut)));
        Assert.Equal(sent, item.Hub.Count(HubCounter.CopiesDue));
    }

    [Fact]
    public void Reader_BehindForMoreThanItsTime_IsCutThen()
    {
        using PublishedItem item = new(Options(SlowConsumerPolicy.Disconnect));
        TalkingPeer reader = item.Watch(), other = item.Watch();
        item.Hub.Stop(reader);
        item.SendUntil(() => item.MostQueued > MaxQueueBytes, () => item.SendUpdate(List));
        int turns = item.SendUntil(() => item.Hub.Count(HubCounter.ConnectionsCut) > 0, () => item.SendUpdate(List));
        Assert.InRange(turns, PatienceTurns + 1, PatienceTurns + 5);
        Assert.InRange(item.MostQueued, MaxQueueBytes + (PatienceTurns * 1_000), MaxQueueBytes + ((PatienceTurns + 5) * MessageBytes));
        Assert.Null(other.Closed);
        item.Hub.Until(() => item.Hub.Read(HubGauge.Consumers) == 1);
        Assert.Contains(item.Hub.TakeNotices(), notice =>
            notice.Contains($" bytes wait for it, for {PatienceTurns + 1} ms more than the limit of {MaxQueueBytes}.", StringComparison.Ordinal));
    }

    [Fact]
    public void Reader_ThatCatchesUp_HasItsTimeAnew()
    {
        using PublishedItem item = new(Options(SlowConsumerPolicy.Disconnect));
        TalkingPeer reader = item.Watch();
        item.Hub.Stop(reader);
        int turns = item.SendUntil(() => item.MostQueued > MaxQueueBytes, () => item.SendUpdate(List)) + PatienceTurns - 10;
        item.Hub.Resume(reader);
        item.Hub.Turns(10);
        for (int round = 0; round < 3; round++)
        {
            item.Hub.Stop(reader);
            for (int turn = 0; turn < turns; turn++)
            {
                item.SendUpdate(List);
                item.Hub.Turn();
            }

            item.Hub.Resume(reader);
            item.Hub.Turns(10);
            item.SendUpdate(List);
            item.Hub.Turns(5);
        }

        Assert.InRange(item.MostQueued, MaxQueueBytes + (50 * 1_000), 8 * MaxQueueBytes);
        Assert.Equal(0, item.Hub.Count(HubCounter.ConnectionsCut));
    }

    [Fact]
    public void Reader_BehindByManyQueues_IsCutAtOnce()
    {
        using PublishedItem item = new(Options(SlowConsumerPolicy.Disconnect));
        item.Hub.Stop(item.Watch());
        item.SendUntil(() => item.MostQueued > MaxQueueBytes, () => item.SendUpdate(List));
        int turns = item.SendUntil(() => item.Hub.Count(HubCounter.ConnectionsCut) > 0, () =>
        {
            for (int i = 0; i < 40; i++)
                item.SendUpdate(List);
        });
        Assert.InRange(turns, 5, 20);
        Assert.InRange(item.MostQueued, 8 * MaxQueueBytes, (8 * MaxQueueBytes) + (40 * MessageBytes));
    }

    [Fact]
    public void Updates_ThatAreNoFieldLists_ForAStoppedConflatingReader_AreDroppedAndCounted()
    {
        const int Others = 7;
        using PublishedItem item = new(Options(SlowConsumerPolicy.Conflate));
        TalkingPeer reader = item.Watch();
        item.Hub.Stop(reader);
        int sent = item.SendUntil(() => item.Hub.Count(HubCounter.UpdatesConflated) > 3, () => item.SendUpdate(List));
        long conflated = item.Hub.Count(HubCounter.UpdatesConflated);
        for (int i = 0; i < Others; i++)
            item.SendUnmergeable([1, 2, 3]);
        item.Hub.Turns(5);
        Assert.Equal(((long)Others, conflated), (item.Hub.Count(HubCounter.UpdatesDropped), item.Hub.Count(HubCounter.UpdatesConflated)));
        item.Hub.Resume(reader);
        item.Hub.Turns(20);
        Assert.Equal(sent + Others, reader.Updates + item.Hub.Count(HubCounter.UpdatesDropped) + item.Hub.Count(HubCounter.UpdatesConflated));
    }

    /// <summary>What cannot be left out has twice the room where updates are left out, and as much as these where they are not.</summary>
    [Theory]
    [InlineData(SlowConsumerPolicy.Drop, 2)]
    [InlineData(SlowConsumerPolicy.Conflate, 2)]
    internal void Generics_ForAStoppedReader_HaveTwiceTheRoomAndThenItIsCut(SlowConsumerPolicy policy, int queues)
    {
        using PublishedItem item = new(Options(policy));
        item.Hub.Stop(item.Watch());
        byte[] payload = new byte[1_000];
        int sent = item.SendUntil(() => item.Hub.Count(HubCounter.ConnectionsCut) > 0, () => item.SendGeneric(payload));
        Assert.InRange(item.MostQueued, (queues * MaxQueueBytes) + 1, (queues * MaxQueueBytes) + MessageBytes);
        item.Hub.Turns(5);
        Assert.Equal(sent, item.Hub.Count(HubCounter.SourceGenericReceived));
        Assert.Equal(sent, item.Hub.Count(Counter.GenericSent) + item.Hub.Count(Counter.GenericNotSent));
    }

    /// <summary>Images take half of the queue, whatever comes; the last of them is there once the reader takes what waits.</summary>
    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect)]
    [InlineData(SlowConsumerPolicy.Drop)]
    internal void Images_ForAStoppedReader_TakeHalfOfItsQueueAndTheLastComesLater(SlowConsumerPolicy policy)
    {
        using PublishedItem item = new(Options(policy));
        TalkingPeer reader = item.Watch();
        item.Hub.Stop(reader);
        for (int turn = 0; turn < 500; turn++)
        {
            item.SendImage(HostileMessages.List(1, 100, 8, value: (byte)(turn % 200)));
            item.Hub.Turn();
        }

        Assert.InRange(item.MostQueued, (MaxQueueBytes / 2) + 1, (MaxQueueBytes / 2) + MessageBytes);
        item.SendUpdate(HostileMessages.List(2, 1, 1, value: 77)); // the image that is owed has it
        item.Hub.Turns(3);
        Assert.Equal((0, 1L), (reader.Updates, item.Hub.Count(HubCounter.UpdatesConflated)));
        item.Hub.Resume(reader);
        item.Hub.Turns(20);
        Assert.Equal(0, item.Hub.Count(HubCounter.ConnectionsCut));
        Dictionary<short, byte[]> fields = HostileMessages.Read(reader.Last(MsgClass.Refresh).Payload);
        Assert.Equal((100, 77, 499 % 200), (fields.Count, fields[2][0], fields[1][0]));
    }

    /// <summary>A message is through once the last watcher's socket has it, or never will; not before, though another has it.</summary>
    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    [InlineData(0.004, false)]
    [InlineData(0.004, true)]
    public void Latency_OfAMessage_EndsWithTheSocketOfItsLastWatcher(double burstSeconds, bool isGone)
    {
        const int Turns = 60;
        using PublishedItem item = new(Options(SlowConsumerPolicy.Conflate) with { BurstMaxSeconds = burstSeconds, BurstMinSeconds = burstSeconds });
        TalkingPeer slow = item.Watch(), quick = item.Watch();
        LatencySeries through = item.Hub.Sessions.Recording[Series.Through];
        item.Hub.Stop(slow);
        int sent = item.SendUntil(() => item.MostQueued > 0, () => item.SendUpdate(List));
        item.Hub.Turns(20);
        long before = through.CollectRest().Count;
        Assert.InRange(before, 1, sent - 1); // those that found room in the network

        for (int i = 0; i < 3; i++)
            item.SendUpdate(List);
        item.Hub.Turns(Turns);
        Assert.Equal((sent + 3, 0L), (quick.Updates, through.CollectRest().Count));
        if (isGone)
            slow.Worker.Dispose();
        else
            item.Hub.Resume(slow);
        item.Hub.Turns(10);
        item.Hub.Until(() => item.Hub.Read(HubGauge.Consumers) == (isGone ? 1 : 2));
        LatencyFigures late = through.CollectRest();
        Assert.Equal(sent + 3, before + late.Count);
        double waited = isGone ? GoneMillis : 0; // one that ends its own stream may still read, for so long
        Assert.InRange(late.Min, (waited + Turns - 10) * 1_000.0, (waited + Turns + 40) * 1_000.0);
    }

    [Fact]
    public void BytesOfAConnection_AreThoseOfItsStreamsNamesAndQueue()
    {
        const int ItemBytes = 1_000, Names = 30, LongName = 40;
        using PublishedItem item = new(Options(SlowConsumerPolicy.Drop) with { Services = [new OwnService("POSTED", 5)] });
        TalkingPeer small = item.Watch(), great = item.Watch();
        Assert.Equal((64 + ItemBytes, 2), Greatest(item, ItemBytes));
        for (int i = 0; i < Names; i++)
            great.Say(Wire.Encode(TalkingPeer.Request(10 + i, 5, $"P{i}".PadRight(LongName, '-'))));
        item.Hub.Until(() => great.Answers.Count == 1 + Names);
        int streams = 64 + ItemBytes + (Names * (48 + LongName + ItemBytes));
        Assert.Equal((streams, 2), Greatest(item, ItemBytes));

        item.Hub.Stop(great);
        item.SendUntil(() => item.MostQueued > 20_000, () => item.SendUpdate(List));
        Assert.Equal((streams + item.MostQueued, 2), Greatest(item, ItemBytes));
        item.Hub.Resume(great);
        item.Hub.Turns(10);
        Assert.Equal((streams, 2), Greatest(item, ItemBytes));

        for (int i = 0; i < Names; i++)
            great.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = 10 + i }));
        item.Hub.Until(() => item.Hub.Read(HubGauge.Watchers) == 2);
        Assert.Equal((64 + ItemBytes, 2), Greatest(item, ItemBytes));
        small.Worker.Dispose();
        great.Worker.Dispose();
        item.Hub.Until(() => item.Hub.Read(HubGauge.Consumers) == 0);
        Assert.Equal(default, item.Host.FindGreatest(ItemBytes));
    }

    [Fact]
    public void BytesOfAConnection_HaveWhatWaitsMergedToo()
    {
        using PublishedItem item = new(Options(SlowConsumerPolicy.Conflate));
        TalkingPeer reader = item.Watch();
        item.Hub.Stop(reader);
        item.SendUntil(() => item.Hub.Count(HubCounter.UpdatesConflated) > 3, () => item.SendUpdate(List));
        (long bytes, _) = Greatest(item, itemBytes: 0);
        Assert.InRange(bytes - item.MostQueued - 64, 900, 4_000); // a hundred fields of eight bytes
        item.Hub.Resume(reader);
        item.Hub.Turns(20);
        Assert.Equal(64, Greatest(item, itemBytes: 0).Bytes);
    }

    /// <summary>Every watcher on every session thread is counted while it watches: the copies that are due, and those that are made.</summary>
    [Theory]
    [InlineData(1, 0)]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 1)]
    public void Watchers_OfEverySessionThread_AreDueACopyEach(int sessionThreads, int sourceThreads)
    {
        const int Most = 5;
        using PublishedItem item = new(new HubPerfOptions { SourceThreads = sourceThreads }, sessionThreads);
        List<TalkingPeer> peers = [.. Enumerable.Range(0, Most).Select(_ => item.Watch())];
        Assert.All(item.Hub.SessionWorkers, worker => Assert.True(worker.Recording[HubGauge.Watchers] > 0));
        (long due, long received) = (0, 0);
        for (int left = Most; left > 0; left--)
        {
            Assert.Equal((left, left), (item.Hub.Read(HubGauge.Watchers), item.Hub.Read(HubGauge.Consumers)));
            item.SendUpdate(List);
            item.Hub.Turns(5);
            (due, received) = (due + left, received + 1);
            Assert.Equal((received, due, due),
                (item.Hub.Count(HubCounter.UpdatesReceived), item.Hub.Count(HubCounter.CopiesDue), item.Hub.Count(Counter.UpdatesSent)));
            Assert.Equal(due - received, item.Hub.Count(HubCounter.UpdatesCopied));
            Assert.All(peers, peer => Assert.Equal((int)received, peer.Updates));
            peers[0].Worker.RequestEnd();
            item.Hub.Until(() => item.Hub.Read(HubGauge.Consumers) == left - 1 && item.Hub.Read(HubGauge.Watchers) == left - 1);
            item.Hub.Turns(3); // the source thread has heard of it
            peers.RemoveAt(0);
        }

        item.SendUpdate(List);
        item.Hub.Turns(5);
        Assert.Equal((due, 1L), (item.Hub.Count(HubCounter.CopiesDue), item.Hub.Count(HubCounter.UpdatesUnwatched)));
    }

    private static (long Bytes, int Connections) Greatest(PublishedItem item, long itemBytes)
    {
        HubShare share = item.Host.FindGreatest(itemBytes);
        return (share.Bytes, share.Connections);
    }

    private static HubPerfOptions Options(SlowConsumerPolicy policy) => new() { Slow = policy, MaxQueueBytes = MaxQueueBytes, SourceThreads = 1 };
}
