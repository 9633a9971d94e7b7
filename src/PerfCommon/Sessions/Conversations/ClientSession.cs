using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// A connection that logs in as a consumer and requests the directory. The derived classes define its use of services and items.
/// </summary>
public abstract class ClientSession : Connection
{
    // Some providers answer only the first request of a segment until further bytes arrive: a ping supplies them.
    // wire/domains 16
    private protected const long AnswerLimitNanos = 50 * Clock.NanosPerMilli;

    private readonly LoginConsumer _login;

    private protected ClientSession(LoginIdentity identity) => _login = new LoginConsumer(identity);

    internal override string Role => "consumer";

    /// <summary>True when the provider accepts posts; once it has accepted the login.</summary>
    public bool AcceptsPosts => _login.Provider is { SupportOmmPost: true };

    /// <summary>True when the provider accepts one request for many items; once it has accepted the login.</summary>
    // wire/domains 2.2
    private protected bool AcceptsBatches =>
        _login.Provider is { SupportBatchRequests: var batches } && (batches & LoginOffer.BatchRequests) != 0;

    /// <summary>True when the provider accepts one close for many items; once it has accepted the login.</summary>
    // wire/domains 2.2
    private protected bool AcceptsBatchCloses =>
        _login.Provider is { SupportBatchRequests: var batches } && (batches & LoginOffer.BatchCloses) != 0;

    /// <summary>True when the provider sends only the fields that are requested (views); once it has accepted the login.</summary>
    // wire/domains 2.2
    internal bool AcceptsViews => _login.Provider is { SupportViewRequests: true };

    /// <summary>True when the provider can be a standby on request; once it has accepted the login.</summary>
    // wire/domains 2.2
    internal bool SupportsStandby => _login.Provider is { SupportStandby: true };

    /// <summary>Buffer for one message that is sent at once.</summary>
    private protected byte[] Scratch => Worker.Scratch;

    private protected abstract bool IsLoggingIn { get; }

    /// <summary>Ends sending because of a received message. Owning thread only.</summary>
    /// <param name="kind">Kind of failure.</param>
    /// <param name="text">The reason, as a sentence.</param>
    /// <param name="isBroken">True when the connection broke: the counts of both sides cannot be compared.</param>
    public abstract void Fail(ConsumerFailureKind kind, string text, bool isBroken = false);

    internal override void OnOpened(long nowNanos)
    {
        Recording.Notices.Add(SessionNotices.Connected);
        Recording.Notices.Add(ConnectionNotices.Channel, ChannelText.Describe(Channel));
        OnAsking(nowNanos);
        Send(_login.EncodeRequest(Scratch));
    }

    /// <summary>Called when the connection is open, before the login is sent.</summary>
    private protected abstract void OnAsking(long nowNanos);

    /// <summary>Called when the provider has accepted the login; the directory is requested next.</summary>
    private protected abstract void OnLoggedIn();

    /// <summary>Handles the answer to a post on the login stream.</summary>
    private protected abstract void OnLoginAck(scoped in RwfMsg ack);

    /// <summary>Called when a round-trip message of the provider was sent back.</summary>
    private protected virtual void OnRoundTrip(in RoundTripMessage trip)
    {
    }

    /// <param name="msg">A message of the login.</param>
    /// <param name="message">Its bytes.</param>
    private protected void HandleLogin(scoped in RwfMsg msg, ReadOnlySpan<byte> message)
    {
        // wire/domains 2.3
        if (msg.MsgClass == MsgClass.Ack)
        {
            OnLoginAck(msg);
            return;
        }

        ConversationResult result = _login.Receive(msg);
        switch (result.Step)
        {
            case ConversationStep.Ready when IsLoggingIn:
                Recording.Notices.Add(SessionNotices.LoginResponse);
                OnLoggedIn();
                // wire/domains 1
                if (!IsFinishing)
                    Send(DirectoryConsumer.EncodeRequest(Scratch));
                break;
            // wire/domains 9
            case ConversationStep.Echo:
                Echo(message);
                if (RoundTripMessage.TryRead(msg, out RoundTripMessage trip))
                    OnRoundTrip(trip);
                break;
            case ConversationStep.Refused or ConversationStep.Closed:
                Fail(
                    IsLoggingIn ? ConsumerFailureKind.LoginRefused : ConsumerFailureKind.ConnectionLost,
                    result.Reason ?? "the provider refused the login");
                break;
            default:
                Conclude(result);
                break;
        }
    }

    private protected void Conclude(ConversationResult result)
    {
        if (result.Step == ConversationStep.Disconnect)
            Fail(ConsumerFailureKind.BadMessage, result.Reason ?? "the provider broke the protocol");
        else if (result.Reason is { } reason)
            Report(SessionNotices.Message, reason);
    }

    /// <summary>Sends a message of the start-up that was encoded into <see cref="Scratch"/>.</summary>
    private protected void Send(int bytes)
    {
        if (bytes == 0 || !Output.TrySend(Scratch.AsSpan(0, bytes), MessageKind.Other))
            Fail(ConsumerFailureKind.ConnectionLost, "no output buffer for a message of the start-up");
        Channel.Flush();
    }

    // Returns a round-trip message: at once, or not at all when every buffer is in use.
    private void Echo(ReadOnlySpan<byte> message)
    {
        if (IsOpen && message.Length <= Scratch.Length && Output.TrySend(message, MessageKind.Other))
            Channel.Flush();
    }
}
