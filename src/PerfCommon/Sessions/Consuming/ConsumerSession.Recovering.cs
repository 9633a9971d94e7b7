using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Recovers the items of a watchlist after a loss: of the connection, of the service, of the item itself.</content>
public sealed partial class ConsumerSession
{
    /// <summary>True when another connection will replace this one: lost items are recovered.</summary>
    public bool WillBeFollowed => Successor is not null && !Worker.IsEndRequested && _failure is null or { IsFinal: false };

    private long NextRetryNanos => _watched?.NextRetryNanos ?? long.MaxValue;

    // Returns the item of a requested stream; -1 for none.
    private int ItemOf(int streamId)
    {
        int item = streamId - StreamIds.FirstItem;
        if ((uint)item >= (uint)_requested)
            return -1;
        return _watched?.ItemOf(item) ?? item;
    }

    private bool IsRequested(int item) =>
        _watched is null ? item < _requested : item >= 0 && item < _watched.Count && _watched.IsOpen(item);

    // Handles an item's message for a watchlist; true when the handler is notified of a state instead.
    private bool TakesOver(int item, scoped in RwfMsg msg)
    {
        bool hasState = msg.MsgClass == MsgClass.Refresh || (msg.MsgClass == MsgClass.Status && msg.Has(StatusFlags.HasState));
        if (!hasState)
            return false;
        if (msg.State.StreamState == StreamState.ClosedRecover)
        {
            Recover(item, msg.State);
            return true;
        }

        bool isSnapshot = msg.State.StreamState == StreamState.NonStreaming && msg.Has(RefreshFlags.RefreshComplete);
        if (msg.MsgClass == MsgClass.Refresh)
            _watched!.RecordImage(item, msg.Has(RefreshFlags.RefreshComplete));
        if (DomainMsg.IsFinal(msg.State) || isSnapshot)
            CloseForGood(item);
        return false;
    }

    // Items without an image have no data that could be suspect.
    private void NotifyLost(ReadOnlySpan<byte> why)
    {
        RwfState suspect = new(StreamState.Open, DataState.Suspect, StateCode.None, why);
        for (int item = 0; item < _answers.Room; item++)
        {
            if (IsRequested(item) && _answers.IsAnswered(item))
                NotifyState(item, suspect);
        }
    }

    // wire/domains 16
    private void Recover(int item, scoped in RwfState state)
    {
        _answers.Forget(item);
        _watched!.RecordLoss(item, Time.NowNanos);
        _requested = _watched.Streams;
        NotifyState(item, new RwfState(StreamState.Open, DataState.Suspect, state.Code, state.Text));
    }

    // The service is up again: items whose state arrived meanwhile keep it, the others are requested anew.
    private void RenewItems()
    {
        for (int item = 0; item < _watched!.Count; item++)
        {
            if (!_watched.IsOpen(item))
                continue;
            _answers.Forget(item);
            _watched.Renew(item);
        }

        _requested = _watched.Streams;
    }

    // A new subscription to its name gets another item.
    private void CloseForGood(int item)
    {
        _watched!.Close(item);
        _watched.Handles.Forget(item);
    }

    private void NotifyState(int item, scoped in RwfState state)
    {
        if (_dispatcher.DispatchState(item, state))
            RemoveUnwanted();
    }
}
