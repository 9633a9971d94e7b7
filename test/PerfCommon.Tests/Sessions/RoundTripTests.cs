using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Round trips on the login stream: only with peers that requested them, every 5 s, and returned unchanged.</summary>
public class RoundTripTests
{
    private readonly Measuring _provider = new();
    private readonly ConsumerLog _consumer = new();

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public void NextDue_OneSideDoesNotAsk_NeverComes(bool offered, bool asked)
    {
        using SessionPair pair = CreatePair(offered, asked);
        pair.Until(() => _consumer.Lines.Count == 4);
        Assert.Equal(long.MaxValue, _provider.Session.NextDueNanos);
    }

    [Fact]
    public void NextDue_BothAsk_IsFiveSecondsAfterTheLogin()
    {
        using SessionPair pair = CreatePair(offered: true, asked: true);
        long before = Clock.NowNanos;
        pair.Until(() => _consumer.Lines.Count == 4);
        Assert.InRange(_provider.Session.NextDueNanos, before + (5 * Clock.NanosPerSecond), Clock.NowNanos + (5 * Clock.NanosPerSecond));
    }

    [Fact]
    public void OnDue_TwiceInTurn_MeasuresTwiceAndIsDueFiveSecondsLater()
    {
        using SessionPair pair = CreatePair(offered: true, asked: true);
        pair.Until(() => _consumer.Lines.Count == 4);
        for (int trip = 1; trip <= 2; trip++)
        {
            long due = _provider.Session.NextDueNanos;
            long before = Clock.NowNanos;
            _provider.Session.OnDue(due);
            pair.Until(() => _provider.Nanos.Count == trip);
            Assert.InRange(_provider.Nanos[^1], 0, Clock.NowNanos - before);
            Assert.Equal(due + (5 * Clock.NanosPerSecond), _provider.Session.NextDueNanos);
        }

        Assert.Equal(0, pair.Server.Recording.Counters[Counter.GenericReceived] + pair.Client.Recording.Counters[Counter.GenericReceived]);
    }

    [Fact]
    public void OnRoundTrip_OfTheConsumersHandler_HasWhatTheProviderMeasuredLast()
    {
        using SessionPair pair = CreatePair(offered: true, asked: true);
        pair.Until(() => _consumer.Lines.Count == 4);
        for (int trip = 1; trip <= 3; trip++)
        {
            _provider.Session.OnDue(_provider.Session.NextDueNanos);
            pair.Until(() => _provider.Nanos.Count == trip);
        }

        Assert.Equal([null, (ulong)_provider.Nanos[0], (ulong)_provider.Nanos[1]], _consumer.Trips.Select(trip => trip.LastRoundTrip));
        Assert.All(_consumer.Trips, trip => Assert.True(trip.Ticks > 0 && trip.TcpRetransmissions is null));
    }

    [Fact]
    public void OnRoundTrip_ConsumerThatDidNotAsk_NeverComes()
    {
        using SessionPair pair = CreatePair(offered: true, asked: false);
        pair.Until(() => _consumer.Lines.Count == 4);
        Assert.Empty(_consumer.Trips);
    }

    // A message that waited for the end of the turn would make the measured time longer.
    [Fact]
    public void OnRoundTrip_OfTheConsumersHandler_FindsTheMessageOnItsWayBack()
    {
        Waiting consumer = new();
        using SessionPair pair = CreatePair(offered: true, asked: true, consumer);
        pair.Until(() => consumer.IsReady);
        _provider.Session.OnDue(_provider.Session.NextDueNanos);
        pair.Until(() => _provider.Nanos.Count == 1);
        Assert.Equal([0], consumer.BytesQueued);
    }

