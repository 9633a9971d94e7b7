using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Handles the events of a consumer session, and decides what they mean: measuring, forwarding, printing.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Messages are borrowed: copy what is kept. Items are numbered in the order of
/// the session's list, from 0.
/// </remarks>
public abstract class ConsumerHandler
{
    private ConsumerSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public ConsumerSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are wanted also when nothing is left to be requested.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while something of the handler's waits for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>An attempt to connect has failed; another follows.</summary>
    /// <param name="reason">Why it failed.</param>
    protected internal virtual void OnConnectFailed(CloseReason reason)
    {
    }

    /// <summary>The provider has accepted the login: <see cref="AskingSession.TakesPosts"/> is known.</summary>
    protected internal virtual void OnLoggedIn()
    {
    }

    /// <summary>The dictionary is there: requests are sent from now on.</summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>A refresh that <see cref="ConsumerSessionOptions.Prime"/> asked for; it is of no item.</summary>
    protected internal virtual void OnPriming(scoped in RwfMsg refresh)
    {
    }

    /// <summary>An item's refresh, or a part of it.</summary>
    protected internal virtual void OnRefresh(int item, scoped in RwfMsg refresh)
    {
    }

    /// <summary>
    /// An item's update; the quick form of updates without optional members, which is what streams of market data consist of.
    /// </summary>
    protected internal virtual void OnUpdate(int item, scoped in UpdateHeader update)
    {
    }

    /// <summary>
    /// An item's update that has optional members: one that was posted, or that has a key or a sequence number. Told as the others unless
    /// this is overridden.
    /// </summary>
    protected internal virtual void OnFullUpdate(int item, scoped in RwfMsg update) => OnUpdate(item, new UpdateHeader(update));

    /// <summary>An item's status.</summary>
    protected internal virtual void OnStatus(int item, scoped in RwfMsg status)
    {
    }

    /// <summary>
    /// The state that an item has now with all others of its group, or of the service; no message on its own stream told it.
    /// </summary>
    protected internal virtual void OnItemState(int item, scoped in RwfState state)
    {
    }

    /// <summary>A generic message on an item's stream.</summary>
    protected internal virtual void OnGeneric(int item, scoped in RwfMsg message)
    {
    }

    /// <summary>The answer to a post on an item's stream; on the login stream (a post off-stream) the item is -1.</summary>
    protected internal virtual void OnAck(int item, scoped in RwfMsg ack)
    {
    }

    /// <summary>
    /// A message of a round trip that the provider measures, after it was sent back; only with <see cref="LoginIdentity.RoundTripLatency"/>.
    /// </summary>
    /// <param name="ticks">The provider's clock when it sent the message, in the provider's unit.</param>
    /// <param name="lastRoundTrip">The round trip it measured last, in nanoseconds (editions in C: microseconds); null before the first.</param>
    /// <param name="tcpRetransmissions">Retransmissions of TCP as the provider counts them; null where it does not.</param>
    protected internal virtual void OnRoundTrip(ulong ticks, ulong? lastRoundTrip, ulong? tcpRetransmissions)
    {
    }

    /// <summary>A tick of the worker, while they are wanted.</summary>
    /// <returns>True when it had anything to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Output buffers may be free again: go on with what was blocked.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>The messages that had arrived are read: what is counted message by message may be booked.</summary>
    protected internal virtual void OnRunEnd()
    {
    }

    /// <summary>Sending ends now; what the provider still sends is still delivered.</summary>
    protected internal virtual void OnFinishing()
    {
    }

    /// <summary>The connection is over.</summary>
    protected internal virtual void OnClosed(CloseReason reason)
    {
    }

    /// <summary>The service went down, or is up again.</summary>
    internal virtual void OnServiceChange(bool isUp)
    {
    }

    /// <summary>True while another provider is the active one of a warm standby pair.</summary>
    internal virtual bool IsStandby => false;

    internal virtual void Join(ConsumerSession session) => _session = session;
}
