using System.Buffers.Binary;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>The records that a source thread puts into its rings: receive times, long messages, and translated ones.</summary>
[Trait("Category", "Fast")]
public sealed class BroadcasterTests : IDisposable
{
    private readonly SourceBench _bench = new();

    private Broadcaster Broadcaster => _bench.Host.Broadcaster;

    public void Dispose() => _bench.Dispose();

    /// <summary>A receive time is sent to each session thread once, before its first message of that time.</summary>
    [Fact]
    public void RecordReceived_OfATime_IsSentOnceBeforeMessagesOfIt()
    {
        Broadcaster.RecordReceived(100);
        Send(0);
        Broadcaster.RecordReceived(100);
        Send(0);
        Send(1);
        Broadcaster.RecordReceived(200);
        Send(1);
        Broadcaster.SendAddressed(0, SourceRecord.DirectInParts, 3, new byte[StreamAddress.Bytes]);
        Broadcaster.RecordReceived(100);
        Send(0);
        Assert.Equal(["at 100", "Direct", "Direct", "at 200", "DirectInParts", "at 100", "Direct"], Records(0));
        Assert.Equal(["at 100", "Direct", "at 200", "Direct"], Records(1));
        Assert.Empty(Records(2));
    }

    /// <summary>A message of any length, in the ring or next to it, keeps its address, its slot and its place.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(ByteRing.MaxRecordBytes - StreamAddress.Bytes)]
    [InlineData(ByteRing.MaxRecordBytes - StreamAddress.Bytes + 1)]
    [InlineData(300_000)]
    public void Send_OfAnyLength_KeepsItsAddress(int bytes)
    {
        byte[] message = new byte[bytes];
        message.AsSpan().Fill(7);
        for (int round = 0; round < 3; round++)
        {
            Broadcaster.Send(1, SourceRecord.Direct, 44, SourceBench.AddressOf(5), message);
            Send(1);
            List<(SourceRecord Kind, int Slot, byte[] Bytes)> records = _bench.Read(1);
            Assert.Equal((2, SourceRecord.Direct, 44, SourceBench.AddressOf(5)), (records.Count, records[0].Kind, records[0].Slot,
                StreamAddress.Read(records[0].Bytes)));
            Assert.True(records[0].Bytes.AsSpan(StreamAddress.Bytes).SequenceEqual(message));
        }
    }

    [Fact]
    public void HasRoom_OfAllRings_IsFalseWhileOneIsFull()
    {
        for (int session = 0; session < SourceBench.SessionThreads; session++)
        {
            ByteRing ring = Broadcaster.Rings[session];
            while (ring.HasRoom())
                ring.Add(1, 0, new byte[90_000]);
            Assert.Equal((false, false), (Broadcaster.HasRoom(), Broadcaster.AwaitRoom()));
            ring.Publish();
            while (ring.TryRead(out _))
            {
            }

            Assert.True(ring.Release()); // the writer waits for it
            Assert.Equal((true, true), (Broadcaster.HasRoom(), Broadcaster.AwaitRoom()));
            Assert.False(ring.Release());
        }
    }

    [Fact]
    public void Finish_OfARing_IsSeenByItsReaderAfterItsRecords()
    {
        Send(2);
        Broadcaster.Publish();
        Broadcaster.Finish();
        Assert.Equal([true, true, false], Broadcaster.Rings.Select(ring => ring.IsFinished));
        Assert.Equal(2, Records(2).Count);
        Assert.True(Broadcaster.Rings[2].IsFinished);
    }

