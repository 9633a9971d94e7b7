using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Sessions;

/// <summary>Decides what a provider's session answers, and what it sends by itself.</summary>
/// <remarks>
/// One handler for one session; called by its worker's thread. Messages are borrowed: copy what is kept. An item keeps its number until it
/// is closed.
/// </remarks>
public abstract class ProviderHandler : IRefreshEncoder
{
    private ProviderSession? _session;

    /// <summary>The session; from its creation on.</summary>
    public ProviderSession Session => _session ?? throw new InvalidOperationException("The handler belongs to no session.");

    /// <summary>True while ticks are wanted.</summary>
    protected internal virtual bool WantsTicks => false;

    /// <summary>True while something of the handler's waits for output buffers.</summary>
    protected internal virtual bool IsBlocked => false;

    /// <summary>Most bytes of a refresh's payload.</summary>
    protected internal abstract int MaxRefreshBytes { get; }

    /// <summary>Encodes the payload of an item's refresh.</summary>
    /// <param name="item">The item.</param>
    /// <param name="writer">Positioned after the header; write one field list.</param>
    protected internal abstract void EncodeRefresh(int item, ref RwfWriter writer);

    /// <summary>
    /// Names in the service's symbol list (<see cref="ServiceOffer.SymbolList"/>). It may grow while the list is open: say so by
    /// <see cref="ProviderSession.TryAddSymbol"/>.
    /// </summary>
    protected internal virtual int SymbolCount => 0;

    /// <summary>A name of the symbol list, 1 to 255 bytes.</summary>
    /// <param name="index">0 to <see cref="SymbolCount"/> - 1.</param>
    protected internal virtual ReadOnlySpan<byte> SymbolAt(int index) => throw new NotSupportedException("This handler has no symbol list.");

    int IRefreshEncoder.MaxRefreshBytes => MaxRefreshBytes;

    int IRefreshEncoder.SymbolCount => SymbolCount;

    ReadOnlySpan<byte> IRefreshEncoder.SymbolAt(int index) => SymbolAt(index);

    void IRefreshEncoder.EncodeRefresh(int item, ref RwfWriter writer) => EncodeRefresh(item, ref writer);

    /// <summary>The connection is established; the peer has not logged in yet.</summary>
    protected internal virtual void OnOpened()
    {
    }

    /// <summary>The consumer has logged in.</summary>
    protected internal virtual void OnReady()
    {
    }

    /// <summary>An item is requested, and the rules of the protocol have nothing against it.</summary>
    /// <param name="request">The request; borrowed.</param>
    /// <returns>None sends the refresh; anything else refuses the request with the status for it.</returns>
    protected internal virtual ItemRejection OnRequest(scoped in ItemRequest request) => ItemRejection.None;

    /// <summary>The consumer closed an item; its number may come again for another.</summary>
    protected internal virtual void OnClose(int item)
    {
    }

    /// <summary>
    /// A post on an item's stream; the item is -1 for one on the login stream, whose key names an item, and for a stream that is not open.
    /// </summary>
    /// <remarks><see cref="ProviderSession.Reflect"/> sends it back.</remarks>
    protected internal virtual void OnPost(int item, scoped in RwfMsg post)
    {
    }

    /// <summary>A generic message on an item's stream; -1 for a stream that is not open.</summary>
    protected internal virtual void OnGeneric(int item, scoped in RwfMsg message)
    {
    }

    /// <summary>A round trip on the login stream was measured.</summary>
    /// <param name="nanos">How long it took.</param>
    protected internal virtual void OnRoundTrip(long nanos)
    {
    }

    /// <summary>A tick of the worker, while they are wanted.</summary>
    /// <returns>True when it had anything to send.</returns>
    protected internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Output buffers may be free again: go on with what was blocked.</summary>
    protected internal virtual void OnContinue()
    {
    }

    /// <summary>The messages that had arrived are read.</summary>
    protected internal virtual void OnRunEnd()
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

    internal void Join(ProviderSession session) => _session = session;
}
