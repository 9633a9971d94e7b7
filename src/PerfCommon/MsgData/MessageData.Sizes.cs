using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

public sealed partial class MessageData
{
    private static readonly ServiceOffer SampleService = new() { Id = 0, Name = "" };

    /// <summary>Sizes of what a provider sends: the refresh and every update.</summary>
    internal IReadOnlyList<MessageSize> ProviderSizes() =>
        [SizeOfRefresh(), .. Updates.Select((update, i) => SizeOfUpdate(update, i + 1))];

    /// <summary>Sizes of what a consumer sends.</summary>
    /// <param name="posting">With the posts.</param>
    /// <param name="generics">With the generic messages.</param>
    internal IReadOnlyList<MessageSize> ConsumerSizes(bool posting, bool generics) =>
    [
        .. Posts.Take(posting ? Posts.Count : 0).Select((post, i) => SizeOfPost(post, i + 1)),
        .. Generics.Take(generics ? Generics.Count : 0).Select((generic, i) => SizeOfGeneric(generic, i + 1)),
    ];

    private MessageSize SizeOfRefresh()
    {
        RwfWriter header = new(stackalloc byte[MarketPriceHeaders.MaxRefreshBytes(nameBytes: 4, listBytes: 0)]);
        MarketPriceHeaders.TryWriteRefreshHeader(
            ref header, StreamIds.FirstItem, SampleService, "RDT0"u8, MarketPriceHeaders.RicNameType, isStreaming: true, isSolicited: true);
        return new MessageSize("MarketPrice RefreshMsg (without name)", Refresh.EstimatedBytes, header.Written + Refresh.EncodedBytes);
    }

    private static MessageSize SizeOfUpdate(FieldListTemplate update, int number) =>
        new($"MarketPrice UpdateMsg {number}", update.EstimatedBytes, MarketPriceHeaders.UpdateHeaderBytes + update.EncodedBytes);

    private static MessageSize SizeOfGeneric(FieldListTemplate generic, int number) =>
        new($"MarketPrice GenMsg {number}", generic.EstimatedBytes, MarketPriceHeaders.GenericHeaderBytes + generic.EncodedBytes);

    private static MessageSize SizeOfPost(FieldListTemplate post, int number) =>
        new($"MarketPrice PostMsg {number}", post.EstimatedBytes, MarketPriceHeaders.PostHeaderBytes + post.EncodedBytes);
}
