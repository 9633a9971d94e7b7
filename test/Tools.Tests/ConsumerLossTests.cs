using ConsPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>ConsPerf when items, services and fields are lost during the run.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerLossTests
{
    private static readonly ConsPerfOptions Options = new() { SteadyStateSeconds = 3600 };

    [Fact]
    public void Status_SuspectThenGood_IsLostOnceAndRecovered()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(MsgClass.Status, item: 0, StreamState.Open, DataState.Suspect);
        consumer.Say(MsgClass.Status, item: 0, StreamState.Open, DataState.Suspect);
        consumer.Say(MsgClass.Status, item: 1, StreamState.Open, DataState.Suspect);
        consumer.Say(MsgClass.Status, item: 0, StreamState.Open, DataState.Ok);
        consumer.Say(MsgClass.Status, item: 2, StreamState.Open, DataState.NoChange);
        consumer.Until(() => consumer[Counter.StatusesReceived] == 5);

        Assert.Equal((2, 1), (consumer[Counter.ItemsLost], consumer[Counter.ItemsRecovered]));
        Assert.Null(consumer.Session.Failure);
    }

    [Fact]
    public void Refresh_SuspectThenGood_IsCountedAndRecovers()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(MsgClass.Refresh, item: 1, StreamState.Open, DataState.Suspect);
        consumer.Say(MsgClass.Refresh, item: 1, StreamState.Open, DataState.Ok);
        consumer.Say(MsgClass.Refresh, item: 1, StreamState.Open, DataState.Ok); // a second one changes nothing
        consumer.Until(() => consumer[Counter.RefreshesReceived] == 6);

        Assert.Equal((1, 1, 1), (consumer[Counter.SuspectRefreshes], consumer[Counter.ItemsLost], consumer[Counter.ItemsRecovered]));
        Assert.Equal(3, consumer[Counter.ItemsWithRefresh]);
    }

    [Fact]
    public void Refresh_ClosesAnItemAfterTheImages_IsALossAndTheRunGoesOn()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(MsgClass.Refresh, item: 2, StreamState.ClosedRecover, DataState.Suspect);
        consumer.Until(() => consumer[Counter.ItemsLost] == 1);

        Assert.Null(consumer.Session.Failure);
    }

    [Fact]
    public void Refresh_ClosesAnItem_NothingIsPostedToItAnyMore()
    {
        using MeasuredConsumer consumer = new(Options with { PostingRate = 1000, GenericMsgRate = 1000 });
        consumer.Until(() => consumer.Received >= 20);
        Assert.Equal([6, 7, 8], consumer.TakeStreams());
        consumer.Say(MsgClass.Refresh, item: 1, StreamState.Closed, DataState.Suspect);
        consumer.Until(() => consumer[Counter.ItemsLost] == 1);
        long sent = consumer[Counter.PostsSent] + consumer[Counter.GenericSent];
        consumer.Until(() => consumer.Received >= sent + 4); // those that were queued
        consumer.TakeStreams();
        consumer.Until(() => consumer.Received >= sent + 20);

        Assert.Equal([6, 8], consumer.TakeStreams());
    }

    [Fact]
    public void Status_ClosesAnItem_EndsTheRun()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(MsgClass.Status, item: 2, StreamState.Closed, DataState.Suspect);
        consumer.Until(() => consumer.Session.Failure is not null);

        Assert.Equal((ConsumerFailureKind.ItemClosed, "received unexpected final state for stream 8: Closed/Suspect/None"),
            (consumer.Session.Failure!.Kind, consumer.Session.Failure.Text));
        Assert.Equal(1, consumer[Counter.ItemsLost]);
    }

    [Fact]
    public void Group_Suspect_LosesItsItemsAndAnImageRecoversOne()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(DirectoryMessages.Group([0, 0], StreamState.Open, DataState.Suspect));
        consumer.Say(MsgClass.Refresh, item: 0, StreamState.Open, DataState.Ok);
        consumer.Until(() => consumer[Counter.RefreshesReceived] == 4);

        Assert.Equal((3, 1, 0), (consumer[Counter.ItemsLost], consumer[Counter.ItemsRecovered], consumer[Counter.StatusesReceived]));
        Assert.Null(consumer.Session.Failure);
    }

    [Fact]
    public void Group_Closed_EndsTheRun()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(DirectoryMessages.Group([0, 0], StreamState.Closed, DataState.Suspect));
        consumer.Until(() => consumer.Session.Failure is not null);

        Assert.Equal(ConsumerFailureKind.ItemClosed, consumer.Session.Failure!.Kind);
    }

    [Fact]
    public void Group_OfSnapshots_ChangesNothing()
    {
        using MeasuredConsumer consumer = new(Options with { Snapshot = true });
        consumer.Say(DirectoryMessages.Group([0, 0], StreamState.Closed, DataState.Suspect));
        consumer.Say(DirectoryMessages.Service(isUp: false));
        consumer.Until(() => consumer[Counter.ServiceLosses] == 1);

        Assert.Equal(0, consumer[Counter.ItemsLost]);
        Assert.Null(consumer.Session.Failure);
    }

    [Fact]
    public void Service_Down_PausesPostsAndGenericMessagesUntilItIsUp()
    {
        using MeasuredConsumer consumer = new(Options with { PostingRate = 1000, GenericMsgRate = 1000 });
        consumer.Until(() => consumer.Received >= 20);
        consumer.Say(DirectoryMessages.Service(isUp: false));
        consumer.Until(() => !consumer.Session.Directory.IsReady);
        long sent = consumer[Counter.PostsSent] + consumer[Counter.GenericSent];
        consumer.Until(() => consumer.Received >= sent);
        long paused = consumer.Received;
        long later = Clock.NowNanos + (50 * Clock.NanosPerMilli); // a hundred messages would be sent
        consumer.Until(() => Clock.NowNanos >= later);

        Assert.Equal(paused, consumer.Received);
        consumer.Say(DirectoryMessages.Service(isUp: true));
        consumer.Until(() => consumer.Received >= paused + 20);
        Assert.Equal(0, consumer[Counter.PostsNotSent] + consumer[Counter.GenericNotSent]); // nothing was due
        Assert.Equal(1, consumer[Counter.ServiceLosses]);
    }

    [Fact]
    public void Service_DownAndUpAgain_CostsNothing()
    {
        using MeasuredConsumer consumer = new(Options);
        Assert.Null(FindLoss(consumer));
        consumer.Say(DirectoryMessages.Service(isUp: false));
        consumer.Until(() => !consumer.Session.Directory.IsReady);
        Assert.Equal("the service went down (count: 1) and is not up again; items lost: 0", FindLoss(consumer));
        consumer.Say(DirectoryMessages.Service(isUp: true));
        consumer.Until(() => consumer.Session.Directory.IsReady);
        Assert.Null(FindLoss(consumer));
    }

    [Fact]
    public void Service_DownWithItsItems_IsALossUntilTheirImagesCome()
    {
        using MeasuredConsumer consumer = new(Options);
        consumer.Say(DirectoryMessages.Group([0, 0], StreamState.Open, DataState.Suspect));
        consumer.Say(DirectoryMessages.Service(isUp: false));
        consumer.Say(DirectoryMessages.Service(isUp: true));
        consumer.Say(MsgClass.Refresh, item: 0, StreamState.Open, DataState.Ok);
        consumer.Until(() => consumer[Counter.ItemsRecovered] == 1);
        Assert.Equal("the service went down (count: 1) and came back; items lost: 2", FindLoss(consumer));
    }

    [Fact]
    public void Directory_ClosedInMidRun_IsToldAndALoss()
    {
        using MeasuredConsumer consumer = new(Options);
        byte[] room = new byte[256];
        int bytes = DomainMsg.EncodeStatus(room, DomainType.Source, StreamIds.Directory,
            new RwfState(StreamState.Closed, DataState.Suspect));
        consumer.Say(room.AsSpan(0, bytes));
        consumer.Until(() => consumer[Counter.ServiceLosses] == 1);
        Assert.Contains(consumer.TakeNotices(), notice => notice.Contains("directory closed: Closed/Suspect", StringComparison.Ordinal));
        Assert.Equal("the service went down (count: 1) and is not up again; items lost: 0", FindLoss(consumer));
    }

    [Fact]
    public void UnknownFields_OnTwoConnections_AreCountedOnceEach()
    {
        UnknownFields unknown = new();
        using MeasuredConsumer first = new(Options, unknown, WithoutPrices());
        using MeasuredConsumer second = new(Options, unknown, WithoutPrices());
        second.Update(0);
        second.Until(() => second[Counter.StartupUpdates] + second[Counter.SteadyUpdates] == 1);

        Assert.Equal((2, 0), (first[Counter.UnknownFields], second[Counter.UnknownFields]));
        Assert.Equal(6, first[Counter.FieldsSkipped]); // two of each image
        Assert.InRange(second[Counter.FieldsSkipped], 7, 8);
        Assert.Equal("Fields that the dictionary lacks: 22, 25", unknown.Describe());
        Assert.Single(first.TakeNotices(), notice => // of the first such field, and no other
            notice.EndsWith("22 is not in the dictionary; such fields are skipped and counted.", StringComparison.Ordinal));
        Assert.DoesNotContain(second.TakeNotices(), notice => notice.Contains("not in the dictionary", StringComparison.Ordinal));
    }

    /// <summary>Each connection of a run has a separate decoder; the count is that of all.</summary>
    [Fact]
    public void UnknownFields_OfTheNextConnection_AreAddedToThoseBefore()
    {
        UnknownFields unknown = new();
        using MeasuredConsumer consumer = new(Options, unknown, WithoutPrices());
        Assert.Equal(6, consumer[Counter.FieldsSkipped]);
        ConsumerDecoder next = new(Options, consumer.Session, unknown);
        Assert.True(next.TryDecode(Image()));
        Assert.Equal((8, 2), (consumer[Counter.FieldsSkipped], consumer[Counter.UnknownFields]));
        Assert.True(next.TryDecode(Image()));
        Assert.Equal((10, 2), (consumer[Counter.FieldsSkipped], consumer[Counter.UnknownFields]));
    }

    [Fact]
    public void UnknownFields_WhereTheyAreErrors_EndTheRun()
    {
        UnknownFields unknown = new();
        using MeasuredConsumer consumer = new(Options, dictionary: WithoutPrices());
        ConsumerDecoder strict = new(Options with { StrictFields = true }, consumer.Session, unknown);
        strict.TryDecode(Image());
        Assert.Equal((ConsumerFailureKind.BadMessage, "field 22 is not in the dictionary"),
            (consumer.Session.Failure!.Kind, consumer.Session.Failure.Text));
    }

    [Fact]
    public void UnknownFields_OfImagesAheadOfTheRun_CountNowhere()
    {
        using MeasuredConsumer consumer = new(Options with { Prime = true }, dictionary: WithoutPrices());

        Assert.Equal((3, 3), (consumer[Counter.PrimingRefreshesReceived], consumer[Counter.RefreshesReceived]));
        Assert.Equal((6, 2), (consumer[Counter.FieldsSkipped], consumer[Counter.UnknownFields])); // two of each image of the run
    }

    [Fact]
    public void UnknownFields_Many_AreShownInPart()
    {
        UnknownFields unknown = new();
        Assert.Null(unknown.Describe());
        for (short id = 30; id > 0; id--)
            Assert.Equal(31 - id, unknown.Add(id));
        Assert.Equal(0, unknown.Add(7));
        Assert.EndsWith(" 18, 19, 20, ...", unknown.Describe(), StringComparison.Ordinal);
    }

    [Fact]
    public void MeasureDecode_EveryUpdate_IsASample()
    {
        using MeasuredConsumer consumer = new(Options with { MeasureDecode = true });
        consumer.Update(0);
        consumer.Update(1);
        consumer.Until(() => consumer[Counter.StartupUpdates] + consumer[Counter.SteadyUpdates] == 2);

        Assert.Equal(2, consumer.Recording[Series.Decoding].CollectRest().Count);
    }

    private static string? FindLoss(MeasuredConsumer consumer) => ConsPerfRole.FindLoss([consumer.Session], [consumer.Recording]);

    private static RwfMsg Image()
    {
        byte[] room = new byte[512 + MeasuredConsumer.Messages.Refresh.EncodedBytes];
        RwfWriter writer = new(room);
        Assert.True(writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = StreamIds.FirstItem,
            ContainerType = DataType.FieldList,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = [0, 0],
        }));
        MeasuredConsumer.Messages.Refresh.EncodeList(ref writer);
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(room.AsSpan(0, writer.Written), out RwfMsg image));
        return image;
    }

    private static FieldDictionary WithoutPrices() =>
        FieldDictionary.Create(FieldDictionary.Default.Definitions.Where(field => field.Fid is not (22 or 25)),
            FieldDictionary.Default.EnumTables);
}
