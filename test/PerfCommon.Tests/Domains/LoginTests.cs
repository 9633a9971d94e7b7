using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class LoginTests
{
    private static readonly LoginIdentity Identity = new()
    {
        UserName = "perfuser",
        ApplicationName = "ConsPerf",
        Position = "127.0.0.1/net"
    };
    private static readonly LoginOffer Offer = new() { ApplicationName = "ProvPerf", Position = "10.0.0.1/host" };

    [Fact]
    public void Login_BothSides_BecomeReady()
    {
        LoginConsumer consumer = new(Identity);
        LoginProvider provider = new(Offer);

        byte[] request = Wire.Encode(consumer.EncodeRequest);
        Assert.Equal(ConversationResult.Send, provider.Receive(Wire.Decode(request)));
        byte[] refresh = Wire.Encode(provider.EncodeRefresh);
        Assert.Equal(ConversationResult.Ready, consumer.Receive(Wire.Decode(refresh)));

        Assert.True(consumer.IsOpen);
        Assert.Equal(new LoginAttributes
        {
            UserName = "perfuser",
            ApplicationId = "256",
            ApplicationName = "ConsPerf",
            Position = "127.0.0.1/net"
        }, provider.Consumer);
        Assert.Equal(new LoginAttributes
        {
            UserName = "perfuser",
            ApplicationId = "256",
            ApplicationName = "ProvPerf",
            Position = "10.0.0.1/host",
            SingleOpen = false
        }, consumer.Provider);
    }

    [Fact]
    public void EncodeRequest_HeaderMembers_AreThoseOfThePerfTools()
    {
        RwfMsg msg = Wire.Decode(Wire.Encode(new LoginConsumer(Identity).EncodeRequest));

        Assert.Equal((MsgClass.Request, DomainType.Login, 1, 0x04), (msg.MsgClass, msg.DomainType, msg.StreamId, msg.Flags));
        Assert.Equal(MsgKeyFlags.HasName | MsgKeyFlags.HasNameType | MsgKeyFlags.HasAttrib, msg.Key.Flags);
        Assert.Equal(["ApplicationId", "ApplicationName", "Position", "Role"], NamesOf(msg.Key.Attrib));
    }

    [Fact]
    public void EncodeRefresh_Default_OffersNeitherPostsNorBatches()
    {
        RwfMsg msg = Wire.Decode(AnswerTo(Offer, Identity));

        Assert.Equal(0x68, msg.Flags);
        Assert.Equal([0, 0], msg.GroupId.ToArray());
        Assert.Equal(["ApplicationId", "ApplicationName", "Position", "SingleOpen", "SupportOMMPost"], NamesOf(msg.Key.Attrib));
    }

    [Fact]
    public void EncodeRefresh_PostsAndBatchesOffered_SaysSo()
    {
        LoginConsumer consumer = new(Identity);

        consumer.Receive(Wire.Decode(AnswerTo(Offer with { SupportOmmPost = true, SupportBatchRequests = 1 }, Identity)));

        Assert.True(consumer.Provider!.SupportOmmPost);
        Assert.Equal(1u, consumer.Provider.SupportBatchRequests);
    }

    [Fact]
    public void Take_RequestOnSameStream_IsAnsweredAgainUnlessNoRefreshIsAsked()
    {
        LoginProvider provider = new(Offer);
        byte[] request = Wire.Encode(new LoginConsumer(Identity).EncodeRequest);
        RwfMsg msg = Wire.Decode(request);

        Assert.Equal(ConversationResult.Send, provider.Receive(msg));
        Assert.Equal(ConversationResult.Send, provider.Receive(msg));
        msg.Flags |= RequestFlags.NoRefresh;
        Assert.Equal(ConversationResult.Ignore, provider.Receive(msg));
    }

    [Theory]
    [InlineData(0, true, DataType.Unknown, "a login request must ask for a stream")]
    [InlineData(RequestFlags.Streaming, false, DataType.Unknown, "a login request must name the user")]
    [InlineData(RequestFlags.Streaming, true, DataType.FieldList, "the attributes of the login request cannot be decoded")]
    [InlineData(RequestFlags.Streaming, true, DataType.ElementList, "the attributes of the login request cannot be decoded")]
    public void Take_IllegalRequest_Disconnects(int flags, bool hasName, DataType attribType, string reason)
    {
        RwfMsg msg = Wire.Request(DomainType.Login, 1, flags);
        msg.Key = new MsgKey
        {
            Flags = (hasName ? MsgKeyFlags.HasName : 0) | (attribType == DataType.Unknown ? 0 : MsgKeyFlags.HasAttrib),
            Name = "me"u8,
            AttribType = attribType,
            Attrib = [8, 0, 1, 4],
        };

        Assert.Equal(new ConversationResult(ConversationStep.Disconnect, reason), new LoginProvider(Offer).Receive(msg));
    }

    [Fact]
    public void Take_RequestWithoutAttrib_IsAccepted()
    {
        LoginProvider provider = new(Offer);
        RwfMsg msg = Wire.Request(DomainType.Login, 3, RequestFlags.Streaming);
        msg.Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = "me\0"u8 };

        Assert.Equal(ConversationResult.Send, provider.Receive(msg));
        Assert.Equal(new LoginAttributes { UserName = "me" }, provider.Consumer);
        RwfMsg refresh = Wire.Decode(Wire.Encode(provider.EncodeRefresh));
        Assert.Equal(3, refresh.StreamId);
        Assert.False(refresh.Key.Has(MsgKeyFlags.HasNameType));
    }

    [Fact]
    public void Take_KnownElementOfWrongType_Disconnects()
    {
        byte[] attrib = Wire.Elements((ref RwfWriter writer) => writer.WriteAsciiElement("SingleOpen"u8, "1"u8));
        RwfMsg msg = Wire.Request(DomainType.Login, 1, RequestFlags.Streaming);
        msg.Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasName | MsgKeyFlags.HasAttrib,
            Name = "me"u8,
            AttribType = DataType.ElementList,
            Attrib = attrib
        };

        Assert.Equal(ConversationStep.Disconnect, new LoginProvider(Offer).Receive(msg).Step);
    }

    [Theory]
    [InlineData(MsgClass.Refresh)]
    [InlineData(MsgClass.Status)]
    [InlineData(MsgClass.Update)]
    [InlineData(MsgClass.Ack)]
    [InlineData(MsgClass.Post)]
    public void Provider_UnhandledClass_Disconnects(MsgClass msgClass) =>
        Assert.Equal(ConversationStep.Disconnect, new LoginProvider(Offer).Receive(Wire.Empty(msgClass, DomainType.Login, 1)).Step);

    [Fact]
    public void Provider_Close_ForgetsTheConsumer()
    {
        LoginProvider provider = new(Offer);
        provider.Receive(Wire.Decode(Wire.Encode(new LoginConsumer(Identity).EncodeRequest)));

        Assert.Equal(ConversationStep.Ignore, provider.Receive(Wire.Empty(MsgClass.Close, DomainType.Login, 9)).Step);
        Assert.Equal(ConversationStep.Closed, provider.Receive(Wire.Empty(MsgClass.Close, DomainType.Login, 1)).Step);
        Assert.Null(provider.Consumer);
    }

    [Theory]
    [InlineData(StreamState.Closed, DataState.Suspect, ConversationStep.Refused,
        "login refused: Closed/Suspect/NotEntitled \"go away\\u000A\"")]
    [InlineData(StreamState.ClosedRecover, DataState.Suspect, ConversationStep.Refused,
        "login refused: ClosedRecover/Suspect/NotEntitled \"go away\\u000A\"")]
    [InlineData(StreamState.Open, DataState.Suspect, ConversationStep.Wait,
        "login is suspect: Open/Suspect/NotEntitled \"go away\\u000A\"")]
    [InlineData(StreamState.Open, DataState.Ok, ConversationStep.Ignore, null)]
    internal void Consumer_Status_FollowsItsState(StreamState stream, DataState data, ConversationStep step, string? reason)
    {
        RwfMsg status = Wire.Status(DomainType.MarketPrice, StreamIds.Login, stream, data); // some providers send the wrong domain

        Assert.Equal(new ConversationResult(step, reason), new LoginConsumer(Identity).Receive(status));
    }

    [Fact]
    public void Consumer_RefreshThatIsNotOpen_IsRefused()
    {
        RwfMsg refresh = Wire.Decode(AnswerTo(Offer, Identity));
        refresh.State = new RwfState(StreamState.Closed, DataState.Suspect);

        Assert.Equal(ConversationStep.Refused, new LoginConsumer(Identity).Receive(refresh).Step);
    }

    [Theory]
    [InlineData(MsgClass.Request, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Close, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Post, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Update, ConversationStep.Ignore)]
    [InlineData(MsgClass.Generic, ConversationStep.Ignore)]
    [InlineData(MsgClass.Ack, ConversationStep.Ignore)]
    [InlineData(MsgClass.Status, ConversationStep.Ignore)]
    internal void Consumer_OtherClass_IsIgnoredOrFatal(MsgClass msgClass, ConversationStep step) =>
        Assert.Equal(step, new LoginConsumer(Identity).Receive(Wire.Empty(msgClass, DomainType.Login, 1)).Step);

    [Fact]
    public void RoundTrip_BothSidesWantIt_IsEchoed()
    {
        LoginConsumer consumer = new(Identity with { RoundTripLatency = true });
        LoginProvider provider = new(Offer with { RoundTripLatency = true });
        provider.Receive(Wire.Decode(Wire.Encode(consumer.EncodeRequest)));
        consumer.Receive(Wire.Decode(Wire.Encode(provider.EncodeRefresh)));

        byte[] message = Wire.Encode(room => provider.EncodeRoundTrip(room, 1690265128552, 0));

        Assert.True(consumer.Provider!.RoundTripLatency);
        Assert.Equal(ConversationStep.Echo, consumer.Receive(Wire.Decode(message)).Step);
        Assert.True(provider.TryReadRoundTrip(Wire.Decode(message), out ulong ticks));
        Assert.Equal(1690265128552ul, ticks);
    }

    [Fact]
    public void RoundTrip_NotAskedFor_StaysOff()
    {
        LoginProvider provider = new(Offer with { RoundTripLatency = true });
        provider.Receive(Wire.Decode(Wire.Encode(new LoginConsumer(Identity).EncodeRequest)));
        byte[] message = Wire.Encode(room => provider.EncodeRoundTrip(room, 5, null));

        Assert.False(provider.MeasuresRoundTrips);
        Assert.False(provider.TryReadRoundTrip(Wire.Decode(message), out _));
        Assert.Equal(ConversationStep.Ignore, provider.Receive(Wire.Decode(message)).Step);
        Assert.Equal(ConversationStep.Ignore, new LoginConsumer(Identity).Receive(Wire.Decode(message)).Step);
    }

    private static byte[] AnswerTo(LoginOffer offer, LoginIdentity identity)
    {
        LoginProvider provider = new(offer);
        provider.Receive(Wire.Decode(Wire.Encode(new LoginConsumer(identity).EncodeRequest)));
        return Wire.Encode(provider.EncodeRefresh);
    }

    private static List<string> NamesOf(ReadOnlySpan<byte> elementList)
    {
        List<string> names = [];
        ElementListReader.TryOpen(elementList, out ElementListReader reader);
        while (reader.TryReadNext(out ElementEntry entry) == DecodeResult.Success)
            names.Add(PrintableText.FromTerminated(entry.Name));
        return names;
    }
}