    [Theory]
    [InlineData(11, false, false)]
    [InlineData(12, false, true)]
    [InlineData(0, false, true)]
    [InlineData(11, true, true)]
    [InlineData(12, true, true)]
    public void Translate_OfAMessageWithAKey_HasTheHubsServiceAndItsPrivateFlag(ushort serviceId, bool isPrivate, bool isChanged)
    {
        _bench.Request(0, _bench.Feed, 5, "A", ItemRequestMarks.Streaming | (isPrivate ? ItemRequestMarks.Private : 0));
        CachedItem item = _bench.Host.Items.Table[_bench.Read(0)[0].Slot]!;
        byte[] message = Status(serviceId, isPrivate: false, hasKey: true);
        byte[] expected = Status(11, isPrivate, hasKey: true);
        MessageTranslator translator = new();
        for (int round = 0; round < 2; round++)
        {
            ReadOnlySpan<byte> translated = translator.Translate(item, Wire.Decode(message));
            Assert.Equal(expected, translated.ToArray());
            Assert.Equal(isChanged, !translated.Overlaps(message));
        }

        Assert.Equal(Status(0, isPrivate, hasKey: false), translator.Translate(item, Wire.Decode(Status(0, isPrivate: false, hasKey: false))).ToArray());
        byte[] said = Status(11, isPrivate: true, hasKey: true);
        Assert.True(translator.Translate(item, Wire.Decode(said)).Overlaps(said)); // it says so already
    }

    [Fact]
    public void Reply_OfEachKind_IsOnTheStreamOfItsRequest()
    {
        StatusReplies replies = new(Broadcaster);
        Assert.Equal("Status 9 Open/Suspect/None the item is not published yet private",
            SourceBench.Describe(replies.EncodeUnpublished(DomainType.MarketByOrder, SourceBench.AddressOf(9), isPrivate: true).ToArray()));
        replies.Refuse(1, DomainType.MarketByPrice, SourceBench.AddressOf(9), isPrivate: false, StateCode.NotFound, "why"u8);
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Answer, 0, SourceBench.AddressOf(9), "Status 9 Closed/Suspect/NotFound why", DomainType.MarketByPrice),
            (kind, slot, address, SourceBench.Describe(message), Wire.Decode(message).DomainType));
    }

    /// <summary>A sweep visits every slot up to the last in use, forms left out, and ends after it.</summary>
    [Fact]
    public void Sweep_OfItems_VisitsEachOnce()
    {
        ItemSweep sweep = new(_bench.Host.Items.Table);
        Assert.Equal((false, false), (sweep.IsOn, sweep.TryGetNext(out _)));
        CachedItem[] items = [_bench.Publish("A"), _bench.Publish("B"), _bench.Publish("C")];
        _bench.Host.Items.Forms.Open(items[0], new ItemForm(null, IsPrivate: true));
        for (int round = 0; round < 3; round++)
        {
            sweep.Begin();
            List<CachedItem> found = [];
            int visited = 0;
            for (; sweep.TryGetNext(out CachedItem? item); visited++)
            {
                Assert.True(sweep.IsOn);
                if (item is not null)
                    found.Add(item);
            }

            Assert.Equal(items, found);
            Assert.Equal((_bench.Host.Items.Table.SlotCount, false), (visited, sweep.IsOn));
        }

        sweep.Begin();
        Assert.True(sweep.TryGetNext(out CachedItem? first));
        Assert.Same(items[0], first);
        sweep.End();
        Assert.Equal((false, false), (sweep.IsOn, sweep.TryGetNext(out first)));
        Assert.Null(first);
    }

    private void Send(int session) => Broadcaster.Send(session, SourceRecord.Direct, 3, SourceBench.AddressOf(4), "m"u8);

    private List<string> Records(int session)
    {
        List<string> records = [];
        ByteRing ring = Broadcaster.Rings[session];
        ring.Publish();
        while (ring.TryRead(out RingRecord record))
        {
            records.Add((SourceRecord)record.Kind == SourceRecord.Received ? $"at {BinaryPrimitives.ReadInt64LittleEndian(record.Bytes)}"
                : ((SourceRecord)record.Kind).ToString());
        }

        return records;
    }

    private static byte[] Status(ushort serviceId, bool isPrivate, bool hasKey) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = 101,
        Flags = StatusFlags.HasState | (isPrivate ? StatusFlags.PrivateStream : 0) | (hasKey ? StatusFlags.HasMsgKey : 0),
        State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "text"u8),
        Key = hasKey ? new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
            ServiceId = serviceId,
            Name = Encoding.ASCII.GetBytes("A")
        } : default,
        ContainerType = DataType.FieldList,
        Payload = HostileMessages.List(22, 1),
    });
}
