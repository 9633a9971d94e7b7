using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using Tools.Tests.PerfHubTests.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The records that a source thread counts and sends to each session thread, rule by rule.</summary>
[Trait("Category", "Fast")]
public sealed class SourceRecordTests : SourceRulesBench
{
    [Fact]
    public void Update_ThatCannotBeDecoded_IsCountedAndGoesToNobody()
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        byte[] whole = Update(5, UpdateType.Quote, New);
        Take(whole[..^1], isQuick: true);
        Take(whole[..^1], isQuick: false);
        Assert.Empty(Read(0));
        Assert.Equal((2L, 2L), (Count(HubCounter.UpdatesReceived), Count(Counter.MessagesDropped)));
        Assert.Equal([1], Kept());
        Assert.True(_bench.Worker.Recording.Notices.TryDequeue(out _));
        Assert.False(_bench.Worker.Recording.Notices.TryDequeue(out _)); // the first is said, the others are counted
    }

    /// <summary>Each session thread of a set that watches receives a message once, after one time for all that was received together.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    public void Message_OfAWatchedItem_GoesOnceToEachThreadThatWatches(int threads)
    {
        int[] watching = [.. Enumerable.Range(0, SourceBench.SessionThreads).Where(thread => ((threads >> thread) & 1) != 0)];
        foreach (int thread in watching)
        {
            _item.AddWatcher(thread);
            _item.AddWatcher(thread); // another of the same thread
            _item.RemoveWatcher(thread);
        }

        byte[] update = Update(5, UpdateType.Quote, New);
        byte[] generic =
            Wire.Encode(new RwfMsg { MsgClass = MsgClass.Generic, DomainType = DomainType.MarketPrice, StreamId = 5, ContainerType = DataType.NoData });
        _bench.Host.Broadcaster.RecordReceived(111);
        Take(update, isQuick: true);
        _bench.Host.Broadcaster.RecordReceived(111);
        Take(generic);
        TakeStatus(DataState.NoChange);
        _bench.Host.Broadcaster.RecordReceived(222);
        Take(update, isQuick: true);

        for (int thread = 0; thread < SourceBench.SessionThreads; thread++)
        {
            List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = Read(thread);
            Assert.Equal(watching.Contains(thread)
                ? [SourceRecord.Received, SourceRecord.Update, SourceRecord.Generic, SourceRecord.Status, SourceRecord.Received, SourceRecord.Update] : [],
                records.Select(record => record.Kind));
            Assert.Equal(watching.Contains(thread) ? [111L, 222L] : [],
                records.Where(record => record.Kind == SourceRecord.Received).Select(record => BinaryPrimitives.ReadInt64LittleEndian(record.Bytes)));
        }

        int copies = Math.Max(watching.Length - 1, 0), unwatched = watching.Length == 0 ? 1 : 0;
        Assert.Equal((2L, 2L * copies, 2L * unwatched),
            (Count(HubCounter.UpdatesReceived), Count(HubCounter.UpdatesCopied), Count(HubCounter.UpdatesUnwatched)));
        Assert.Equal((1L, copies, unwatched),
            (Count(HubCounter.SourceGenericReceived), Count(HubCounter.GenericCopied), Count(Counter.GenericNotSent)));
        Assert.Equal((1L, 0L), (Count(Counter.StatusesReceived), Count(HubCounter.PostsCopied)));
    }

    [Fact]
    public void Watchers_OfOneThread_AreCountedUntilTheLastIsGone()
    {
        for (int i = 0; i < 3; i++)
            _item.AddWatcher(2);
        for (int left = 3; left > 0; left--)
        {
            Assert.Equal(left, _item.Watchers);
            Take(Update(5, UpdateType.Quote, New), isQuick: true);
            Assert.Contains(Read(2), record => record.Kind == SourceRecord.Update);
            _item.RemoveWatcher(2);
        }

        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Assert.Empty(Read(2));
        Assert.Equal((0, 1L, true), (_item.Watchers, Count(HubCounter.UpdatesUnwatched), _item.IsUnwanted));
    }

    [Theory]
    [InlineData(StreamState.Closed)]
    [InlineData(StreamState.ClosedRecover)]
    [InlineData(StreamState.Redirected)]
    public void Status_ThatEndsTheStream_IsTheLastForItsWatchers(StreamState state)
    {
        _item.AddWatcher(0);
        Take(Wire.Encode(Wire.Status(DomainType.MarketPrice, 5, state, DataState.Suspect)));
        Assert.Equal([SourceRecord.Received, SourceRecord.Final], Read(0).Select(record => record.Kind));
        Assert.True(_item.IsOver);
    }

    [Fact]
    public void SourceGone_WatchedOrNot_LeavesTheItemSuspect()
    {
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        _bench.Host.Receiver.Suspect(_item);
        Assert.Equal((false, 0), (_item.Image.IsOk, Read(0).Count));
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        _bench.Host.Receiver.Suspect(_item);
        RwfMsg status = Wire.Decode(Read(0)[^1].Bytes);
        Assert.Equal((StreamState.Open, DataState.Suspect, false), (status.State.StreamState, status.State.DataState, _item.Image.IsOk));
    }

    /// <summary>Updates that wait for others: one is left, of the type and with the values of the last, ahead of the image.</summary>
    [Fact]
    public void Updates_ThatWait_BecomeOneOfTheLastType()
    {
        _bench.Settings.Tuning.ThrottleNanos = Clock.NanosPerSecond;
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        foreach ((byte value, UpdateType type) in ((byte, UpdateType)[])[(1, UpdateType.Quote), (2, UpdateType.Trade), (3, UpdateType.NewsAlert),
            (4, UpdateType.ClosingRun)])
        {
            Take(Update(5, type, HostileMessages.List(value, 1, value: value)), isQuick: true);
        }

        Assert.Equal((1, 2L), (Read(0).Count(record => record.Kind == SourceRecord.Update), Count(HubCounter.UpdatesThrottled)));

        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = Read(0);
        Assert.Equal([SourceRecord.Received, SourceRecord.Update, SourceRecord.Image], records.Select(record => record.Kind));
        RwfMsg merged = Wire.Decode(records[1].Bytes);
        Assert.Equal(UpdateType.ClosingRun, merged.UpdateType);
        Assert.Equal((byte[])[2, 3, 4], HostileMessages.Read(merged.Payload).Values.Select(value => value[0]).Order());
        Assert.Equal((4L, 2L, 0L),
            (Count(HubCounter.UpdatesReceived), Count(HubCounter.UpdatesThrottled), Count(HubCounter.UpdatesUnwatched)));
    }

    [Fact]
    public void Update_BehindTheTimeOfTheFirst_GoesOnAtOnce()
    {
        const long Wait = 20 * Clock.NanosPerMilli;
        _bench.Settings.Tuning.ThrottleNanos = Wait;
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Read(0);
        _bench.Time.Advance(Wait);
        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Assert.Single(Read(0));
        _bench.Time.Advance(Wait - 1);
        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Assert.Empty(Read(0));
    }

    /// <summary>A source knows its service by another id than the hub: who watches gets the hub's, and all else as it was sent.</summary>
    [Theory]
    [InlineData(MsgClass.Generic)]
    [InlineData(MsgClass.Status)]
    [InlineData(MsgClass.Update)]
    public void Message_ThatNamesTheServiceByTheSourcesId_NamesItByTheHubs(MsgClass msgClass)
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        foreach (int nameBytes in (int[])[2, 200, 20])
        {
            byte[] theirs = WithKey(msgClass, serviceId: 700, nameBytes), ours = WithKey(msgClass, _bench.Published.Service.Id, nameBytes);
            foreach (byte[] message in (byte[][])[theirs, ours])
            {
                Take(message);
                Assert.Equal(ours, Read(0).Single(record => record.Kind != SourceRecord.Received).Bytes);
            }
        }
    }

    [Theory, MemberData(nameof(Classes))]
    public void Message_ForAnItemThatIsClosed_IsCountedAsWhatItIs(MsgClass msgClass)
    {
        _bench.Host.Receiver.CountUnused(msgClass);
        Counter[] expected = msgClass switch
        {
            MsgClass.Refresh => [Counter.RefreshesReceived],
            MsgClass.Update => [HubCounter.UpdatesReceived, HubCounter.UpdatesUnwatched],
            MsgClass.Generic => [HubCounter.SourceGenericReceived, Counter.GenericNotSent],
            MsgClass.Request or MsgClass.Status or MsgClass.Close or MsgClass.Ack or MsgClass.Post => [],
            _ => throw new InvalidOperationException($"{msgClass} has no row"),
        };
        Assert.Equal(expected.Order(), HubCounter.Schema.Counters.Where(counter => Count(counter) != 0));
    }
}
