using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Comparison;
using Xunit;

namespace Tools.Tests;

/// <summary>The counter, text or answer of each member of an enum: a member without a row here fails the test of its enum.</summary>
[Trait("Category", "Fast")]
public class JudgementRowsTests
{
    [Fact]
    public void MessageKind_Each_IsCountedAsWhatItIs() => AssertRows(
        new Dictionary<MessageKind, (Counter?, Counter?, Counter?, Counter?)>
        {
            [MessageKind.Update] = (Counter.UpdatesSent, Counter.UpdatesNotSent, Counter.UpdatesStopped, Counter.UpdateStampsSent),
            [MessageKind.Refresh] = (Counter.RefreshesSent, Counter.RefreshesNotSent, null, null),
            [MessageKind.Request] = (Counter.RequestsSent, null, null, null),
            [MessageKind.Priming] = (Counter.PrimingRequestsSent, null, null, null),
            [MessageKind.Post] = (Counter.PostsSent, Counter.PostsNotSent, null, Counter.PostStampsSent),
            [MessageKind.Reflection] = (Counter.PostsReflected, Counter.PostsNotReflected, null, null),
            [MessageKind.Generic] = (Counter.GenericSent, Counter.GenericNotSent, null, Counter.GenericStampsSent),
            [MessageKind.SourceGeneric] = (Counter.SourceGenericSent, Counter.GenericNotSent, null, null),
            [MessageKind.Opaque] = (Counter.MessagesSent, Counter.MessagesNotSent, Counter.MessagesStopped, null),
            [MessageKind.Other] = default,
        },
        kind => (kind.Sent(), kind.NotSent(), kind.Stopped(), kind.Stamped()));

    [Fact]
    public void SourceRecord_Each_IsCountedAsACopyWhereTheMessageIsCounted() => AssertRows(
        Enum.GetValues<SourceRecord>().ToDictionary(kind => kind, kind => kind switch
        {
            SourceRecord.Update => HubCounter.UpdatesCopied,
            SourceRecord.Reflection => HubCounter.PostsCopied,
            SourceRecord.Generic => HubCounter.GenericCopied,
            _ => default(Counter?),
        }),
        kind => kind.Copies());

    [Fact]
    public void CloseKind_Each_IsCountedByWhetherTheHandshakeWasDone() => AssertRows(
        new Dictionary<CloseKind, (Counter?, Counter?)>
        {
            [CloseKind.Local] = (null, null),
            [CloseKind.PeerClosed] = (null, null),
            [CloseKind.Reset] = (null, null),
            [CloseKind.ConnectFailed] = (null, null),
            [CloseKind.Refused] = (null, null),
            [CloseKind.HandshakeFailed] = (null, Counter.HandshakesFailed),
            [CloseKind.HandshakeTimeout] = (null, Counter.HandshakesTimedOut),
            [CloseKind.PingTimeout] = (Counter.ConnectionsSilent, null),
            [CloseKind.Timeout] = (null, Counter.HandshakesTimedOut),
            [CloseKind.ProtocolError] = (Counter.ConnectionsBad, Counter.HandshakesFailed),
            [CloseKind.LimitExceeded] = (Counter.ConnectionsBad, Counter.HandshakesFailed),
            [CloseKind.Aborted] = (null, Counter.HandshakesCut),
            [CloseKind.NotTrusted] = (null, null),
        },
        kind => (CloseCounts.OfOpen(kind), CloseCounts.OfOpening(kind)));

    [Fact]
    public void PostRefusal_Each_IsAnsweredWithItsCodeAndItsSentence() => AssertRows(
        new Dictionary<PostRefusal, (bool, NakCode, string)>
        {
            [PostRefusal.None] = (false, default, ""),
            [PostRefusal.StreamNotOpen] = (true, NakCode.NotOpen, "the stream is not open"),
            [PostRefusal.ItemNotOpen] = (true, NakCode.SymbolUnknown, "no item of that name is open on this connection"),
            [PostRefusal.NoName] = (true, NakCode.InvalidContent, "a post on the login stream must name its item"),
            [PostRefusal.OtherService] = (true, NakCode.SourceUnknown, "the service is not ours"),
            [PostRefusal.Content] = (true, NakCode.InvalidContent, "the message in the post cannot be sent back"),
            [PostRefusal.TooLarge] = (true, NakCode.NoResources, "the post is larger than the output buffers of this connection"),
            [PostRefusal.SourceDown] = (true, NakCode.SourceDown, "the source of the item is gone"),
        },
        why =>
        {
            byte[] room = new byte[PostReflection.MaxAckBytes];
            RwfMsg post = new() { MsgClass = MsgClass.Post, DomainType = DomainType.MarketPrice, StreamId = 7, PostId = 9 };
            RwfMsg ack = Wire.Decode(room.AsSpan(0, PostReflection.EncodeAck(room, post, why)));
            Assert.Equal((7, 9u), (ack.StreamId, ack.AckId));
            return (ack.Has(AckFlags.HasNakCode), ack.Has(AckFlags.HasNakCode) ? ack.NakCode : default, Encoding.ASCII.GetString(ack.Text));
        });

