using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Handles the messages of the peer.</content>
public abstract partial class ServerSession
{
    private const int MaxAnsweredPerTurn = 256 * 1024;

    private bool _isBad;
    private int _answeredBytes; // of directories in this turn

    /// <summary>True for the stream of the login.</summary>
    private protected bool IsLoginOn(int streamId) => _login.IsOpenOn(streamId);

    /// <summary>True while the maximum of answers waits, so that no further message should be read.</summary>
    private protected virtual bool IsFull => Replies.IsFull || _dictionaryReplies is { IsFull: true };

    /// <summary>True while no message at all can be read, also at the end.</summary>
    private protected virtual bool IsHeldUp => false;

    /// <summary>True when requests are answered also without a login.</summary>
    private protected virtual bool IsLoginOptional => false;

    // A connection that ends is read to its end, and so is one on which no answer can be sent any more: its answers would wait forever.
    private protected bool MayRead => !IsHeldUp && (IsFinishing || !IsFull || Channel.HasFailedSending);

    /// <summary>False once no answer can be sent any more: encoding a large one would be useless.</summary>
    private protected bool MayAnswer => !Channel.HasFailedSending;

    internal override void OnReadable(long untilNanos)
    {
        if (!IsServed)
            return; // refused when it was opened
        _answeredBytes = 0;
        Receiver receiver = new(this);
        if (MayRead)
            Receive(ref receiver, untilNanos);
        _dictionaryReplies?.SendSome();
        Output.EndBurst(); // replies do not wait for the next burst
    }

    /// <summary>Handles a message before it is decoded.</summary>
    /// <returns>False to have it decoded.</returns>
    private protected virtual bool TryReceiveFirst(ReadOnlySpan<byte> message) => false;

    /// <summary>Called when the login refresh was sent.</summary>
    private protected abstract void OnLoggedIn();

    /// <summary>Called when the consumer makes this provider the standby of another, or active again.</summary>
    private protected virtual void OnStandby(bool isStandby)
    {
    }

    /// <summary>Called when the login was closed, which closes everything else.</summary>
    private protected abstract void OnLoginClosed();

    /// <summary>Handles a post on the login stream, whose key names its item.</summary>
    private protected abstract void HandleOffStreamPost(scoped in RwfMsg post);

    private protected abstract void HandleDirectory(scoped in RwfMsg msg);

    /// <summary>Returns the provider that answers dictionary requests with this key.</summary>
    private protected abstract DictionaryProvider DictionaryOf(scoped in MsgKey key);

    /// <summary>Handles a message of any other domain.</summary>
    /// <param name="msg">The message.</param>
    /// <param name="message">Its bytes.</param>
    private protected abstract void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message);

    private protected void Count(Counter counter) => Counters.Add(counter, 1);

    /// <summary>Sends an answer that was encoded into <see cref="Scratch"/>.</summary>
    private protected void Reply(int bytes) => Replies.Send(Scratch[..bytes]);

    /// <summary>Counts an answer that is large compared with its request, so that a turn has few of them.</summary>
    private protected void CountAnswer(int bytes) => _answeredBytes += bytes;

    /// <summary>Ends the connection when the result of a conversation requires it.</summary>
    private protected void Conclude(ConversationResult result)
    {
        if (result.Step == ConversationStep.Disconnect)
            Disconnect(result.Reason ?? "a message that breaks the protocol");
    }

    private protected void Disconnect(string what)
    {
        _isBad = true;
        Count(Counter.ConnectionsBad);
        Recording.Notices.Add(SessionNotices.Disconnected, what);
        Channel.Abort($"the peer sent {what}");
    }

    /// <summary>Counts a message that is not used.</summary>
    private protected void Drop(scoped in RwfMsg msg)
    {
        if (Recording.Counters[Counter.MessagesDropped] == 0)
            Recording.Notices.Add(SessionNotices.MessageIgnored, msg.MsgClass, (byte)msg.DomainType);

        Count(Counter.MessagesDropped);
    }

    // False while the maximum of answers waits, so that no further request should be read, and after a message that cannot be decoded.
    private bool Handle(ReadOnlySpan<byte> message)
    {
        if (TryReceiveFirst(message))
            return !_isBad && MayRead;
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
        {
            // wire/domains 12
            Disconnect("a message that cannot be decoded");
            return false;
        }

        // wire/domains 12
        if (msg is { MsgClass: MsgClass.Request, DomainType: not DomainType.Login } && !IsLoginOptional && _login.Consumer is null)
        {
            Disconnect("a request before the login");
            return false;
        }

        // wire/domains 1
        switch (msg.DomainType)
        {
            case DomainType.Login:
                HandleLogin(msg);
                break;
            case DomainType.Source:
                HandleDirectory(msg);
                break;
            case DomainType.Dictionary:
                HandleDictionary(msg);
                break;
            default:
                HandleItem(msg, message);
                break;
        }

        return !_isBad && MayRead && _answeredBytes < MaxAnsweredPerTurn;
    }

    private void HandleLogin(scoped in RwfMsg msg)
    {
        // wire/domains 6.4
        if (msg.MsgClass == MsgClass.Post)
        {
            HandleOffStreamPost(msg);
            return;
        }

        if (msg.MsgClass == MsgClass.Generic && TryReceiveRoundTrip(msg))
            return;
        if (IsLoginOn(msg.StreamId) && ConnectionStatus.TryRead(msg, out bool isStandby)) // wire/domains 2.4
            OnStandby(isStandby);
        ConversationResult result = _login.Receive(msg);
        if (result.Step == ConversationStep.Send)
        {
            Report(SessionNotices.LoginRequest, _login.Consumer?.UserName);
            Reply(_login.EncodeRefresh(Scratch));
            BeginRoundTrips();
            OnLoggedIn();
        }
        else if (result.Step == ConversationStep.Closed)
        {
            // wire/domains 2.3
            OnLoginClosed();
        }

        Conclude(result);
    }

    private void HandleDictionary(scoped in RwfMsg msg)
    {
        ConversationResult result = DictionaryOf(msg.Key).Receive(msg, out DictionaryAnswer? answer);
        if (answer is not null)
        {
            Report(SessionNotices.DictionaryRequest);
            _dictionaryReplies ??= new DictionaryReplies(Output, Channel.Info.MaxFragmentBytes);
            if (!IsFinishing && MayAnswer)
                _dictionaryReplies.Add(answer);
        }
        else if (result.Step == ConversationStep.Closed)
        {
            // wire/domains 4
            _dictionaryReplies?.Discard(msg.StreamId);
        }

        Conclude(result);
    }

    private readonly struct Receiver(ServerSession session) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message) => session.Handle(message);
    }
}
