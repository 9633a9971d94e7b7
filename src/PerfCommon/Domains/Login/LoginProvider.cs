using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Handles one connection's login as a provider: it accepts every user.</summary>
/// <param name="offer">Attributes of the provider in its answers.</param>
internal sealed class LoginProvider(LoginOffer offer)
{
    private byte[] _name = [];
    private byte? _nameType;
    private int _streamId;

    /// <summary>The user that logged in; null before, and after the consumer closed its login.</summary>
    public LoginAttributes? Consumer { get; private set; }

    /// <summary>True when round trips are measured: we offer it and the consumer requested it.</summary>
    public bool MeasuresRoundTrips => offer.RoundTripLatency && Consumer is { RoundTripLatency: true }; // wire/domains 9

    /// <summary>True for the stream on which the consumer is logged in.</summary>
    public bool IsOpenOn(int streamId) => Consumer is not null && streamId == _streamId;

    /// <summary>Handles a message of the login domain.</summary>
    /// <returns>Send (the refresh), Ignore, Closed or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Request:
                return ReceiveRequest(msg);
            case MsgClass.Close when msg.StreamId == _streamId:
                Consumer = null;
                return ConversationResult.Closed("the consumer closed its login"); // wire/domains 2.3
            case MsgClass.Close or MsgClass.Generic:
                return ConversationResult.Ignore; // wire/domains 2.3
            default:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the login domain"); // wire/domains 2.3
        }
    }

    /// <summary>Encodes the refresh that answers the last request; 0 when the buffer is too small.</summary>
    public int EncodeRefresh(Span<byte> room) // wire/domains 2.2
    {
        MsgKey key = new()
        {
            Flags = MsgKeyFlags.HasName | MsgKeyFlags.HasAttrib | (_nameType is null ? 0 : MsgKeyFlags.HasNameType),
            Name = _name,
            NameType = _nameType ?? 0,
            AttribType = DataType.ElementList,
        };
        RwfMsg refresh = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Login,
            StreamId = _streamId,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.Solicited | RefreshFlags.RefreshComplete,
            State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "Login accepted"u8),
            GroupId = DomainMsg.GroupId,
            Key = key,
        };
        RwfWriter writer = new(room);
        writer.BeginHeader(refresh);
        WriteOffer(ref writer);
        writer.EndHeader(refresh);
        return writer.Written;
    }

    /// <summary>Encodes one message of a round trip, which the consumer returns unchanged; 0 when the buffer is too small.</summary>
    /// <param name="room">The output buffer.</param>
    /// <param name="ticks">Our current clock; returned unchanged.</param>
    /// <param name="lastNanos">The last round trip measured, in nanoseconds; null omits it.</param>
    public int EncodeRoundTrip(Span<byte> room, ulong ticks, ulong? lastNanos) // wire/domains 9
    {
        RwfMsg generic = new()
        {
            MsgClass = MsgClass.Generic,
            DomainType = DomainType.Login,
            StreamId = _streamId,
            Flags = GenericFlags.ProviderDriven,
            ContainerType = DataType.ElementList,
        };
        RwfWriter writer = new(room);
        writer.TryWriteHeader(generic);
        writer.BeginElementList();
        writer.WriteUIntElement(LoginElements.Ticks, ticks);
        if (lastNanos is { } nanos)
            writer.WriteUIntElement(LoginElements.RoundTripLatency, nanos);
        writer.EndElementList();
        return writer.Written;
    }

    /// <summary>Recognises the answer of a round trip; the ticks are our clock at sending.</summary>
    public bool TryReadRoundTrip(scoped in RwfMsg msg, out ulong ticks) // wire/domains 9
    {
        ticks = 0;
        if (!MeasuresRoundTrips || !RoundTripMessage.TryRead(msg, out RoundTripMessage answer))
            return false;
        ticks = answer.Ticks;
        return true;
    }

    private ConversationResult ReceiveRequest(scoped in RwfMsg msg)
    {
        if (!msg.Has(RequestFlags.Streaming))
            return ConversationResult.Disconnect("a login request must ask for a stream"); // wire/domains 2.1
        if (!msg.Key.Has(MsgKeyFlags.HasName))
            return ConversationResult.Disconnect("a login request must name the user"); // wire/domains 2.1
        if (!LoginAttributes.TryRead(msg.Key, out LoginAttributes consumer))
            return ConversationResult.Disconnect("the attributes of the login request cannot be decoded"); // wire/domains 2.1
        bool again = Consumer is not null && msg.StreamId == _streamId;
        Consumer = consumer;
        _streamId = msg.StreamId;
        _name = msg.Key.Name.ToArray();
        _nameType = msg.Key.Has(MsgKeyFlags.HasNameType) ? msg.Key.NameType : null;
        return again && msg.Has(RequestFlags.NoRefresh) ? ConversationResult.Ignore : ConversationResult.Send; // wire/domains 2.1
    }

    private void WriteOffer(ref RwfWriter writer) // wire/domains 2.2
    {
        writer.BeginElementList();
        writer.WriteAsciiElement(LoginElements.ApplicationId, Encoding.UTF8.GetBytes(offer.ApplicationId));
        writer.WriteAsciiElement(LoginElements.ApplicationName, Encoding.UTF8.GetBytes(offer.ApplicationName));
        writer.WriteAsciiElement(LoginElements.Position, Encoding.UTF8.GetBytes(offer.Position));
        writer.WriteUIntElement(LoginElements.SingleOpen, offer.SingleOpen ? 1u : 0u);
        if (MeasuresRoundTrips)
            writer.WriteUIntElement(LoginElements.RoundTripLatency, LoginElements.RoundTripLatencyOn);
        writer.WriteUIntElement(LoginElements.SupportOmmPost, offer.SupportOmmPost ? 1u : 0u);
        if (offer.SupportBatchRequests is { } batches)
            writer.WriteUIntElement(LoginElements.SupportBatchRequests, batches);
        if (offer.SupportViewRequests)
            writer.WriteUIntElement(LoginElements.SupportViewRequests, 1u);
        if (offer.SupportStandby)
            writer.WriteUIntElement(LoginElements.SupportStandby, 1u);
        writer.EndElementList();
    }
}
