using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

public sealed partial class MessageData
{
    private static readonly ServiceOffer SampleService = new() { Id = 0, Name = "" };

    /// <summary>Sizes of a provider's messages: the refresh and every update.</summary>
    internal IReadOnlyList<MessageSize> ProviderSizes() =>
    [
        SizeOfRefresh(DomainType.MarketPrice, Refresh.EstimatedBytes, Refresh.EncodedBytes),
        .. SizesOf("UpdateMsg", Updates, MarketPriceHeaders.UpdateHeaderBytes),
        .. OrderBooks is { } books
            ? [SizeOfRefresh(DomainType.MarketByOrder, books.Refresh.EstimatedBytes, books.Refresh.EncodedBytes)]
            : Array.Empty<MessageSize>(),
        .. SizesOf("UpdateMsg", OrderBooks?.Updates, MarketPriceHeaders.UpdateHeaderBytes),
    ];

    /// <summary>Sizes of a consumer's messages: the posts and the generic messages, as far as enabled.</summary>
    internal IReadOnlyList<MessageSize> ConsumerSizes(bool posting, bool generics) =>
    [
        .. SizesOf("PostMsg", posting ? Posts : [], MarketPriceHeaders.PostHeaderBytes),
        .. SizesOf("GenMsg", generics ? Generics : [], MarketPriceHeaders.GenericHeaderBytes),
        .. SizesOf("PostMsg", posting ? OrderBooks?.Posts : null, MarketPriceHeaders.PostHeaderBytes),
        .. SizesOf("GenMsg", generics ? OrderBooks?.Generics : null, MarketPriceHeaders.GenericHeaderBytes),
    ];

    private static MessageSize SizeOfRefresh(DomainType domain, int estimatedBytes, int payloadBytes)
    {
        RwfWriter header = new(stackalloc byte[MarketPriceHeaders.MaxRefreshBytes(nameBytes: 4, listBytes: 0)]);
        MarketPriceHeaders.TryWriteRefreshHeader(
            ref header, StreamIds.FirstItem, SampleService, "RDT0"u8, MarketPriceHeaders.RicNameType, isStreaming: true, isSolicited: true,
            domain: domain);
        return new MessageSize($"{domain} RefreshMsg (without name)", estimatedBytes, header.Written + payloadBytes);
    }

    private static IEnumerable<MessageSize> SizesOf(string kind, IEnumerable<FieldListTemplate> messages, int headerBytes) =>
        messages.Select((message, i) => new MessageSize(
            $"MarketPrice {kind} {i + 1}", message.EstimatedBytes, headerBytes + message.EncodedBytes));

    private static IEnumerable<MessageSize> SizesOf(string kind, IEnumerable<FieldMapTemplate>? messages, int headerBytes) =>
        (messages ?? []).Select((message, i) => new MessageSize(
            $"MarketByOrder {kind} {i + 1}", message.EstimatedBytes, headerBytes + message.EncodedBytes));
}

/// <summary>Size of one message of the file, as the tools print it when a connection is established.</summary>
/// <param name="Label">Class and number: <c>MarketPrice UpdateMsg 1</c>.</param>
/// <param name="EstimatedBytes">By the rule of thumb of the RSSL performance tools, see <see cref="FieldListTemplate.EstimatedBytes"/>.</param>
/// <param name="EncodedBytes">As encoded without time stamp, for item RDT0 of service 0.</param>
internal readonly record struct MessageSize(string Label, int EstimatedBytes, int EncodedBytes)
{
    /// <summary>Writes the block "Approximate message sizes"; nothing when there is no message.</summary>
    public static void WriteBlock(TextWriter writer, IReadOnlyCollection<MessageSize> sizes)
    {
        if (sizes.Count == 0)
            return;

        writer.Write("Approximate message sizes:\n");
        foreach (MessageSize size in sizes)
        {
            writer.Write(string.Create(
                CultureInfo.InvariantCulture,
                $"  {size.Label}:\n         estimated length: {size.EstimatedBytes} bytes\n    approx encoded length: {size.EncodedBytes} bytes\n"));
        }
    }
}
