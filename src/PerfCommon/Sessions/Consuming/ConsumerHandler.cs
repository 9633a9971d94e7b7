using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Handles the events of a consumer session: for measuring, forwarding, printing.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Messages are borrowed: copy what is kept. Items are numbered in the order of
/// the session's list, from 0.
/// </remarks>
public abstract class ConsumerHandler
{
    private ConsumerSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public ConsumerSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are needed even when no item is left to be requested.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while messages of the handler wait for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>Called when an attempt to connect has failed; another follows.</summary>
    /// <param name="reason">Why it failed.</param>
    protected internal virtual void OnConnectFailed(CloseReason reason)
    {
    }

    /// <summary>Called when the provider has accepted the login: <see cref="ClientSession.AcceptsPosts"/> is known.</summary>
    protected internal virtual void OnLoggedIn()
    {
    }

    /// <summary>Called when the dictionary is complete: requests are sent from now on.</summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>Handles a refresh that <see cref="ConsumerSessionOptions.Prime"/> requested; it belongs to no item.</summary>
    protected internal virtual void OnPriming(scoped in RwfMsg refresh)
    {
    }

    /// <summary>Handles an item's refresh, or a part of it.</summary>
    protected internal virtual void OnRefresh(int item, scoped in RwfMsg refresh)
    {
    }

    /// <summary>
    /// Handles an item's update in the quick form without optional members, the usual form in streams of market data.
    /// </summary>
    protected internal virtual void OnUpdate(int item, scoped in UpdateHeader update)
    {
    }

    /// <summary>
    /// Handles an item's update that has optional members: one that was posted, or that has a key or a sequence number. It calls
    /// <see cref="OnUpdate"/> unless overridden.
    /// </summary>
    protected internal virtual void OnFullUpdate(int item, scoped in RwfMsg update) => OnUpdate(item, new UpdateHeader(update));

    /// <summary>Handles an item's status.</summary>
    protected internal virtual void OnStatus(int item, scoped in RwfMsg status)
    {
    }

    /// <summary>
    /// Handles a state that an item shares with its group, or with the service; no message on its stream carried it.
    /// </summary>
    protected internal virtual void OnItemState(int item, scoped in RwfState state)
    {
    }

    /// <summary>Handles a generic message on an item's stream.</summary>
    protected internal virtual void OnGeneric(int item, scoped in RwfMsg message)
    {
    }

    /// <summary>Handles the answer to a post on an item's stream; on the login stream (a post off-stream) the item is -1.</summary>
    protected internal virtual void OnAck(int item, scoped in RwfMsg ack)
    {
    }

    /// <summary>
    /// Called when a message of a round trip was sent back; only with <see cref="LoginIdentity.RoundTripLatency"/>.
    /// </summary>
    /// <param name="ticks">The provider's clock at sending, in the provider's unit.</param>
    /// <param name="lastRoundTrip">The provider's last measured round trip, in nanoseconds (C editions: microseconds); null before the first.</param>
    /// <param name="tcpRetransmissions">The provider's count of TCP retransmissions; null where it does not count them.</param>
    protected internal virtual void OnRoundTrip(ulong ticks, ulong? lastRoundTrip, ulong? tcpRetransmissions)
    {
    }

    /// <summary>Handles a tick of the worker, while ticks are needed.</summary>
    /// <returns>True when it had messages to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Called when output buffers may be free again: continue with blocked messages.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>Called when the messages that had arrived are read: counts per message may be recorded.</summary>
    protected internal virtual void OnBatchEnd()
    {
    }

    /// <summary>Called when sending ends; messages that the provider sends afterwards are still delivered.</summary>
    protected internal virtual void OnFinishing()
    {
    }

    /// <summary>Called when the connection is closed.</summary>
    protected internal virtual void OnClosed(CloseReason reason)
    {
    }

    /// <summary>Called when the service went down, or is up again.</summary>
    internal virtual void OnServiceChange(bool isUp)
    {
    }

    /// <summary>True while another provider is the active one of a warm standby pair.</summary>
    internal virtual bool IsStandby => false;

    internal virtual void Join(ConsumerSession session) => _session = session;
}
