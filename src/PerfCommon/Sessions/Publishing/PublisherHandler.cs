using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Supplies the messages of a publisher's session: the payloads of its refreshes, and the messages after them.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Items are numbered in the order of the session's list, from 0.
/// </remarks>
public abstract class PublisherHandler : IRefreshEncoder
{
    private PublisherSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public PublisherSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are needed; they begin when the login is accepted.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while messages of the handler wait for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>Maximum bytes of a refresh's payload.</summary>
    protected internal abstract int MaxRefreshBytes { get; }

    int IRefreshEncoder.MaxRefreshBytes => MaxRefreshBytes;

    /// <summary>Encodes the payload of an item's refresh.</summary>
    /// <param name="item">The item.</param>
    /// <param name="writer">Positioned after the header; write one field list.</param>
    protected internal abstract void EncodeRefresh(int item, ref RwfWriter writer);

    void IRefreshEncoder.EncodeRefresh(int item, ref RwfWriter writer) => EncodeRefresh(item, ref writer);

    /// <summary>Called when the connection is open, and the login is sent.</summary>
    protected internal virtual void OnOpened()
    {
    }

    /// <summary>
    /// Called when the hub accepted the login: the directory is sent, and every refresh is due. Called again when it accepts after a refusal.
    /// </summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>Called when the hub refused the login, or revoked it.</summary>
    protected internal virtual void OnRejected(string reason)
    {
    }

    /// <summary>Handles a tick of the worker, while ticks are needed.</summary>
    /// <returns>True when it had messages to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Called when output buffers may be free again: continue with blocked messages.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>Called when sending ends: messages that are due and not queued will not be sent.</summary>
    protected internal virtual void OnFinishing()
    {
    }

    /// <summary>Called when the connection is closed.</summary>
    protected internal virtual void OnClosed(CloseReason reason)
    {
    }

    internal void Join(PublisherSession session) => _session = session;
}
