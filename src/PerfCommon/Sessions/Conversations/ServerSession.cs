using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// A connection whose peer logs in: the login, the dictionaries, the round trips. The derived classes define its use of items.
/// </summary>
public abstract partial class ServerSession : Connection
{
    private readonly LoginProvider _login;
    private ReplyQueue? _replies;
    private DictionaryReplies? _dictionaryReplies;

    private protected ServerSession(LoginOffer offer) => _login = new LoginProvider(offer);

    internal override string Role => "provider";

    /// <summary>The user that logged in; null before, and after the login was closed.</summary>
    internal LoginAttributes? Peer => _login.Consumer;

    private protected ReplyQueue Replies => _replies!;

    /// <summary>False when the connection was refused as it opened.</summary>
    private protected bool IsServed => _replies is not null;

    /// <summary>Buffer for one answer that is sent at once.</summary>
    private protected Span<byte> Scratch => Worker.Scratch;

    /// <summary>Called when the connection is established; the peer has not logged in yet.</summary>
    private protected virtual void OnServed()
    {
    }

    internal override void OnOpened(long nowNanos)
    {
        if (Packing.IsOn && Packing.BufferBytes > Channel.Info.MaxMessageBytes)
        {
            Recording.Notices.Add(ConnectionNotices.PackTooLarge, Packing.BufferBytes, Channel.Info.MaxMessageBytes);
            Channel.Close();
            return;
        }

        _replies = new ReplyQueue(Output);
        Recording.Notices.Add(SessionNotices.Accepted, ChannelText.Describe(Channel));
        OnServed();
    }

    internal override void OnFinishing()
    {
        if (_replies is null)
            return;
        _replies.Discard();
        Channel.HoldReading(!MayRead); // messages that still arrive are read and counted
    }

    internal override void OnClosed(CloseReason reason)
    {
        if (_replies is null)
            return; // refused when it was opened, which was reported
        bool isOrderly = reason.Kind is CloseKind.PeerClosed or CloseKind.Local;
        if (isOrderly)
            Recording.Notices.Add(SessionNotices.Closed);
        else
            Recording.Notices.Add(SessionNotices.Lost, reason.Text, reason.Kind);
        if (!IsFinishing)
            OnFinishing();
    }

    /// <summary>Sends the waiting answers, except dictionaries, which are sent in the time that ticks leave.</summary>
    /// <returns>False when some still wait.</returns>
    private protected bool TrySendReplies() => Replies.TrySendWaiting() && !IsDictionaryWaiting;

    internal override bool IsBusy => base.IsBusy || IsDictionaryWaiting;

    internal override bool OnIdle() => IsOpen && _dictionaryReplies?.SendSome() == true;

    private protected bool IsDictionaryWaiting => _dictionaryReplies is { IsWaiting: true };
}
