using PerfCommon.Codec;

namespace PerfCommon.MsgData;

public sealed partial class MessageData
{
    private const int SampleStreamId = 6;
    private const byte NameTypeRic = 1;
    private const int MostHeaderBytes = 64;

    private const int RefreshFlagWord = RefreshFlags.HasMsgKey | RefreshFlags.Solicited | RefreshFlags.RefreshComplete
        | RefreshFlags.HasQos | RefreshFlags.ClearCache;

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
        RwfMsg header = Header(MsgClass.Refresh, RefreshFlagWord);
        header.State = new RwfState(StreamState.Open, DataState.Ok);
        header.Qos = RwfQos.RealTimeTickByTick;
        header.GroupId = [0, 0];
        header.Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasNameType,
            Name = "RDT0"u8,
            NameType = NameTypeRic,
        };
        return new MessageSize("MarketPrice RefreshMsg (without name)", Refresh.EstimatedBytes, HeaderBytes(header) + Refresh.EncodedBytes);
    }

    private static MessageSize SizeOfUpdate(FieldListTemplate update, int number) => new(
        $"MarketPrice UpdateMsg {number}", update.EstimatedBytes, HeaderBytes(Header(MsgClass.Update, 0)) + update.EncodedBytes);

    private static MessageSize SizeOfGeneric(FieldListTemplate generic, int number) => new(
        $"MarketPrice GenMsg {number}", generic.EstimatedBytes, HeaderBytes(Header(MsgClass.Generic, 0)) + generic.EncodedBytes);

    // A post carries an update message with the same user.
    private static MessageSize SizeOfPost(FieldListTemplate post, int number)
    {
        RwfMsg outer = Header(MsgClass.Post, PostFlags.PostComplete);
        outer.ContainerType = DataType.Msg;
        int headers = HeaderBytes(outer) + HeaderBytes(Header(MsgClass.Update, UpdateFlags.HasPostUserInfo));
        return new MessageSize($"MarketPrice PostMsg {number}", post.EstimatedBytes, headers + post.EncodedBytes);
    }

    private static RwfMsg Header(MsgClass msgClass, int flags) => new()
    {
        MsgClass = msgClass,
        DomainType = DomainType.MarketPrice,
        StreamId = SampleStreamId,
        Flags = flags,
        ContainerType = DataType.FieldList,
    };

    private static int HeaderBytes(in RwfMsg header)
    {
        RwfWriter writer = new(stackalloc byte[MostHeaderBytes]);
        return writer.TryWriteHeader(header) ? writer.Written : throw new InvalidOperationException("a sample header does not fit");
    }
}
