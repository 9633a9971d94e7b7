using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Decides the answers of a provider's session, and sends messages of its items.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Messages are borrowed: copy what is kept. An item keeps its number until it
/// is closed.
/// </remarks>
public abstract class ProviderHandler : IRefreshEncoder
{
    private ProviderSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public ProviderSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are needed.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while messages of the handler wait for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>Maximum bytes of a refresh's payload.</summary>
    protected internal abstract int MaxRefreshBytes { get; }

    /// <summary>Encodes the payload of an item's refresh.</summary>
    /// <param name="item">The item.</param>
    /// <param name="writer">Positioned after the header; write one field list.</param>
    protected internal abstract void EncodeRefresh(int item, ref RwfWriter writer);

    /// <summary>
    /// Names in the service's symbol list (<see cref="ServiceOffer.SymbolList"/>). It may grow while the list is open: report this by
    /// <see cref="ProviderSession.TryAddSymbol"/>.
    /// </summary>
    protected internal virtual int SymbolCount => 0;

    /// <summary>Returns a name of the symbol list, 1 to 255 bytes.</summary>
    /// <param name="index">0 to <see cref="SymbolCount"/> - 1.</param>
    protected internal virtual ReadOnlySpan<byte> SymbolAt(int index) => throw new NotSupportedException("This handler has no symbol list.");

    int IRefreshEncoder.MaxRefreshBytes => MaxRefreshBytes;

    int IRefreshEncoder.SymbolCount => SymbolCount;

    ReadOnlySpan<byte> IRefreshEncoder.SymbolAt(int index) => SymbolAt(index);

    void IRefreshEncoder.EncodeRefresh(int item, ref RwfWriter writer) => EncodeRefresh(item, ref writer);

    /// <summary>Called when the connection is established; the peer has not logged in yet.</summary>
    protected internal virtual void OnOpened()
    {
    }

    /// <summary>Called when the consumer has logged in.</summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>Called when an item is requested, and the rules of the protocol allow it.</summary>
    /// <param name="request">The request; borrowed.</param>
    /// <returns>None sends the refresh; any other value refuses the request with the matching status.</returns>
    protected internal virtual ItemRejection OnRequest(scoped in ItemRequest request) => ItemRejection.None;

    /// <summary>Called when the consumer closed an item; its number may be reused for another.</summary>
    protected internal virtual void OnClose(int item)
    {
    }

    /// <summary>
    /// Handles a post on an item's stream; the item is -1 for a post on the login stream, whose key names an item, and for a stream that is not
    /// open.
    /// </summary>
    /// <remarks><see cref="ProviderSession.Reflect"/> sends it back.</remarks>
    protected internal virtual void OnPost(int item, scoped in RwfMsg post)
    {
    }

    /// <summary>Handles a generic message on an item's stream; -1 for a stream that is not open.</summary>
    protected internal virtual void OnGeneric(int item, scoped in RwfMsg message)
    {
    }

    /// <summary>Called when a round trip on the login stream was measured.</summary>
    /// <param name="nanos">Duration of the round trip.</param>
    protected internal virtual void OnRoundTrip(long nanos)
    {
    }

    /// <summary>Handles a tick of the worker, while ticks are needed.</summary>
    /// <returns>True when it had messages to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Called when output buffers may be free again: continue with blocked messages.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>Called when the messages that had arrived are read.</summary>
    protected internal virtual void OnBatchEnd()
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

    internal void Join(ProviderSession session) => _session = session;
}
