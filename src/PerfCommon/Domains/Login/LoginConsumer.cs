using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Logs in for a consumer or non-interactive provider: encodes the request and handles the answer.</summary>
/// <param name="identity">User and program that log in.</param>
internal sealed class LoginConsumer(LoginIdentity identity)
{
    private const byte UserNameType = 1; // wire/domains 2.1
    private const int MaxNameBytes = byte.MaxValue; // wire/rwf 9.2

    /// <summary>True while the login is accepted.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Attributes of the provider; null until it accepted the login.</summary>
    public LoginAttributes? Provider { get; private set; }

    /// <summary>Encodes the login request; 0 when the buffer is too small.</summary>
    public int EncodeRequest(Span<byte> room) // wire/domains 2.1
    {
        byte[] name = Encoding.UTF8.GetBytes(identity.UserName);
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Login,
            StreamId = StreamIds.Login,
            Flags = RequestFlags.Streaming,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasName | MsgKeyFlags.HasNameType | MsgKeyFlags.HasAttrib,
                Name = name.AsSpan(0, Math.Min(name.Length, MaxNameBytes)),
                NameType = UserNameType,
                AttribType = DataType.ElementList,
            },
        };
        RwfWriter writer = new(room);
        writer.BeginHeader(request);
        WriteAttributes(ref writer);
        writer.EndHeader(request);
        return writer.Written;
    }

    /// <summary>Handles a message of the login domain, or a status of the login stream.</summary>
    /// <returns>Ready when accepted for the first time, Wait, Refused, Echo for a round trip, Ignore or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        if (msg.StreamId != StreamIds.Login)
            return ConversationResult.Ignore;
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh:
                return ReceiveRefresh(msg);
            case MsgClass.Status when msg.Has(StatusFlags.HasState): // wire/domains 2.3
                return ReceiveState(msg.State) ?? ConversationResult.Ignore;
            case MsgClass.Generic when IsRoundTrip(msg): // wire/domains 9
                return new ConversationResult(ConversationStep.Echo);
            case MsgClass.Request or MsgClass.Close or MsgClass.Post:
                // wire/domains 2.3
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the login stream");
            default:
                return ConversationResult.Ignore;
        }
    }

    private bool IsRoundTrip(scoped in RwfMsg msg) =>
        identity.RoundTripLatency && msg.Has(GenericFlags.ProviderDriven) && msg.ContainerType == DataType.ElementList;

    private ConversationResult ReceiveRefresh(scoped in RwfMsg msg)
    {
        if (ReceiveState(msg.State) is { } notOpen)
            return notOpen;
        if (!LoginAttributes.TryRead(msg.Key, out LoginAttributes provider))
            return ConversationResult.Disconnect("the login refresh cannot be decoded"); // wire/domains 12
        Provider = provider;
        if (IsOpen) // wire/domains 2.3
            return ConversationResult.Ignore;
        IsOpen = true;
        return ConversationResult.Ready;
    }

    // Handles the state of an answer; null when it is open and not suspect.
    private ConversationResult? ReceiveState(scoped in RwfState state)
    {
        if (state.StreamState == StreamState.Open && state.DataState != DataState.Suspect) // wire/domains 2.3
            return null;
        IsOpen = false;
        return state.StreamState == StreamState.Open
            ? ConversationResult.Wait($"login is suspect: {DomainMsg.Show(state)}")
            : ConversationResult.Refused($"login refused: {DomainMsg.Show(state)}"); // wire/domains 2.3
    }

    private void WriteAttributes(ref RwfWriter writer) // wire/domains 2.1
    {
        writer.BeginElementList();
        writer.WriteAsciiElement(LoginElements.ApplicationId, Encoding.UTF8.GetBytes(identity.ApplicationId));
        writer.WriteAsciiElement(LoginElements.ApplicationName, Encoding.UTF8.GetBytes(identity.ApplicationName));
        writer.WriteAsciiElement(LoginElements.Position, Encoding.UTF8.GetBytes(identity.Position));
        if (identity.SingleOpen is { } singleOpen)
            writer.WriteUIntElement(LoginElements.SingleOpen, singleOpen ? 1UL : 0);
        writer.WriteUIntElement(LoginElements.Role, (ulong)identity.Role);
        if (identity.RoundTripLatency)
            writer.WriteUIntElement(LoginElements.RoundTripLatency, LoginElements.RoundTripLatencyOn);
        writer.EndElementList();
    }
}
