using PerfCommon.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>One consumer's connection at an interactive provider: its login, its items, its images and updates.</summary>
/// <remarks>Belongs to the thread of its worker. Nothing here waits.</remarks>
internal sealed partial class ProviderSession
{
    private readonly ProviderPlan _plan;
    private readonly ProviderWorker _worker;
    private readonly ProviderCounters _counters;
    private readonly RsslChannel _channel;
    private readonly MessageOutput _output;
    private readonly ReplyQueue _replies;
    private readonly ProviderItems _items = new();
    private readonly UpdateBurst _updates;
    private readonly LoginProvider _login;
    private readonly DirectoryProvider _directory;
    private readonly DictionaryProvider _dictionary;
    private readonly DictionaryReplies _dictionaryReplies;
    private readonly MarketPriceProvider _marketPrice;
    private bool _finishing;
    private bool _blocked;

    public ProviderSession(ProviderPlan plan, RsslChannel channel, ProviderWorker worker)
    {
        _plan = plan;
        _worker = worker;
        _counters = worker.Counters;
        _channel = channel;
        _output = new MessageOutput(channel, plan.MaxPackCount, plan.PackBufferBytes);
        _replies = new ReplyQueue(_output);
        _updates = new UpdateBurst(plan, _items, _output);
        _login = new LoginProvider(plan.Offer);
        _directory = new DirectoryProvider(plan.Service);
        _dictionary = new DictionaryProvider(plan.Dictionary);
        _dictionaryReplies = new DictionaryReplies(_output, channel.Info.MaxFragmentBytes);
        _marketPrice = new MarketPriceProvider(plan.Service);
    }

    /// <summary>Begins the burst of a tick; what the tick before left over counts as not sent.</summary>
    /// <returns>True when the tick has updates to send.</returns>
    public bool StartBurst(int count, int stampPlace, long skipped)
    {
        if (!IsOpen)
            return false;
        int missed = _updates.Begin(count, stampPlace);
        bool sends = _updates.Left > 0;
        if (missed > 0 || (skipped > 0 && sends))
            _counters.UpdatesNotSent.Add(missed + (sends ? skipped : 0));
        if (missed > 0)
            _counters.UpdatesStopped.Add(missed);
        if (!_blocked)
            ContinueBurst();
        return sends;
    }

    /// <summary>True while updates wait for output buffers: the buffers that come free go to images first then.</summary>
    public bool IsBlocked => _blocked;

    /// <summary>Sends what the output buffers could not take before.</summary>
    public void ContinueBurst()
    {
        if (!IsOpen || (_updates.Left == 0 && !_replies.IsWaiting && !_dictionaryReplies.IsWaiting))
            return;
        if (_replies.TrySendWaiting() && _dictionaryReplies.TrySend())
            _blocked = !_updates.TrySend();
        _counters.UpdateStampsSent.Add(_updates.TakeStampCount());
        _output.EndBurst();
    }

    /// <summary>Sends a few of the images that are due.</summary>
    /// <returns>True when more are due that could be sent now.</returns>
    public bool SendRefreshBurst()
    {
        if (!IsOpen || _items.RefreshesDue == 0)
            return false;
        bool hasRoom = true;
        for (int i = 0; i < _plan.RefreshBurstSize && hasRoom && _items.TryPeekRefresh(out int slot); i++)
            hasRoom = TrySendRefresh(slot);
        _output.EndBurst();
        return hasRoom && _items.RefreshesDue > 0;
    }

    /// <summary>Hands what is queued to the system and books what has gone.</summary>
    public void Flush()
    {
        if (IsOpen)
            _channel.Flush();
        Settle();
    }

    /// <summary>Stops sending: what is queued goes out, then our stream ends.</summary>
    public void FinishSending()
    {
        _finishing = true;
        int unsent = _updates.Begin(0, -1);
        _counters.UpdatesNotSent.Add(unsent);
        if (_channel.State == ChannelState.Active)
            _channel.FinishSending();
    }

    /// <summary>Ends the connection whatever is on its way.</summary>
    public void Close() => _channel.Close();

    /// <summary>Books the end of a connection that is over.</summary>
    /// <returns>True when it is over and booked: forget it.</returns>
    public bool TryEnd()
    {
        if (_channel.State != ChannelState.Closed)
            return false;
        Settle();
        _counters.UpdatesNotSent.Add(_output.Ledger.Unsettled(MessageKind.Update) + _updates.Begin(0, -1));
        _counters.ImagesNotSent.Add(_output.Ledger.Unsettled(MessageKind.Refresh));
        CloseReason? reason = _channel.Closed;
        bool orderly = reason is null or { Kind: CloseKind.PeerClosed or CloseKind.Local };
        if (!orderly)
            _worker.NoteBrokenConnection();
        _worker.Notices.Add(orderly ? "Connection closed." : $"Connection lost: {reason!.Text}");
        return true;
    }

    private bool IsOpen => _channel.State == ChannelState.Active && !_finishing;

    private void Settle()
    {
        SendLedger ledger = _output.Ledger;
        long updates = ledger.Sent(MessageKind.Update);
        long images = ledger.Sent(MessageKind.Refresh);
        ledger.Settle(_channel.MessagesSent);
        _counters.UpdatesSent.Add(ledger.Sent(MessageKind.Update) - updates);
        _counters.ImagesSent.Add(ledger.Sent(MessageKind.Refresh) - images);
        _counters.MessagesWritten.Add(_output.TakeMessageCount());
        _counters.BuffersWritten.Add(_output.TakeBufferCount());
    }

    private bool TrySendRefresh(int slot)
    {
        ReadOnlySpan<byte> name = _items.NameOf(slot);
        int most = RefreshEncoder.MostBytes(_plan.Messages.Refresh, name.Length);
        if (!_output.TryBegin(most, out Span<byte> room))
            return false;
        ItemTraits traits = _items.TraitsOf(slot);
        int bytes = RefreshEncoder.Encode(room, _marketPrice, _plan.Messages.Refresh, _items.StreamIdOf(slot), name, traits);
        _output.End(bytes, MessageKind.Refresh);
        _items.RefreshSent(slot);
        return true;
    }
}
