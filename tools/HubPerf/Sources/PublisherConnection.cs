using HubPerf.Cache;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;

namespace HubPerf.Sources;

/// <summary>One connection on the port for non-interactive providers: whoever logs in as a provider publishes.</summary>
internal sealed class PublisherConnection : ServingSession
{
    private readonly SourceHost _host;
    private readonly NiSource _source;
    private readonly DictionaryProvider _dictionary;
    private NiProvider? _provider;
    private long _bytesSeen;

    public PublisherConnection(SourceHost host, NiSource source, LoginOffer offer, DictionaryProvider dictionary)
        : base(offer) => (_host, _source, _dictionary) = (host, source, dictionary);

    internal override bool EndsFirst => true;

    private protected override bool IsHeldUp => !_host.HasRoom();

    internal override void OnReadable(long untilNanos)
    {
        base.OnReadable(untilNanos);
        if (!_host.HasRoom())
            _host.Hold(Channel);
        _host.Publish();
    }

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        TrySendReplies();
        Output.EndBurst();
    }

    internal override void OnClosed(CloseReason reason)
    {
        base.OnClosed(reason);
        _provider?.Leave();
        _provider = null;
    }

    private protected override void OnLoggedIn()
    {
        if (Peer!.Role != LoginRole.Provider)
            Disconnect("a consumer's login on the port for providers");
        else
            _provider ??= new NiProvider(_host, _source, _dictionary);
    }

    private protected override void OnLoginClosed()
    {
        _provider?.Leave();
        _provider = null;
    }

    private protected override bool TryTakeFirst(ReadOnlySpan<byte> message)
    {
        if (_provider is null || !UpdateHeader.TryRead(message, out UpdateHeader update) || !ItemDomain.IsKnown(update.DomainType))
            return false;
        Publish(message);
        return true;
    }

    private protected override void HandleDirectory(scoped in RwfMsg msg) => Publish(msg.Message);

    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message) => Publish(message);

    private protected override void HandleOffStreamPost(scoped in RwfMsg post) => Drop(post);

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) => _dictionary;

    private void Publish(ReadOnlySpan<byte> message)
    {
        if (_provider is null)
        {
            Disconnect("a message before its login");
            return;
        }

        if (Channel.BytesRead != _bytesSeen)
        {
            _bytesSeen = Channel.BytesRead;
            _host.NoteReceived(Time.NowNanos);
        }

        if (_provider.Take(message) is { } problem)
            Disconnect(problem);
    }
}
