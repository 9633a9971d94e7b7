using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Encodes the message that a provider sends back for a post, and the acknowledgement.</summary>
/// <remarks>Stateless, and allocates nothing. The owner knows which streams are open.</remarks>
internal static class PostReflection
{
    // Maximum growth of a reflected post: an update's header in place of the post's.
    private const int Slack = 32;

    /// <summary>Maximum bytes of an acknowledgement.</summary>
    public const int MaxAckBytes = 128;

    /// <summary>Returns the maximum bytes of the message that is sent back.</summary>
    public static int MaxBytes(scoped in RwfMsg post) => post.Message.Length + Slack;

    /// <summary>
    /// Encodes the message for the stream's consumers: the message in the post, or an update around its bare content, with the posting user.
    /// </summary>
    /// <param name="room">At least <see cref="MaxBytes"/>.</param>
    /// <param name="post">The post.</param>
    /// <param name="streamId">Stream it is sent back on.</param>
    /// <param name="isPrivate">True for a private stream: a refresh or status says so.</param>
    /// <returns>Its length; 0 when the post holds a message that cannot be sent back.</returns>
    public static int Encode(Span<byte> room, scoped in RwfMsg post, int streamId, bool isPrivate = false)
    {
        if (post.ContainerType != DataType.Msg)
            return EncodeUpdate(room, post, streamId);
        if (RwfMsg.TryDecode(post.Payload, out RwfMsg inner) != DecodeResult.Success)
            return 0;
        int userFlag = HeaderBits.Of(inner.MsgClass).PostUserInfo; // refresh, status and update have this bit
        if (userFlag == 0)
            return 0;
        bool isPosters = inner.Has(userFlag) && inner.PostUserAddress == post.PostUserAddress && inner.PostUserId == post.PostUserId;
        inner.Flags |= isPrivate ? PrivateFlagOf(inner.MsgClass) : 0;
        if (!isPosters || isPrivate || (inner.MsgClass == MsgClass.Refresh && inner.Has(RefreshFlags.Solicited)))
            return EncodeAgain(room, post, ref inner, userFlag, streamId);

        // the usual form, used by our consumers and most others
        post.Payload.CopyTo(room);
        MsgPatch.SetStreamId(room, streamId);
        return post.Payload.Length;
    }

    /// <summary>Encodes the acknowledgement of a post that requests one.</summary>
    /// <param name="room">At least <see cref="MaxAckBytes"/>.</param>
    /// <param name="post">The post.</param>
    /// <param name="refusal">Reason for which the post was refused; none when it was accepted.</param>
    /// <param name="isPrivate">True for a post on a private stream.</param>
    /// <returns>Its length.</returns>
    public static int EncodeAck(Span<byte> room, scoped in RwfMsg post, PostRefusal refusal, bool isPrivate = false)
    {
        RwfMsg ack = new();
        ack.MsgClass = MsgClass.Ack;
        ack.DomainType = post.DomainType;
        ack.StreamId = post.StreamId;
        ack.AckId = post.PostId;
        ack.Flags = isPrivate ? AckFlags.PrivateStream : 0;
        if (post.Has(PostFlags.HasSeqNum))
        {
            ack.Flags |= AckFlags.HasSeqNum;
            ack.SeqNum = post.SeqNum;
        }

        if (refusal != PostRefusal.None)
        {
            ack.Flags |= AckFlags.HasNakCode | AckFlags.HasText;
            ack.NakCode = CodeOf(refusal);
            ack.Text = TextOf(refusal);
        }

        return DomainMsg.Encode(room, ack);
    }

    private static int EncodeUpdate(Span<byte> room, scoped in RwfMsg post, int streamId)
    {
        RwfMsg update = new();
        update.MsgClass = MsgClass.Update;
        update.DomainType = post.DomainType;
        update.Flags = UpdateFlags.HasPostUserInfo;
        update.ContainerType = post.ContainerType;
        update.Payload = post.Payload;
        return EncodeAgain(room, post, ref update, UpdateFlags.HasPostUserInfo, streamId);
    }

    private static int EncodeAgain(Span<byte> room, scoped in RwfMsg post, scoped ref RwfMsg message, int userFlag, int streamId)
    {
        message.StreamId = streamId;
        message.Flags |= userFlag;
        if (message.MsgClass == MsgClass.Refresh)
            message.Flags &= ~RefreshFlags.Solicited; // it answers no request
        message.PostUserAddress = post.PostUserAddress;
        message.PostUserId = post.PostUserId;
        RwfWriter writer = new(room);
        return writer.TryWriteHeader(message) && writer.WriteRaw(message.Payload) ? writer.Written : 0;
    }

    private static int PrivateFlagOf(MsgClass msgClass) => msgClass switch
    {
        MsgClass.Refresh => RefreshFlags.PrivateStream,
        MsgClass.Status => StatusFlags.PrivateStream,
        _ => 0,
    };

    private static NakCode CodeOf(PostRefusal refusal) => refusal switch
    {
        PostRefusal.StreamNotOpen => NakCode.NotOpen,
        PostRefusal.ItemNotOpen => NakCode.SymbolUnknown,
        PostRefusal.OtherService => NakCode.SourceUnknown,
        PostRefusal.TooLarge => NakCode.NoResources,
        PostRefusal.SourceDown => NakCode.SourceDown,
        _ => NakCode.InvalidContent,
    };

    private static ReadOnlySpan<byte> TextOf(PostRefusal refusal) => refusal switch
    {
        PostRefusal.StreamNotOpen => "the stream is not open"u8,
        PostRefusal.ItemNotOpen => "no item of that name is open on this connection"u8,
        PostRefusal.OtherService => "the service is not ours"u8,
        PostRefusal.TooLarge => "the post is larger than the output buffers of this connection"u8,
        PostRefusal.SourceDown => "the source of the item is gone"u8,
        PostRefusal.NoName => "a post on the login stream must name its item"u8,
        _ => "the message in the post cannot be sent back"u8,
    };
}

/// <summary>Reason for which a post was refused.</summary>
public enum PostRefusal : byte
{
    /// <summary>It was sent back.</summary>
    None,

    /// <summary>No item is open on its stream.</summary>
    StreamNotOpen,

    /// <summary>On the login stream: the item that its key names is not open.</summary>
    ItemNotOpen,

    /// <summary>On the login stream: its key names no item.</summary>
    NoName,

    /// <summary>On the login stream: its key names another service.</summary>
    OtherService,

    /// <summary>It holds a message that cannot be decoded, or of a class that is not sent to consumers.</summary>
    Content,

    /// <summary>It needs more output buffers than are available.</summary>
    TooLarge,

    /// <summary>The provider of the item is down, or accepts no more posts now.</summary>
    SourceDown,
}
