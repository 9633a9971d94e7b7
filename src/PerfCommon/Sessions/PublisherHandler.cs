using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Says what a publisher's session sends: the payloads of its refreshes, and what follows them.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Items are numbered in the order of the session's list, from 0.
/// </remarks>
public abstract class PublisherHandler : IRefreshEncoder
{
    private PublisherSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public PublisherSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are wanted; they begin when the login is accepted.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while something of the handler's waits for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>Most bytes of a refresh's payload.</summary>
    protected internal abstract int MaxRefreshBytes { get; }

    int IRefreshEncoder.MaxRefreshBytes => MaxRefreshBytes;

    /// <summary>Encodes the payload of an item's refresh.</summary>
    /// <param name="item">The item.</param>
    /// <param name="writer">Positioned after the header; write one field list.</param>
    protected internal abstract void EncodeRefresh(int item, ref RwfWriter writer);

    void IRefreshEncoder.EncodeRefresh(int item, ref RwfWriter writer) => EncodeRefresh(item, ref writer);

    /// <summary>The connection is there, and the login is sent.</summary>
    protected internal virtual void OnOpened()
    {
    }

    /// <summary>
    /// The hub accepted the login: the directory is sent, and every refresh is due. Comes again when it accepts it after a refusal.
    /// </summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>The hub refused the login, or took it back.</summary>
    protected internal virtual void OnRejected(string reason)
    {
    }

    /// <summary>A tick of the worker, while they are wanted.</summary>
    /// <returns>True when it had anything to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Output buffers may be free again: go on with what was blocked.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>Sending ends now: what was due and is not queued will never be.</summary>
    protected internal virtual void OnFinishing()
    {
    }

    /// <summary>The connection is over.</summary>
    protected internal virtual void OnClosed(CloseReason reason)
    {
    }

    internal void Join(PublisherSession session) => _session = session;
}
