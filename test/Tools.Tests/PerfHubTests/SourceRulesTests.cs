using System.Buffers.Binary;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Services;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The records that a source thread keeps, counts and sends to each session thread, rule by rule: its rings are read by hand.</summary>
[Trait("Category", "Fast")]
public sealed class SourceRulesTests : IDisposable
{
    private const int SessionThreads = 3;
    private static readonly byte[] Old = HostileMessages.List(1, 1), New = HostileMessages.List(2, 1, value: 9);

    private readonly TimeSource _time = TimeSource.StartAt(Clock.NanosPerSecond);
    private readonly Worker _worker;
    private readonly SourceSettings _settings = new() { Services = new ServiceTable() };
    private readonly UpstreamThread _host;
    private readonly CachedItem _item;

    public SourceRulesTests()
    {
        _worker = new Worker(new WorkerOptions(), new WorkerRecording(), new MemoryNetwork(_time));
        _host = new UpstreamThread(0, _worker, _settings, [.. Enumerable.Range(0, SessionThreads).Select(_ => new SleepFlag(_worker))]);
        HubService offered = new()
        {
            Offer = new ServiceOffer { Name = "FEED", Id = 1 },
            Dictionary = new DictionaryProvider(FieldDictionary.Default),
        };
        _item = _host.Items.Create(_host.Items.Offer([offered], _host.Items.Publishers)[0]!, "N1"u8, DomainType.MarketPrice);
    }

    public void Dispose() => _worker.Dispose();

    [Theory]
    [InlineData(true, true, true, false)]
    [InlineData(true, true, false, false)]
    [InlineData(true, false, false, false)]
    [InlineData(false, true, true, true)]
    [InlineData(false, true, false, true)]
    [InlineData(false, false, false, true)]
    [InlineData(false, false, true, false)] // what was suspect is good again: nothing of before holds
    public void Refresh_OverAnImage_ReplacesOrMergesAndKeepsItsState(bool clears, bool wasOk, bool isOk, bool keepsOld)
    {
        _item.AddWatcher(0);
        Refresh(wasOk, Old, RefreshFlags.RefreshComplete | RefreshFlags.ClearCache);
        Assert.Equal(wasOk, _item.Image.IsOk);
        Read(0);

        Refresh(isOk, New, RefreshFlags.RefreshComplete | (clears ? RefreshFlags.ClearCache : 0));
        Assert.Equal(isOk, _item.Image.IsOk);
        Assert.Equal(keepsOld ? [1, 2] : [2], Kept());
        RwfMsg image = Wire.Decode(Read(0).Single(record => record.Kind == SourceRecord.Image).Bytes);
        Assert.Equal(isOk ? DataState.Ok : DataState.Suspect, image.State.DataState);
        Assert.Equal(keepsOld ? [1, 2] : [2], HostileMessages.Read(image.Payload).Keys.Order());
    }

    [Theory]
    [InlineData(true, DataState.Ok, true)]
    [InlineData(true, DataState.Suspect, false)]
    [InlineData(true, DataState.NoChange, true)]
    [InlineData(true, null, true)]
    [InlineData(false, DataState.Ok, true)]
    [InlineData(false, DataState.Suspect, false)]
    [InlineData(false, DataState.NoChange, false)]
    [InlineData(false, null, false)]
    public void Status_OfAnItem_ChangesTheStateOfItsDataWhereItSaysOne(bool wasOk, DataState? state, bool isOk)
    {
        _item.AddWatcher(1);
        _item.Image.IsOk = wasOk;
        TakeStatus(state);
        Assert.Equal(isOk, _item.Image.IsOk);
        Assert.Equal([SourceRecord.Received, SourceRecord.Status], Read(1).Select(record => record.Kind));
        Assert.Equal(1, Count(Counter.StatusesReceived));
    }

