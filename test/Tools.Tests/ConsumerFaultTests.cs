using ConsPerf;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>Providers that lose, repeat, swap or delay one message of a kind: ConsPerf counts exactly that.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerFaultTests : IDisposable
{
    private const long TenMinutesMicros = 600 * 1_000_000L;

    private static readonly ConsPerfOptions Options = new() { SteadyStateSeconds = 3600 };

    private readonly MemoryPair _pair = new(Options);
    private readonly NumberedFeed _feed = new(TimeSource.System);

    [Theory]
    [InlineData("1 2 3 4 5 6", 6, 0, 0, 0)]
    [InlineData("1 2 4 5 6", 5, 1, 0, 0)] // 3 is lost
    [InlineData("2 3 4 5 6", 5, 1, 0, 0)] // the first after the image
    [InlineData("1 2 3 3 4 5 6", 7, 0, 0, 1)]
    [InlineData("1 2 4 3 5 6", 6, 0, 1, 0)]
    [InlineData("1 4 3 3 5 9", 6, 4, 1, 1)]
    public void Updates_WithAFault_AreCountedExactly(string numbers, int received, int missing, int outOfOrder, int repeated)
    {
        Connect();
        _feed.Send(0, numbers.Split(' ').Select(number => int.Parse(number, System.Globalization.CultureInfo.InvariantCulture)));
        _feed.Send(1, 1, 2, 3);
        _pair.Until(() => _pair.Updates >= received + 3);
        _pair.Settle();

        Assert.Equal(received + 3, _pair.Updates);
        Assert.Equal((missing, outOfOrder, repeated),
            (_pair[Counter.UpdatesSkipped] - _pair[Counter.UpdatesLate], _pair[Counter.UpdatesOutOfOrder], _pair[Counter.UpdatesRepeated]));
        Assert.Equal(received + 3, _pair.Recording[Series.Updates].CollectRest().Count);
    }

    [Fact]
    public void Updates_OneOfThemDelayed_HasItsLatencyOnce()
    {
        Connect();
        _feed.Send(0, Enumerable.Range(1, 50));
        _feed.SendMade(0, 51, Clock.NowNanos - (TenMinutesMicros * Clock.NanosPerMicro)); // it has been on its way since then
        _feed.Send(0, Enumerable.Range(52, 50));
        _pair.Until(() => _pair.Updates >= 101);
        _pair.Settle();

        LatencyFigures latency = _pair.Recording[Series.Updates].CollectRest();
        Assert.Equal(101, latency.Count);
        Assert.InRange(latency.Max, TenMinutesMicros, TenMinutesMicros + (TenMinutesMicros / 2));
        Assert.InRange(latency.Average, TenMinutesMicros / 101.0, TenMinutesMicros * 1.5 / 101); // no other has as much
        Assert.Equal((0, 0, 0), (_pair[Counter.UpdatesSkipped], _pair[Counter.UpdatesOutOfOrder], _pair[Counter.UpdatesRepeated]));
    }

    [Fact]
    public void Image_OnceMore_IsCountedAndBeginsTheCountsAnew()
    {
        Connect();
        _feed.Send(0, 1, 2);
        _feed.SendImage(0, 9);
        _feed.Send(0, 10, 9);
        _pair.Until(() => _pair.Updates >= 4);
        _pair.Settle();

        Assert.Equal((4, 3), (_pair[Counter.RefreshesReceived], _pair[Counter.ItemsWithRefresh]));
        Assert.Equal((0, 0, 1), (_pair[Counter.UpdatesSkipped], _pair[Counter.UpdatesOutOfOrder], _pair[Counter.UpdatesRepeated]));
    }

    [Theory]
    [InlineData(0, 2, 2)] // the image of the second item is lost
    [InlineData(1, 3, 3)]
    [InlineData(2, 4, 3)]
    public void Images_LostOrRepeated_AreCountedExactly(int copiesOfSecond, int received, int items)
    {
        ConsumerSession consumer = Ask(new ImagePeer(request => request == 1 ? copiesOfSecond : 1));
        _pair.Until(() => _pair[Counter.RefreshesReceived] >= received);
        _pair.Settle();

        Assert.Equal((3, received, items), (_pair[Counter.RequestsSent], _pair[Counter.RefreshesReceived], _pair[Counter.ItemsWithRefresh]));
        Assert.Equal(items == 3, _pair.Recording.TimeOf(Moment.RefreshesComplete) is not null);
        Assert.Null(consumer.Failure);
    }

    /// <summary>While even one image is missing, no item may close.</summary>
    [Fact]
    public void Image_OfAClosedItemWhileAnotherIsMissing_EndsTheRun()
    {
        ConsumerSession consumer = Ask(new ImagePeer(request => request == 1 ? 0 : 1) { CloseFirst = true });
        _pair.Until(() => consumer.Failure is not null);
        Assert.Equal((ConsumerFailureKind.ItemClosed, "received unexpected final state for stream 6: Closed/Suspect/None"),
            (consumer.Failure!.Kind, consumer.Failure.Text));
        Assert.Equal((3, 2), (_pair[Counter.RefreshesReceived], _pair[Counter.ItemsWithRefresh]));
    }

    [Fact]
    public void Update_AheadOfItsImage_IsAnUpdateLikeAnyOther()
    {
        ConsumerSession consumer = Ask(new ImagePeer(_ => 1) { UpdatesFirst = true });
        _pair.Until(() => _pair[Counter.RefreshesReceived] >= 3);
        _pair.Settle();

        Assert.Equal((3, 3, 0), (_pair.Updates, _pair[Counter.ItemsWithRefresh], _pair[Counter.MessagesDropped]));
        Assert.Null(consumer.Failure);
    }

    [Theory]
    [InlineData(0, 9)] // of ten posts the fourth is not sent back
    [InlineData(1, 10)]
    [InlineData(2, 11)]
    public void Posts_LostOrRepeatedOnTheirWayBack_AreCountedExactly(int copiesOfFourth, int received)
    {
        ConsPerfOptions options = Options with { PostingRate = 1_000, PostingLatencyRate = 1_000 };
        using MemoryPair pair = new(options);
        NumberedFeed feed = new(TimeSource.System) { Reflects = number => number == 3 ? copiesOfFourth : number < 10 ? 1 : 0 };
        ConsumerMeasure measure = new(options, pair.Recording, new ImageClock(1),
            ConsumerPlan.Of(options, MessageData.Default(FieldDictionary.Default), worker: 0));
        pair.Connect(new ConsumerSession(MemoryPair.Asking(ItemFlags.Post, "A", "B"), measure), feed, takesPosts: true);
        pair.Until(() => feed.Posts > 12);
        pair.Settle();

        Assert.Equal((received, (long)received), (pair.Updates, pair.Recording[Series.Posts].CollectRest().Count));
        Assert.Equal((0, 0, 0), (pair[Counter.UpdatesSkipped], pair[Counter.UpdatesOutOfOrder], pair[Counter.UpdatesRepeated]));
    }

    [Theory]
    [InlineData(0, 4)]
    [InlineData(1, 5)]
    [InlineData(2, 6)]
    public void GenericMessages_LostOrRepeated_AreCountedExactly(int copiesOfThird, int received)
    {
        Connect();
        MessageData messages = MessageData.Default(FieldDictionary.Default);
        for (int i = 0; i < 5; i++)
        {
            for (int copies = i == 2 ? copiesOfThird : 1; copies > 0; copies--)
                Assert.True(_feed.Session.TrySendGeneric(0, messages.Generics[0], (ulong)Clock.NowMicros));
        }

        _feed.Session.Channel.Flush();
        _pair.Until(() => _pair[Counter.GenericReceived] >= received);
        _pair.Settle();

        Assert.Equal((received, received), (_pair[Counter.GenericReceived], _pair[Counter.GenericStampsReceived]));
        Assert.Equal(received, _pair.Recording[Series.Generic].CollectRest().Count);
    }

    public void Dispose() => _pair.Dispose();

    private void Connect()
    {
        _pair.Connect(CreateConsumer(), _feed);
        _pair.Until(() => _pair.Recording.TimeOf(Moment.SteadyBegan) is not null);
    }

    private ConsumerSession Ask(Connection peer)
    {
        ConsumerSession consumer = CreateConsumer();
        _pair.Connect(consumer, peer);
        return consumer;
    }

    private ConsumerSession CreateConsumer() =>
        new(MemoryPair.Asking("A", "B", "C"), new ConsumerMeasure(Options, _pair.Recording, new ImageClock(1)));
}