    [Fact]
    public void ItemRejection_Each_IsAStatusOfItsOwn() => AssertRows(
        new Dictionary<ItemRejection, (StreamState, StateCode, string)>
        {
            [ItemRejection.OpenLimit] = (StreamState.ClosedRecover, StateCode.TooManyItems, "item count reached for this channel"),
            [ItemRejection.ServiceId] = (StreamState.Closed, StateCode.UsageError, "service id invalid"),
            [ItemRejection.Qos] = (StreamState.Closed, StateCode.UsageError, "QoS not supported"),
            [ItemRejection.AlreadyOpen] =
                (StreamState.ClosedRecover, StateCode.AlreadyOpen, "item already open with exact same key on another stream"),
            [ItemRejection.StreamInUse] = (StreamState.ClosedRecover, StateCode.UsageError, "stream already in use with a different key"),
            [ItemRejection.Domain] = (StreamState.Closed, StateCode.UsageError, "this provider does not support domain 6"),
            [ItemRejection.NotFound] = (StreamState.Closed, StateCode.NotFound, "there is no such item"),
            [ItemRejection.Batch] = (StreamState.Closed, StateCode.UnableToRequestAsBatch, "batch requests are not supported"),
        },
        why =>
        {
            byte[] room = new byte[512];
            RwfMsg status = Wire.Decode(room.AsSpan(0, MarketPriceProvider.EncodeRejection(room, DomainType.MarketPrice, 7, why)));
            Assert.Equal(DataState.Suspect, status.State.DataState);
            string text = Encoding.ASCII.GetString(status.State.Text);
            Assert.StartsWith("Item request rejected for stream id 7 - ", text, StringComparison.Ordinal);
            return (status.State.StreamState, status.State.Code, text[(text.IndexOf('-', StringComparison.Ordinal) + 2)..]);
        },
        ItemRejection.None);

    [Fact]
    public void ChangeWord_Each_IsSaidInItsWord() => AssertRows(
        new Dictionary<ChangeWord, string>
        {
            [ChangeWord.Same] = "same",
            [ChangeWord.Better] = "better",
            [ChangeWord.Worse] = "worse",
            [ChangeWord.NotComparable] = "not comparable",
            [ChangeWord.Changed] = "changed",
        },
        word => word.Text());

    [Fact]
    public void ExitCode_Each_HasItsNumberAndIsOfASignalOrNot() => AssertRows(
        new Dictionary<ExitCode, (int, bool)>
        {
            [ExitCode.Success] = (0, false),
            [ExitCode.InternalError] = (1, false),
            [ExitCode.CommandLine] = (2, false),
            [ExitCode.InputFile] = (3, false),
            [ExitCode.NotStarted] = (4, false),
            [ExitCode.Incomplete] = (5, false),
            [ExitCode.AssertionMissed] = (6, false),
            [ExitCode.OutputFile] = (7, false),
            [ExitCode.HungUp] = (129, true),
            [ExitCode.Interrupted] = (130, true),
            [ExitCode.Terminated] = (143, true),
        },
        code => ((int)code, code.IsOfSignal()));

    [Fact]
    public void ExitCode_ThatSomebodyElseWroteDown_IsOneOfAFailure()
    {
        foreach (ExitCode code in Enum.GetValues<ExitCode>())
            Assert.Equal(code == ExitCode.Success ? ExitCode.InternalError : code, code.OrDefect());
        Assert.Equal(ExitCode.InternalError, ((ExitCode)99).OrDefect());
    }

    /// <summary>Every figure of a latency under its names, in text and in JSON.</summary>
    [Fact]
    public void LatencyCell_Each_IsTheFigureOfItsName()
    {
        LatencyFigures figures = new() { Average = 1, Deviation = 2, Max = 3, Min = 4, P50 = 5, P90 = 6, P99 = 7, P999 = 8, P9999 = 9 };
        Assert.Equal(
            [("avg", "avgMicros", 1), ("std dev", "stdDevMicros", 2), ("max", "maxMicros", 3), ("min", "minMicros", 4), ("p50", "p50Micros", 5),
                ("p90", "p90Micros", 6), ("p99", "p99Micros", 7), ("p99.9", "p999Micros", 8), ("p99.99", "p9999Micros", 9.0)],
            LatencyCell.All.Select(cell => (cell.Name, cell.JsonName, cell.Get(figures)!.Value)));
    }

    private static void AssertRows<TEnum, T>(Dictionary<TEnum, T> rows, Func<TEnum, T> judge, params TEnum[] withoutRow)
        where TEnum : struct, Enum
    {
        Assert.Equal(Enum.GetValues<TEnum>().Order(), rows.Keys.Concat(withoutRow).Order()); // a new member wants a row
        foreach ((TEnum member, T expected) in rows)
            Assert.Equal((member, expected), (member, judge(member)));
    }
}
