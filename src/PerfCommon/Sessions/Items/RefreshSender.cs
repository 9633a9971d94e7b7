using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Encodes the payloads of refreshes.</summary>
internal interface IRefreshEncoder
{
    /// <summary>Maximum bytes of a payload.</summary>
    int MaxRefreshBytes { get; }

    /// <summary>Writes the payload of an item after its header.</summary>
    void EncodeRefresh(int item, ref RwfWriter writer);

    /// <summary>Number of names in the service's symbol list.</summary>
    int SymbolCount => 0;

    /// <summary>Returns a name of the symbol list.</summary>
    ReadOnlySpan<byte> SymbolAt(int index) => default;
}

/// <summary>Sends the refreshes that are due on one connection, a few at a time.</summary>
/// <param name="items">The items.</param>
/// <param name="service">Their service.</param>
/// <param name="burstSize">Maximum refreshes at a time.</param>
/// <param name="encoder">Supplies their content.</param>
internal sealed class RefreshSender(ProviderItems items, ServiceOffer service, int burstSize, IRefreshEncoder encoder)
{
    private const int MaxBlankBytes = 16;

    private const int None = -1;

    private int _listed = None; // the item whose symbol list is sent in part
    private int _symbols; // number of names sent of it

    /// <summary>Restarts the symbol list of an item if it is sent in part.</summary>
    public void RestartSymbols(int item) => _listed = _listed == item ? None : _listed;

    /// <summary>Restarts any symbol list.</summary>
    public void RestartSymbols() => _listed = None;

    /// <summary>Sends a few of the refreshes that are due.</summary>
    /// <param name="output">The output of the connection.</param>
    /// <param name="recording">Records the moment of the last.</param>
    /// <param name="frameBytes">Maximum bytes of a message that fits a frame: no part of a symbol list is longer.</param>
    /// <returns>True when more could be sent now.</returns>
    public bool SendSome(MessageOutput output, WorkerRecording recording, int frameBytes)
    {
        if (items.RefreshesDue == 0)
            return false;
        bool hasRoom = true;
        for (int i = 0; i < burstSize && hasRoom && items.TryPeekRefresh(out int item); i++)
            hasRoom = TrySend(output, item, frameBytes);
        output.EndBurst();
        if (items.RefreshesDue == 0)
            recording.RecordLast(Moment.RefreshesSent, output.Time.NowNanos);
        return hasRoom && items.RefreshesDue > 0;
    }

    private bool TrySend(MessageOutput output, int item, int frameBytes)
    {
        if (items.IsStandby)
            return TrySendBlank(output, item);
        return (items.TraitsOf(item) & ItemTraits.SymbolList) == 0 ? TrySend(output, item) : TrySendSymbols(output, item, frameBytes);
    }

    private bool TrySend(MessageOutput output, int item)
    {
        ReadOnlySpan<byte> name = items.NameOf(item);
        if (!output.TryBegin(MarketPriceHeaders.MaxRefreshBytes(name.Length, encoder.MaxRefreshBytes), out Span<byte> room))
            return false;
        RwfWriter writer = new(room);
        WriteHeader(ref writer, item, name);
        int payloadAt = writer.Written;
        encoder.EncodeRefresh(item, ref writer);
        if (writer.Failed)
            throw new InvalidOperationException("a refresh does not fit the room asked for it");
        output.End(ApplyView(room[..writer.Written], payloadAt, item), MessageKind.Refresh);
        items.RefreshSent(item);
        return true;
    }

    private int ApplyView(Span<byte> refresh, int payloadAt, int item) => items.Views.Of(item) is { } view && !items.IsOrderBook(item)
        ? payloadAt + FieldListFilter.Apply(refresh[payloadAt..], view, out _) : refresh.Length;

    // wire/domains 5.11
    private bool TrySendBlank(MessageOutput output, int item)
    {
        ReadOnlySpan<byte> name = items.NameOf(item);
        if (!output.TryBegin(MarketPriceHeaders.MaxRefreshBytes(name.Length, MaxBlankBytes), out Span<byte> room))
            return false;
        RwfWriter writer = new(room);
        WriteHeader(ref writer, item, name);
        MarketPriceHeaders.WriteBlankPayload(ref writer, ItemKeys.DomainOf(items.TraitsOf(item)));
        output.End(writer.Written, MessageKind.Refresh);
        RestartSymbols(item);
        items.RefreshSent(item);
        return true;
    }

    // Sends one part at a time, each as large as one frame.
    private bool TrySendSymbols(MessageOutput output, int item, int frameBytes) // wire/domains 5.10
    {
        ReadOnlySpan<byte> name = items.NameOf(item);
        int headerBytes = MarketPriceHeaders.MaxRefreshBytes(name.Length, 0);
        int partBytes = Math.Max(frameBytes, headerBytes + SymbolList.MaxUpdateBytes(byte.MaxValue));
        if (!output.TryBegin(partBytes, out Span<byte> room))
            return false;
        RwfWriter writer = new(room);
        int count = encoder.SymbolCount;
        int first = _listed == item ? _symbols : 0;
        WriteHeader(ref writer, item, name, isFirst: first == 0, isLast: false);
        int next = SymbolList.WritePart(ref writer, partBytes - writer.Written, encoder.SymbolAt, first, count);
        if (writer.Failed)
            throw new InvalidOperationException("a part of a symbol list does not fit the room asked for it");
        if (next >= count)
            MsgPatch.AddToWideFlags(room, RefreshFlags.RefreshComplete);
        output.End(writer.Written, MessageKind.Refresh);
        (_listed, _symbols) = next < count ? (item, next) : (None, 0);
        if (next >= count)
            items.RefreshSent(item);
        return true;
    }

    // The header repeats the properties with which the item was opened.
    private void WriteHeader(ref RwfWriter writer, int item, ReadOnlySpan<byte> name, bool isFirst = true, bool isLast = true)
    {
        ItemTraits traits = items.TraitsOf(item);
        byte? nameType = (traits & ItemTraits.NameTypeGiven) != 0 ? MarketPriceHeaders.RicNameType : null;
        bool streams = (traits & ItemTraits.Streaming) != 0;
        bool solicited = (traits & ItemTraits.Solicited) != 0;
        bool isPrivate = (traits & ItemTraits.PrivateStream) != 0;
        DomainType domain = ItemKeys.DomainOf(traits);
        MarketPriceHeaders.TryWriteRefreshHeader(ref writer, items.StreamIdOf(item), service, name, nameType, streams, solicited, isPrivate,
            domain, isFirst, isLast);
    }
}
