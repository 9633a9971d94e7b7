using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfHub.FanOut;
using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>Requests for an image alone: they wait for it, have one answer, and end with the consumer that waits.</summary>
[Trait("Category", "Fast")]
public sealed class SnapshotAnswersTests : IDisposable
{
    private readonly SourceBench _bench = new();

    public void Dispose() => _bench.Dispose();

    [Fact]
    public void Request_OfAnItemWithItsImage_IsAnsweredAtOnce()
    {
        CachedItem item = Watch("A");
        _bench.DeliverImage(item);
        _bench.Source.Take();
        _bench.Request(1, _bench.Feed, 5, "A", marks: 0);
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Answer, item.Slot, SourceBench.AddressOf(5), "Refresh 5 NonStreaming/Ok A@11 solicited clear complete [22=1]"),
            (kind, slot, address, SourceBench.Describe(message)));
        Assert.Equal((1, null), (item.Watchers, item.Snapshots));
        Assert.Empty(_bench.Source.Take());
    }

    [Fact]
    public void Request_OfAnUnknownItem_AwaitsTheImageAndEndsWithIt()
    {
        _bench.Request(1, _bench.Feed, 5, "A", ItemRequestMarks.NameType);
        Assert.Equal(["Open A"], _bench.Source.Take());
        (SourceRecord kind, int slot, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Await, SourceBench.AddressOf(5), 0), (kind, address, message.Length));
        CachedItem item = _bench.Host.Items.Table[slot]!;
        Assert.Equal((true, false, false), (item.Terms.IsSnapshot, item.Terms.IsShared, item.IsUnwanted));
        Assert.Null(_bench.Find(_bench.Feed, "A"));

        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(22, 1), flags: 0)); // a part
        Assert.Empty(_bench.Read(1));
        _bench.Deliver(item, SourceBench.Image(HostileMessages.List(23, 1)));
        (kind, slot, address, message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Answer, item.Slot, SourceBench.AddressOf(5), "Refresh 5 NonStreaming/Ok A@11 solicited clear complete typed [22=1 23=1]"),
            (kind, slot, address, SourceBench.Describe(message)));
        Assert.Equal((0, null), (_bench.Host.Items.Table.Count, item.Snapshots));
        Assert.Equal(["Close A"], _bench.Source.Take());
    }

    /// <summary>An item that is being requested is requested no second time, and stays with its watcher.</summary>
    [Fact]
    public void Requests_OfAnItemThatIsWatched_WaitWithItAndLeaveIt()
    {
        CachedItem item = Watch("A");
        Assert.Equal(["Open A"], _bench.Source.Take());
        for (int session = 0; session < 3; session++)
            _bench.Request(session, _bench.Feed, 5, "A", session == 2 ? ItemRequestMarks.Private : 0);
        Assert.Equal(["Open A"], _bench.Source.Take()); // the private one
        Assert.Equal(2, item.Snapshots!.Streams.Count);
        for (int session = 0; session < 3; session++)
            Assert.Equal("Await", _bench.Kinds(session));
        _bench.DeliverImage(item, isOk: false);
        for (int session = 0; session < 2; session++)
        {
            (SourceRecord kind, _, byte[] bytes) = _bench.Read(session)[^1];
            Assert.Equal((SourceRecord.Answer, "Refresh 5 NonStreaming/Suspect A@11 solicited clear complete [22=1]"),
                (kind, SourceBench.Describe(bytes[StreamAddress.Bytes..])));
        }

        Assert.Empty(_bench.Read(2));
        Assert.Equal((null, 1), (item.Snapshots, item.Watchers));
        Assert.Empty(_bench.Source.Take());
    }

    [Fact]
    public void Withdraw_OfTheLast_ClosesTheItemAndNotBefore()
    {
        CachedItem item = Watch("A");
        _bench.Request(0, _bench.Feed, 5, "A", marks: 0);
        _bench.Request(1, _bench.Feed, 5, "A", marks: 0);
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        _bench.Source.Take();
        Withdraw(item, session: 2, streamId: 5);
        Withdraw(item, session: 0, streamId: 6);
        Assert.Equal(2, item.Snapshots!.Streams.Count);
        Withdraw(item, session: 0, streamId: 5);
        Assert.Single(item.Snapshots!.Streams);
        Assert.Empty(_bench.Source.Take());
        Withdraw(item, session: 1, streamId: 5);
        Assert.Equal(["Close A"], _bench.Source.Take());
        Assert.Equal(0, _bench.Host.Items.Table.Count);
        Withdraw(item, session: 1, streamId: 5); // again, and of a slot without an item
    }

    [Fact]
    public void Withdraw_WhileOthersWatch_LeavesTheItem()
    {
        CachedItem item = Watch("A");
        _bench.Request(0, _bench.Feed, 5, "A", marks: 0);
        _bench.Source.Take();
        Withdraw(item, session: 0, streamId: 5);
        Assert.Equal((null, 1, 1), (item.Snapshots, item.Watchers, _bench.Host.Items.Table.Count));
        Assert.Empty(_bench.Source.Take());
    }

    /// <summary>A status that ends the item is the answer; on a private stream it says so.</summary>
    [Fact]
    public void End_OfTheItem_IsTheAnswerToEach()
    {
        CachedItem item = Watch("A");
        _bench.Request(1, _bench.Feed, 5, "A", marks: 0);
        SnapshotAnswers.Add(item, 2, SourceBench.AddressOf(6), new ItemForm(null, IsPrivate: true));
        _bench.Read(0);
        _bench.Read(1);
        _bench.Deliver(item, SourceBench.Status(StreamState.Closed));
        Assert.Equal("Final", _bench.Kinds(0));
        (SourceRecord kind, _, StreamAddress address, byte[] message) = _bench.ReadAddressed(1);
        Assert.Equal((SourceRecord.Answer, SourceBench.AddressOf(5), "Status 101 Closed/Suspect/NotEntitled go away\n\0"), (kind, address,
            SourceBench.Describe(message)));
        (kind, _, address, message) = _bench.ReadAddressed(2);
        Assert.Equal((SourceRecord.Answer, SourceBench.AddressOf(6), "Status 101 Closed/Suspect/NotEntitled go away\n\0 private"), (kind, address,
            SourceBench.Describe(message)));
        Assert.Equal((true, null, 1), (item.IsOver, item.Snapshots, _bench.Host.Items.Table.Count));
        _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
        Assert.Equal(0, _bench.Host.Items.Table.Count);
    }

    /// <summary>Answers that find no room wait for it; each is sent once, time after time.</summary>
    [Fact]
    public void Answers_MoreThanARingTakes_WaitForRoomAndComeOnce()
    {
        for (int round = 0; round < 3; round++)
        {
            const int Requests = 2_000;
            CachedItem item = Watch("A");
            for (int streamId = 1; streamId <= Requests; streamId++)
                SnapshotAnswers.Add(item, 1, SourceBench.AddressOf(streamId), default);
            Assert.False(_bench.Host.Receiver.Receive(item, Wire.Decode(SourceBench.Image(HostileMessages.List(1, 15, valueBytes: 250)))));
            List<(SourceRecord Kind, int Slot, byte[] Bytes)> answers = _bench.Read(1);
            Assert.InRange(answers.Count, 1, Requests - 1);
            Assert.Equal(Requests - answers.Count, item.Snapshots!.Streams.Count);
            while (item.Snapshots is not null)
            {
                _bench.Host.Work();
                answers.AddRange(_bench.Read(1));
            }

            Assert.Equal(Enumerable.Range(1, Requests), answers.Select(answer => StreamAddress.Read(answer.Bytes).StreamId));
            _bench.Host.Work();
            Assert.Empty(_bench.Read(1));
            _bench.Send(0, SessionRecord.Unwatch, item.Slot, []);
            _bench.Read(0);
        }
    }

    private CachedItem Watch(string name)
    {
        _bench.Request(0, _bench.Feed, 4, name);
        _bench.Read(0);
        return _bench.Find(_bench.Feed, name)!;
    }

    private void Withdraw(CachedItem item, int session, int streamId)
    {
        byte[] address = new byte[StreamAddress.Bytes];
        SourceBench.AddressOf(streamId).Write(address);
        _bench.Send(session, SessionRecord.Withdraw, item.Slot, address);
    }
}