    [Theory]
    [InlineData(DataType.ElementList)]
    [InlineData(DataType.Map)]
    [InlineData(DataType.NoData)]
    [InlineData(DataType.Opaque)]
    public void Refresh_OfAnotherPayload_IsCountedAndNotKept(DataType type)
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete, type);
        Assert.Equal((false, 1L), (_item.Image.Exists, Count(Counter.MessagesDropped)));
        Assert.Empty(Read(0));
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Refresh(isOk: false, New, RefreshFlags.RefreshComplete, type);
        Assert.Equal([1], Kept());
        Assert.Equal((true, 2L, 3L), (_item.Image.IsOk, Count(Counter.MessagesDropped), Count(Counter.RefreshesReceived)));
    }

    [Theory]
    [InlineData(DataType.FieldList, false, true)]
    [InlineData(DataType.FieldList, true, false)] // of the moment only
    [InlineData(DataType.ElementList, false, false)]
    [InlineData(DataType.Map, false, false)]
    public void Update_OfAnyPayload_GoesOnAndIsKeptWhereItIsOfTheImage(DataType type, bool isOfTheMoment, bool isKept)
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        byte[] update = Update(5, UpdateType.Trade, New, type, isOfTheMoment);
        foreach (bool isQuick in (bool[])[true, false])
        {
            Take(update, isQuick);
            (SourceRecord kind, int slot, byte[] bytes) = Assert.Single(Read(0));
            Assert.Equal((SourceRecord.Update, _item.Slot), (kind, slot));
            Assert.Equal(update, bytes);
            Assert.Equal(isKept ? [1, 2] : [1], Kept());
        }

        Assert.Equal((2L, 0L, 0L),
            (Count(Counter.UpdatesReceived), Count(Counter.UpdatesUnwatched), Count(Counter.MessagesDropped)));
    }

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
        Assert.Equal((2L, 2L), (Count(Counter.UpdatesReceived), Count(Counter.MessagesDropped)));
        Assert.Equal([1], Kept());
        Assert.True(_worker.Recording.Notices.TryDequeue(out _));
        Assert.False(_worker.Recording.Notices.TryDequeue(out _)); // the first is said, the others are counted
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
        int[] watching = [.. Enumerable.Range(0, SessionThreads).Where(thread => ((threads >> thread) & 1) != 0)];
        foreach (int thread in watching)
        {
            _item.AddWatcher(thread);
            _item.AddWatcher(thread); // another of the same thread
            _item.RemoveWatcher(thread);
        }

        byte[] update = Update(5, UpdateType.Quote, New);
        byte[] generic = Wire.Encode(new RwfMsg { MsgClass = MsgClass.Generic, DomainType = DomainType.MarketPrice, StreamId = 5, ContainerType = DataType.NoData });
        _host.Broadcaster.RecordReceived(111);
        Take(update, isQuick: true);
        _host.Broadcaster.RecordReceived(111);
        Take(generic);
        TakeStatus(DataState.NoChange);
        _host.Broadcaster.RecordReceived(222);
        Take(update, isQuick: true);

        for (int thread = 0; thread < SessionThreads; thread++)
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
            (Count(Counter.UpdatesReceived), Count(Counter.UpdatesCopied), Count(Counter.UpdatesUnwatched)));
        Assert.Equal((1L, copies, unwatched),
            (Count(Counter.SourceGenericReceived), Count(Counter.GenericCopied), Count(Counter.GenericNotSent)));
        Assert.Equal((1L, 0L), (Count(Counter.StatusesReceived), Count(Counter.PostsCopied)));
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
        Assert.Equal((0, 1L, true), (_item.Watchers, Count(Counter.UpdatesUnwatched), _item.IsUnwanted));
    }

    [Fact]
    public void Refresh_InParts_IsHandedOnOnceTheLastIsThere()
    {
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, flags: 0);
        Assert.Empty(Read(0));
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        byte[] image = Read(0).Single(record => record.Kind == SourceRecord.Image).Bytes;
        Assert.Equal((short[])[1, 2], HostileMessages.Read(Wire.Decode(image).Payload).Keys.Order());
    }

    [Fact]
    public void Refresh_WithAQuality_KeepsItUntilAnotherSaysMore()
    {
        RwfQos delayed = new((byte)QosTimeliness.DelayedUnknown, (byte)QosRate.JitConflated);
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete | RefreshFlags.HasQos, qos: delayed);
        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        Assert.Equal([delayed, delayed], Read(0).Where(record => record.Kind == SourceRecord.Image).Select(record => Wire.Decode(record.Bytes).Qos));
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
        _host.Receiver.Suspect(_item);
        Assert.Equal((false, 0), (_item.Image.IsOk, Read(0).Count));
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        _host.Receiver.Suspect(_item);
        RwfMsg status = Wire.Decode(Read(0)[^1].Bytes);
        Assert.Equal((StreamState.Open, DataState.Suspect, false), (status.State.StreamState, status.State.DataState, _item.Image.IsOk));
    }

    /// <summary>Updates that wait for others: one is left, of the type and with the values of the last, ahead of the image.</summary>
    [Fact]
    public void Updates_ThatWait_BecomeOneOfTheLastType()
    {
        _settings.Tuning.ThrottleNanos = Clock.NanosPerSecond;
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Read(0);
        foreach ((byte value, UpdateType type) in ((byte, UpdateType)[])[(1, UpdateType.Quote), (2, UpdateType.Trade), (3, UpdateType.NewsAlert), (4, UpdateType.ClosingRun)])
            Take(Update(5, type, HostileMessages.List(value, 1, value: value)), isQuick: true);
        Assert.Equal((1, 2L), (Read(0).Count(record => record.Kind == SourceRecord.Update), Count(Counter.UpdatesThrottled)));

        Refresh(isOk: true, New, RefreshFlags.RefreshComplete);
        List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = Read(0);
        Assert.Equal([SourceRecord.Received, SourceRecord.Update, SourceRecord.Image], records.Select(record => record.Kind));
        RwfMsg merged = Wire.Decode(records[1].Bytes);
        Assert.Equal(UpdateType.ClosingRun, merged.UpdateType);
        Assert.Equal((byte[])[2, 3, 4], HostileMessages.Read(merged.Payload).Values.Select(value => value[0]).Order());
        Assert.Equal((4L, 2L, 0L),
            (Count(Counter.UpdatesReceived), Count(Counter.UpdatesThrottled), Count(Counter.UpdatesUnwatched)));
    }

    [Fact]
    public void Update_BehindTheTimeOfTheFirst_GoesOnAtOnce()
    {
        const long Wait = 20 * Clock.NanosPerMilli;
        _settings.Tuning.ThrottleNanos = Wait;
        _item.AddWatcher(0);
        Refresh(isOk: true, Old, RefreshFlags.RefreshComplete);
        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Read(0);
        _time.Advance(Wait);
        Take(Update(5, UpdateType.Quote, New), isQuick: true);
        Assert.Single(Read(0));
        _time.Advance(Wait - 1);
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
            byte[] theirs = WithKey(msgClass, serviceId: 700, nameBytes), ours = WithKey(msgClass, serviceId: 1, nameBytes);
            foreach (byte[] message in (byte[][])[theirs, ours])
            {
                Take(message);
                Assert.Equal(ours, Read(0).Single(record => record.Kind != SourceRecord.Received).Bytes);
            }
        }
    }

    public static TheoryData<MsgClass> Classes => new(Enum.GetValues<MsgClass>());

    [Theory, MemberData(nameof(Classes))]
    public void Message_ForAnItemThatIsClosed_IsCountedAsWhatItIs(MsgClass msgClass)
    {
        _host.Receiver.CountUnused(msgClass);
        Counter[] expected = msgClass switch
        {
            MsgClass.Refresh => [Counter.RefreshesReceived],
            MsgClass.Update => [Counter.UpdatesReceived, Counter.UpdatesUnwatched],
            MsgClass.Generic => [Counter.SourceGenericReceived, Counter.GenericNotSent],
            MsgClass.Request or MsgClass.Status or MsgClass.Close or MsgClass.Ack or MsgClass.Post => [],
            _ => throw new InvalidOperationException($"{msgClass} has no row"),
        };
        Assert.Equal(expected.Order(), Enum.GetValues<Counter>().Where(counter => Count(counter) != 0));
    }

    private long Count(Counter counter) => _worker.Recording.Counters[counter];

    private IEnumerable<short> Kept() => HostileMessages.Read(_item.Read(_host.Items.Merger)).Keys.Order();

    private void Refresh(bool isOk, byte[] list, int flags, DataType type = DataType.FieldList, RwfQos qos = default) => Take(Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = flags,
        ContainerType = type,
        State = new RwfState(StreamState.Open, isOk ? DataState.Ok : DataState.Suspect),
        GroupId = DomainMsg.GroupId,
        Qos = qos,
        Payload = type == DataType.NoData ? default : list,
    }));

    private static byte[] WithKey(MsgClass msgClass, ushort serviceId, int nameBytes) => Wire.Encode(new RwfMsg
    {
        MsgClass = msgClass,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = HeaderBits.Of(msgClass).Key,
        ContainerType = DataType.FieldList,
        UpdateType = UpdateType.Trade,
        Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
            ServiceId = serviceId,
            Name = System.Text.Encoding.ASCII.GetBytes(new string('N', nameBytes)),
        },
        Payload = New,
    });

    private void TakeStatus(DataState? state) => Take(Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = 5,
        Flags = state is null ? 0 : StatusFlags.HasState,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Open, state ?? DataState.Ok),
    }));

    private void Take(byte[] message, bool isQuick = false)
    {
        if (!isQuick)
        {
            Assert.True(_host.Receiver.Receive(_item, Wire.Decode(message)));
            return;
        }

        Assert.True(UpdateHeader.TryRead(message, out UpdateHeader update));
        Assert.True(_host.Receiver.Receive(ItemRef.To(_item), update));
    }

    private static byte[] Update(int streamId, UpdateType type, byte[] list, DataType container = DataType.FieldList, bool isOfTheMoment = false)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, streamId, container, type);
        MsgPatch.AddFlags(message, isOfTheMoment ? (byte)UpdateFlags.DoNotCache : (byte)0);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    /// <summary>What a session thread has been handed since it was asked last.</summary>
    private List<(SourceRecord Kind, int Slot, byte[] Bytes)> Read(int session)
    {
        List<(SourceRecord, int, byte[])> records = [];
        ByteRing ring = _host.Broadcaster.Rings[session];
        ring.Publish();
        while (ring.TryRead(out RingRecord record))
            records.Add(((SourceRecord)record.Kind, record.Number, record.Bytes.ToArray()));
        ring.Release();
        return records;
    }
}
