using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>
/// Requests for items and their effects: opened, reissued, closed, refused; message by message over a real session.
/// </summary>
public class ProviderRequestTests
{
    [Fact]
    public void OpenLimit_Reached_RefusesUntilAnItemIsClosed()
    {
        using ProviderConversation talk = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 2 } });
        talk.Ask(6, "A");
        talk.Ask(7, "B");
        talk.Ask(8, "C");
        talk.UntilAnswers(3);
        Assert.Equal(["Refresh 6 Open A", "Refresh 7 Open B", Full(8)], talk.Answers.Order());

        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6)));
        talk.Ask(6, "C");
        talk.Ask(7, "B"); // a reissue adds no item
        talk.UntilAnswers(5);
        Assert.Equal(["Refresh 6 Open C", "Refresh 7 Open B"], talk.Answers[3..].Order());
        Assert.Equal((5L, 1L, 4L),
            (talk.Counters[Counter.RequestsReceived], talk.Counters[Counter.RequestsRejected], talk.Counters[Counter.RefreshesSent]));
    }

    [Fact]
    public void OpenLimit_TwoConnections_IsOfEach()
    {
        using ProviderConversation one = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 1 } });
        using ProviderConversation other = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 1 } });
        one.Ask(6, "A");
        other.Ask(6, "A");
        one.UntilAnswers(1);
        other.UntilAnswers(1);
        Assert.Equal(one.Answers, other.Answers);
    }

    /// <summary>A dictionary whose stream is closed before it was sent is not sent.</summary>
    [Fact]
    public void Dictionary_ClosedAtOnce_IsNotSent()
    {
        using ProviderConversation talk = new();
        RwfMsg request = Wire.Decode(Wire.Encode(new DictionaryConsumer(SessionSamples.Service.Id).EncodeFieldRequest));
        int streamId = request.StreamId;
        talk.Say(request.Message.ToArray());
        talk.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.Dictionary, StreamId = streamId }));
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        for (int i = 0; i < 100; i++)
            talk.Turn();
        Assert.Equal(["Refresh 6 Open A"], talk.Answers);
    }

    [Theory]
    [InlineData("service", "Closed/Suspect/UsageError", "service id invalid")]
    [InlineData("no service", "Closed/Suspect/UsageError", "service id invalid")]
    [InlineData("qos", "Closed/Suspect/UsageError", "QoS not supported")]
    [InlineData("key elsewhere", "ClosedRecover/Suspect/AlreadyOpen", "item already open with exact same key on another stream")]
    [InlineData("other key", "ClosedRecover/Suspect/UsageError", "stream already in use with a different key")]
    [InlineData("domain", "Closed/Suspect/UsageError", "this provider does not support domain 7")]
    [InlineData("batch without names", "Closed/Suspect/UnableToRequestAsBatch", "batch requests are not supported")]
    public void Request_AgainstARule_IsRefusedWithItsText(string rule, string state, string words)
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        int streamId = rule == "other key" ? 6 : 7;
        talk.Say(Wire.Encode(Break(rule, streamId)));
        talk.UntilAnswers(2);

        Assert.Equal($"Status {streamId} {state} \"Item request rejected for stream id {streamId} - {words}\"", talk.Answers[1]);
        RwfMsg status = talk.Last(MsgClass.Status);
        Assert.Equal((StatusFlags.HasState, DataType.NoData, 0), (status.Flags, status.ContainerType, status.Payload.Length));
        Assert.Equal((1, 1L), (talk.Provider.OpenItems, talk.Counters[Counter.RequestsRejected]));
    }

    [Fact]
    public void Request_AgainstSeveralRules_IsRefusedByTheFirst()
    {
        using ProviderConversation talk = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 1 } });
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        RwfMsg request = Break("service", 7);
        (request.Flags, request.Qos) = (request.Flags | RequestFlags.HasQos, new RwfQos(3, 3));
        talk.Say(Wire.Encode(request));
        talk.UntilAnswers(2);
        Assert.Equal(Full(7), talk.Answers[1]);
    }

    [Fact]
    public void Qos_RangeAroundOurs_IsAccepted()
    {
        using ProviderConversation talk = new();
        RwfMsg request = ProviderConversation.Request(6, "A", RequestFlags.Streaming | RequestFlags.HasQos | RequestFlags.HasWorstQos);
        (request.Qos, request.WorstQos) = (RwfQos.RealTimeTickByTick, new RwfQos(3, 3));
        talk.Say(Wire.Encode(request));
        talk.UntilAnswers(1);
        Assert.Equal(["Refresh 6 Open A"], talk.Answers);
        Assert.Equal(RwfQos.RealTimeTickByTick, talk.Last(MsgClass.Refresh).Qos);
    }

    [Theory]
    [InlineData(RequestFlags.Streaming, 2)]
    [InlineData(RequestFlags.Streaming | RequestFlags.NoRefresh, 1)]
    [InlineData(RequestFlags.Streaming | RequestFlags.NoRefresh | RequestFlags.Pause, 1)]
    [InlineData(RequestFlags.Streaming | RequestFlags.Pause, 2)]
    public void Reissue_WithAndWithoutNoRefresh_SendsTheImageOrNot(int flags, int images)
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        talk.Ask(6, "A", flags);
        talk.Ask(7, "B");
        talk.UntilAnswers(images + 1);

        Assert.Equal(images, talk.Answers.Count(answer => answer == "Refresh 6 Open A"));
        Assert.Equal((2, 2), (talk.Provider.OpenItems, talk.Provider.UpdatingItems));
    }

    [Fact]
    public void Reissue_OfASnapshot_MakesItStream()
    {
        using ProviderConversation talk = new(handler: new SampleLoad(SessionSamples.Updates(rate: 0)));
        talk.Ask(6, "A", flags: 0);
        talk.Ask(6, "A"); // before its image was sent
        talk.UntilAnswers(1);
        Assert.Equal(["Refresh 6 Open A"], talk.Answers);
        Assert.Equal(1, talk.Provider.UpdatingItems);
    }

    [Fact]
    public void View_OfAFewFields_GetsTheWholeImage()
    {
        const int HasView = 0x0400;
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        int whole = talk.Last(MsgClass.Refresh).Payload.Length;

        RwfMsg view = ProviderConversation.Request(7, "B", RequestFlags.Streaming | HasView);
        view.ContainerType = DataType.ElementList;
        view.Payload = Wire.Elements((ref RwfWriter writer) =>
        {
            writer.WriteUIntElement(":ViewType"u8, 1);
            writer.BeginElement(":ViewData"u8, DataType.Array);
            writer.BeginArray(DataType.Int, itemLength: 2);
            writer.BeginItem();
            writer.WriteInt(22);
            writer.EndArray();
            writer.EndEntry();
        });
        talk.Say(Wire.Encode(view));
        talk.UntilAnswers(2);
        Assert.Equal("Refresh 7 Open B", talk.Answers[1]);
        Assert.Equal(whole, talk.Last(MsgClass.Refresh).Payload.Length);
    }

    [Fact]
    public void Refresh_OfAnItem_IsInTheGroupOfAll()
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        Assert.Equal([0, 0], talk.Last(MsgClass.Refresh).GroupId.ToArray());
    }

    [Fact]
    public void Close_OfAStreamThatIsNotOpen_IsCountedAndNotedOnce()
    {
        using ProviderConversation talk = new();
        for (int i = 0; i < 3; i++)
            talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 99)));
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        Assert.Equal(3, talk.Counters[Counter.ClosesReceived]);
        Assert.Single(talk.Notices, notice => notice.Contains("Ignored a close for stream 99", StringComparison.Ordinal));
    }

    [Fact]
    public void Close_WhileTheImageIsDue_SendsNone()
    {
        using ProviderConversation talk = new();
        talk.Ask(6, "A");
        talk.Say(Wire.Encode(room => MarketPriceConsumer.EncodeClose(room, 6)));
        talk.Ask(7, "B");
        talk.UntilAnswers(1);
        Assert.Equal(["Refresh 7 Open B"], talk.Answers);
        Assert.Equal(1, talk.Provider.OpenItems);
    }

    [Theory]
    [InlineData(DomainType.MarketPrice)]
    [InlineData(DomainType.Source)]
    [InlineData(DomainType.Dictionary)]
    public void Request_BeforeTheLogin_EndsTheConnectionWithTheReason(DomainType domain)
    {
        using ProviderConversation talk = new(logsIn: false);
        RwfMsg request = ProviderConversation.Request(6, "A");
        request.DomainType = domain;
        talk.Say(Wire.Encode(request));
        talk.Until(() => talk.Closed is not null);
        Assert.Empty(talk.Answers);
        Assert.Contains(talk.Notices, notice => notice.EndsWith("the peer sent a request before the login", StringComparison.Ordinal));
    }

    [Fact]
    public void Request_BeforeAnOptionalLogin_IsAnswered()
    {
        using ProviderConversation talk = new(SessionSamples.Provider with { LoginOptional = true }, logsIn: false);
        talk.Ask(6, "A");
        talk.UntilAnswers(1);
        Assert.Equal(["Refresh 6 Open A"], talk.Answers);
    }

    private static string Full(int streamId) =>
        $"Status {streamId} ClosedRecover/Suspect/TooManyItems \"Item request rejected for stream id {streamId} - item count reached for this channel\"";

    private static RwfMsg Break(string rule, int streamId)
    {
        RwfMsg request = ProviderConversation.Request(streamId, rule == "key elsewhere" ? "A" : "B");
        MsgKey key = request.Key;
        switch (rule)
        {
            case "service":
                key.ServiceId++;
                break;
            case "no service":
                key.Flags &= ~MsgKeyFlags.HasServiceId;
                break;
            case "qos":
                request.Flags |= RequestFlags.HasQos;
                request.Qos = new RwfQos(3, 3);
                break;
            case "domain":
                request.DomainType = DomainType.MarketByOrder;
                break;
            case "batch without names":
                request.Flags |= RequestFlags.HasBatch;
                break;
        }

        request.Key = key;
        return request;
    }
}