    /// <summary>A time to come is no value of our clock, and is not measured.</summary>
    [Fact]
    public void OnRoundTrip_OfATimeToCome_NeverComes()
    {
        using ProviderConversation talk = new(
            SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { RoundTripLatency = true } }, _provider, logsIn: false);
        LoginIdentity identity = new() { UserName = "u", ApplicationName = "a", Position = "p", RoundTripLatency = true };
        talk.Say(Wire.Encode(new LoginConsumer(identity).EncodeRequest));
        talk.UntilAnswers(1);
        byte[] trip = new byte[200];
        LoginProvider other = new(new LoginOffer { ApplicationName = "test", Position = "here", RoundTripLatency = true });
        other.Receive(Wire.Decode(Wire.Encode(new LoginConsumer(identity).EncodeRequest)));
        foreach (long ticks in (long[])[long.MaxValue, 1])
            talk.Say(trip[..other.EncodeRoundTrip(trip, (ulong)ticks, lastNanos: 5)]);
        talk.Ask(6, "A");
        talk.UntilAnswers(2);
        Assert.Single(_provider.Nanos); // of the second
        Assert.Equal((0L, 0L), (talk.Counters[Counter.GenericReceived], talk.Counters[Counter.MessagesDropped]));
    }

    [Theory]
    [InlineData("Ticks 7, RoundTripLatency 9, TcpRetrans 3", 7ul, 9ul, 3ul)]
    [InlineData("TcpRetrans 3, Ticks 7", 7ul, null, 3ul)]
    [InlineData("RoundTripLatency 9", null, 9ul, null)]
    [InlineData("", null, null, null)]
    public void RoundTripMessage_Elements_AreReadInAnyOrder(string elements, ulong? ticks, ulong? last, ulong? retransmissions)
    {
        byte[] room = new byte[200];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.Login,
            StreamId = 1,
            ContainerType = DataType.ElementList,
        });
        writer.BeginElementList();
        foreach (string[] element in elements.Split(", ", StringSplitOptions.RemoveEmptyEntries).Select(text => text.Split(' ')))
            writer.WriteUIntElement(System.Text.Encoding.ASCII.GetBytes(element[0]), ulong.Parse(element[1], null));
        writer.EndElementList();
        RwfMsg.TryDecode(room.AsSpan(0, writer.Written), out RwfMsg message);

        Assert.Equal(ticks is not null, RoundTripMessage.TryRead(message, out RoundTripMessage trip));
        Assert.Equal((ticks ?? 0, last, retransmissions), (trip.Ticks, trip.LastRoundTrip, trip.TcpRetransmissions));
    }

    [Fact]
    public void Echo_SentBackByAConsumer_IsTheSameByteForByte()
    {
        LoginProvider login = new(new LoginOffer { ApplicationName = "test", Position = "here", RoundTripLatency = true });
        LoginConsumer consumer = new(new LoginIdentity { UserName = "u", ApplicationName = "a", Position = "p", RoundTripLatency = true });
        byte[] room = new byte[500];
        RwfMsg.TryDecode(room.AsSpan(0, consumer.EncodeRequest(room)), out RwfMsg request);
        login.Receive(request);
        byte[] trip = new byte[200];
        int bytes = login.EncodeRoundTrip(trip, ticks: 1_234_567_890_123, lastNanos: 9_308_016);
        RwfMsg.TryDecode(trip.AsSpan(0, bytes), out RwfMsg sent);

        Assert.Equal(ConversationStep.Echo, consumer.Receive(sent).Step);
        Assert.True(login.TryReadRoundTrip(sent, out ulong ticks));
        Assert.Equal(1_234_567_890_123ul, ticks);
        Assert.Equal("c000", Convert.ToHexStringLower(trip.AsSpan(8, 2)));
    }

    private SessionPair CreatePair(bool offered, bool asked, ConsumerHandler? consumer = null)
    {
        ProviderSessionOptions options =
            SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { RoundTripLatency = offered } };
        LoginIdentity identity = new() { UserName = "u", ApplicationName = "a", Position = "p", RoundTripLatency = asked };
        return new SessionPair(new ProviderSession(options, _provider), consumer ?? _consumer, SessionPair.Items(3) with { Identity = identity });
    }

    private sealed class Measuring : ProviderHandler
    {
        public List<long> Nanos { get; } = [];

        protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
            SessionSamples.Messages.Refresh.EncodeList(ref writer);

        protected internal override void OnRoundTrip(long nanos) => Nanos.Add(nanos);
    }

    /// <summary>Records what the consumer has not sent yet at each round trip.</summary>
    private sealed class Waiting : ConsumerHandler
    {
        public bool IsReady { get; private set; }

        public List<int> BytesQueued { get; } = [];

        protected internal override void OnReady() => IsReady = true;

        protected internal override void OnRoundTrip(ulong ticks, ulong? lastRoundTrip, ulong? tcpRetransmissions) =>
            BytesQueued.Add(Session.Channel.BytesQueued);
    }
}
