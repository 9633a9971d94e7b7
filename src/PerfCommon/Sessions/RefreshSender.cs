using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Encodes the payloads of refreshes.</summary>
internal interface IRefreshEncoder
{
    /// <summary>Most bytes of one.</summary>
    int MaxRefreshBytes { get; }

    /// <summary>Writes that of an item behind its header.</summary>
    void EncodeRefresh(int item, ref RwfWriter writer);
}

/// <summary>Sends the refreshes that are due on one connection, a few at a time.</summary>
internal sealed class RefreshSender(ProviderItems items, ServiceOffer service, int burstSize, IRefreshEncoder encoder)
{
    /// <summary>Sends a few of those that are due.</summary>
    /// <returns>True when more could be sent now.</returns>
    public bool SendSome(MessageOutput output, WorkerRecording recording)
    {
        if (items.RefreshesDue == 0)
            return false;
        bool hasRoom = true;
        for (int i = 0; i < burstSize && hasRoom && items.TryPeekRefresh(out int item); i++)
            hasRoom = TrySend(output, item);
        output.EndBurst();
        if (items.RefreshesDue == 0)
            recording.NoteLast(Moment.RefreshesSent, output.Time.NowNanos);
        return hasRoom && items.RefreshesDue > 0;
    }

    private bool TrySend(MessageOutput output, int item)
    {
        ReadOnlySpan<byte> name = items.NameOf(item);
        if (!output.TryBegin(MarketPriceHeaders.MaxRefreshBytes(name.Length, encoder.MaxRefreshBytes), out Span<byte> room))
            return false;
        RwfWriter writer = new(room);
        WriteHeader(ref writer, item, name);
        encoder.EncodeRefresh(item, ref writer);
        if (writer.Failed)
            throw new InvalidOperationException("a refresh does not fit the room asked for it");
        output.End(writer.Written, MessageKind.Refresh);
        items.RefreshSent(item);
        return true;
    }

    // As the item was opened.
    private void WriteHeader(ref RwfWriter writer, int item, ReadOnlySpan<byte> name)
    {
        ItemTraits traits = items.TraitsOf(item);
        byte? nameType = (traits & ItemTraits.NameTypeGiven) != 0 ? MarketPriceHeaders.RicNameType : null;
        bool streams = (traits & ItemTraits.Streaming) != 0;
        bool solicited = (traits & ItemTraits.Solicited) != 0;
        bool isPrivate = (traits & ItemTraits.PrivateStream) != 0;
        DomainType domain = items.IsOrderBook(item) ? DomainType.MarketByOrder : DomainType.MarketPrice;
        MarketPriceHeaders.TryWriteRefreshHeader(ref writer, items.StreamIdOf(item), service, name, nameType, streams, solicited, isPrivate,
            domain);
    }
}
