using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfHub.Services;

/// <summary>The domains of items that consumers may request: all that a source has, or some of them. Immutable.</summary>
/// <param name="domains">The domains; null for all.</param>
internal sealed class DomainLimit(IReadOnlySet<DomainType>? domains)
{
    // The array has no more items than before; the offer already holds the bytes of its head and of the element's.
    private const int Slack = 16;

    /// <summary>No limit.</summary>
    public static DomainLimit None { get; } = new(null);

    /// <summary>True where items of a domain may be requested.</summary>
    public bool Allows(DomainType domain) => domains is null || domains.Contains(domain);

    /// <summary>Returns a service as consumers see it: without the capabilities that they cannot use.</summary>
    // wire/domains 3.2
    public ServiceOffer Apply(ServiceOffer offer)
    {
        if (domains is null)
            return offer;
        return offer with
        {
            HasOrderBooks = offer.HasOrderBooks && Allows(DomainType.MarketByOrder),
            InfoElements = Limit(offer.InfoElements.Span) is { } limited ? limited : offer.InfoElements,
        };
    }

    // Null when nothing has to be limited, or nothing can be read.
    private byte[]? Limit(ReadOnlySpan<byte> elements)
    {
        if (ElementListReader.TryOpen(elements, out ElementListReader reader) != DecodeResult.Success)
            return null;
        byte[] room = new byte[elements.Length + Slack];
        RwfWriter writer = new(room);
        writer.BeginElementList();
        DecodeResult result;
        while ((result = reader.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
            Write(ref writer, element);
        return result == DecodeResult.EndOfContainer && writer.EndElementList() ? room[..writer.Written] : null;
    }

    private void Write(ref RwfWriter writer, scoped in ElementEntry element)
    {
        writer.BeginElement(element.Name, element.Type);
        if (element.Type == DataType.NoData)
            return;
        bool isLimited = element.Name.SequenceEqual(DirectoryElements.Capabilities) && element.Type == DataType.Array
            && ArrayReader.TryOpen(element.Content, out ArrayReader all) == DecodeResult.Success && all.ItemType == DataType.UInt;
        if (!isLimited)
        {
            writer.WriteContent(element.Content);
            return;
        }

        ArrayReader.TryOpen(element.Content, out ArrayReader capabilities);
        writer.BeginArray(DataType.UInt);
        while (capabilities.TryReadNext(out ReadOnlySpan<byte> capability) == DecodeResult.Success)
        {
            if (IsAllowed(capability))
                writer.WriteItem(capability);
        }

        writer.EndArray();
        writer.EndEntry();
    }

    // Logins, services and dictionaries are always allowed.
    private bool IsAllowed(ReadOnlySpan<byte> capability) =>
        RwfPrimitives.TryReadUInt(capability, out ulong number) != DecodeResult.Success || number <= (ulong)DomainType.Dictionary
        || (number <= byte.MaxValue && Allows((DomainType)number));
}
