using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Private streams together with common ones, and closes of many streams at once, message by message over a real session.</summary>
public class ProviderStreamTests
{
    private const int Private = RequestFlags.Streaming | RequestFlags.PrivateStream;

    [Theory]
    [InlineData(RequestFlags.Streaming, Private)]
    [InlineData(Private, RequestFlags.Streaming)]
    public void Request_PrivateBesideCommon_OpensBothAndSaysWhichIsWhich(int first, int second)
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A", first);
        talk.Ask(7, "A", second);
        talk.UntilAnswers(2);
        Assert.Equal(["Refresh 6 Open A", "Refresh 7 Open A"], talk.Answers.Order());
        Assert.Equal((2, 2), (talk.Provider.OpenItems, talk.Provider.UpdatingItems));
        RwfMsg last = talk.Last(MsgClass.Refresh);
        Assert.Equal(last.StreamId == (first == Private ? 6 : 7), last.Has(RefreshFlags.PrivateStream));
    }

    [Fact]
    public void Request_PrivateTwice_OpensBothAsAHubAsksForEachOfItsConsumers()
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A", Private);
        talk.Ask(7, "A", Private);
        talk.UntilAnswers(2);
        Assert.Equal(["Refresh 6 Open A", "Refresh 7 Open A"], talk.Answers);
        Assert.Equal((2, 2), (talk.Provider.OpenItems, talk.Provider.Items.PrivateStreams));
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6)));
        talk.Ask(8, "A", Private);
        talk.UntilAnswers(3);
        Assert.Equal("Refresh 8 Open A", talk.Answers[2]);
        Assert.Equal(2, talk.Provider.OpenItems);
    }

    [Theory]
    [InlineData(Private, StatusFlags.HasState | StatusFlags.PrivateStream)]
    [InlineData(RequestFlags.Streaming, StatusFlags.HasState)]
    public void Refusal_OfAnotherService_CarriesThePrivateFlagOfItsRequest(int flags, int expected)
    {
        using ProviderConversation talk = new();
        RwfMsg request = ProviderConversation.Request(6, "A", flags);
        MsgKey key = request.Key;
        key.ServiceId = 99;
        request.Key = key;
        talk.Say(Wire.Encode(request));
        talk.UntilAnswers(1);
        Assert.Equal(expected, talk.Last(MsgClass.Status).Flags);
    }

    // The flag is added, never removed, so that the item is another one from then on.
    [Fact]
    public void Reissue_WithThePrivateFlag_MakesTheStreamPrivate()
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        talk.Ask(6, "A", Private);
        talk.UntilAnswers(2);
        Assert.True(talk.Last(MsgClass.Refresh).Has(RefreshFlags.PrivateStream));
        talk.Ask(7, "A");
        talk.UntilAnswers(3);
        talk.Ask(6, "A");
        talk.UntilAnswers(4);
        Assert.Equal(["Refresh 6 Open A", "Refresh 6 Open A", "Refresh 7 Open A", "Refresh 6 Open A"], talk.Answers);
        Assert.True(talk.Last(MsgClass.Refresh).Has(RefreshFlags.PrivateStream));

        talk.Ask(7, "A", Private);
        talk.UntilAnswers(5);
        Assert.Equal("Refresh 7 Open A", talk.Answers[4]);
        Assert.Equal((2, 2), (talk.Provider.OpenItems, talk.Provider.Items.PrivateStreams));
    }

    [Fact]
    public void Close_OfOneOfBoth_LeavesTheOther()
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.Ask(7, "A", Private);
        talk.UntilAnswers(2);
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6)));
        talk.Ask(8, "A");
        talk.UntilAnswers(3);
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 7)));
        talk.Ask(9, "A", Private);
        talk.UntilAnswers(4);
        Assert.Equal(["Refresh 8 Open A", "Refresh 9 Open A"], talk.Answers[2..]);
        Assert.Equal((2, 1), (talk.Provider.OpenItems, talk.Provider.Items.PrivateStreams));
    }

    [Theory]
    [InlineData(Private, AckFlags.PrivateStream)]
    [InlineData(RequestFlags.Streaming, 0)]
    public void Ack_OfAPostOnTheStream_CarriesItsPrivateFlag(int flags, int expected)
    {
        using ProviderConversation talk = new(handler: new ReflectingHandler());
        talk.Ask(6, "A", flags);
        talk.UntilAnswers(1);
        talk.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = PostFlags.PostComplete | PostFlags.Ack | PostFlags.HasPostId,
            PostId = 5,
            ContainerType = DataType.FieldList,
            Payload = [8, 0, 0],
        }));
        talk.UntilAnswers(2);
        Assert.Equal((expected, 5u), (talk.Last(MsgClass.Ack).Flags, talk.Last(MsgClass.Ack).AckId));
    }

    [Fact]
    public void ReflectedRefresh_OnAPrivateStream_SaysSo()
    {
        using ProviderConversation talk = new(handler: new ReflectingHandler());
        talk.Ask(6, "A", Private);
        talk.UntilAnswers(1);
        RwfMsg inner = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            Flags = RefreshFlags.HasPostUserInfo,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = [0, 0],
            ContainerType = DataType.FieldList,
            Payload = [8, 0, 0],
        };
        talk.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = PostFlags.PostComplete,
            ContainerType = DataType.Msg,
            Payload = Wire.Encode(inner),
        }));
        talk.UntilAnswers(2);
        Assert.Equal(RefreshFlags.HasPostUserInfo | RefreshFlags.PrivateStream, talk.Last(MsgClass.Refresh).Flags);
    }

    [Fact]
    public void BatchClose_OfSeveralStreams_ClosesEachAndAnswersNone()
    {
        ProviderLog log = new();
        using ProviderConversation talk = new(handler: log);
        for (int i = 0; i < 4; i++)
            talk.Ask(6 + i, $"A{i}");
        talk.UntilAnswers(4);
        talk.Say(Wire.Encode(room => BatchClose.Encode(room, DomainType.MarketPrice, 6, 8, 77, 9)));
        talk.Ask(10, "B");
        talk.UntilAnswers(5);
        Assert.Equal("Refresh 10 Open B", talk.Answers[4]);
        Assert.Equal((2, 4L), (talk.Provider.OpenItems, talk.Counters[Counter.ClosesReceived]));
        Assert.Equal(["close 0", "close 2", "close 3"], log.Lines.Where(line => line.StartsWith("close", StringComparison.Ordinal)));
        Assert.Single(talk.Notices, notice => notice.Contains("Ignored a close for stream 77", StringComparison.Ordinal));
    }

    // header, flags of a batch, list of one element, array of 4-byte numbers
    [Fact]
    public void BatchClose_Encoded_HasTheBytesOfTheWire()
    {
        byte[] bytes = Wire.Encode(room => BatchClose.Encode(room, DomainType.MarketPrice, 6, 7));
        Assert.Equal("000805060000000504" + "05" + "080001" + "0D" + Convert.ToHexString(":StreamIdList"u8) + "0F" + "FE000C" + "03040002" + "0000000600000007",
            Convert.ToHexString(bytes));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(200)]
    public void BatchClose_OfManyStreams_FitsIntoItsMaximum(int streams)
    {
        byte[] room = new byte[BatchClose.MaxBytes(streams)];
        int bytes = BatchClose.Encode(room, DomainType.MarketPrice, [.. Enumerable.Range(6, streams)]);
        Assert.InRange(bytes, room.Length - 64, room.Length);
        Assert.True(BatchClose.TryOpen(Wire.Decode(room.AsSpan(0, bytes)), out ArrayReader list));
        int read = 0;
        while (BatchClose.TryReadNext(ref list, out int streamId))
            Assert.Equal(6 + read++, streamId);
        Assert.Equal(streams, read);
    }

    [Fact]
    public void BatchClose_CutAnywhere_ClosesWhatIsWholeAndNeverThrows()
    {
        byte[] whole = Wire.Encode(room => BatchClose.Encode(room, DomainType.MarketPrice, 6, 7));
        for (int length = 0; length <= whole.Length; length++)
        {
            if (RwfMsg.TryDecode(whole.AsSpan(0, length), out RwfMsg close) != DecodeResult.Success)
                continue;
            List<int> streams = [];
            if (BatchClose.TryOpen(close, out ArrayReader reader))
            {
                while (BatchClose.TryReadNext(ref reader, out int streamId))
                    streams.Add(streamId);
            }

            Assert.True(streams.Count < 2 || length == whole.Length);
        }
    }

    private sealed class ReflectingHandler : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => 3;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer)
        {
            writer.BeginFieldList();
            writer.EndFieldList();
        }

        protected internal override void OnPost(int item, scoped in RwfMsg post) => Session.Reflect(item, post);
    }
}
