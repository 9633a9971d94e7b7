using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Replaces members of an encoded message in place: a message is encoded once, copied, and patched per send.</summary>
/// <remarks>The message must be one that was encoded whole; members keep their width, so nothing moves.</remarks>
internal static class MsgPatch
{
    private const int ClassAt = 2;
    private const int DomainAt = 3;
    private const int StreamIdAt = 4;
    private const int FlagsAt = 8;
    private const int PostUserInfoLength = 8;

    /// <summary>Replaces the domain.</summary>
    /// <param name="message">The message.</param>
    /// <param name="domain">The new domain.</param>
    public static void SetDomainType(Span<byte> message, DomainType domain) => message[DomainAt] = (byte)domain;

    /// <summary>Replaces the stream id.</summary>
    /// <param name="message">The message.</param>
    /// <param name="streamId">The new id.</param>
    public static void SetStreamId(Span<byte> message, int streamId) =>
        BinaryPrimitives.WriteInt32BigEndian(message[StreamIdAt..], streamId);

    /// <summary>Reads the stream id of an encoded message.</summary>
    /// <param name="message">The message.</param>
    public static int GetStreamId(ReadOnlySpan<byte> message) => BinaryPrimitives.ReadInt32BigEndian(message[StreamIdAt..]);

    /// <summary>Replaces the flag word when the new one takes as many bytes as the old one.</summary>
    /// <param name="message">The message.</param>
    /// <param name="flags">The new flags; they must ask for the members that are there.</param>
    /// <returns>False when the width differs: nothing is changed then.</returns>
    public static bool TrySetFlags(Span<byte> message, int flags)
    {
        bool wide = message[FlagsAt] >= LengthMark.TwoByteRb15;
        if (flags < 0 || flags > (wide ? LengthMark.MostRb15 : LengthMark.TwoByteRb15 - 1))
            return false;
        if (wide)
            BinaryPrimitives.WriteUInt16BigEndian(message[FlagsAt..], (ushort)(flags | 0x8000));
        else
            message[FlagsAt] = (byte)flags;
        return true;
    }

    /// <summary>Replaces the type of an update.</summary>
    /// <param name="message">The message.</param>
    /// <param name="type">The new type.</param>
    /// <returns>False when the message is no update.</returns>
    public static bool TrySetUpdateType(Span<byte> message, UpdateType type)
    {
        if (ClassOf(message) != MsgClass.Update)
            return false;
        message[MembersAt(message)] = (byte)type;
        return true;
    }

    /// <summary>Replaces the sequence number of a refresh, update, generic message, post or acknowledgement.</summary>
    /// <param name="message">The message.</param>
    /// <param name="seqNum">The new number.</param>
    /// <returns>False when the message carries none.</returns>
    public static bool TrySetSeqNum(Span<byte> message, uint seqNum)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            return false;
        int members = MembersAt(message);
        (int flag, int at) = msg.MsgClass switch
        {
            MsgClass.Refresh => (RefreshFlags.HasSeqNum, members),
            MsgClass.Update => (UpdateFlags.HasSeqNum, members + 1),
            MsgClass.Generic => (GenericFlags.HasSeqNum, members),
            MsgClass.Post => (PostFlags.HasSeqNum, members + PostUserInfoLength),
            MsgClass.Ack => (AckFlags.HasSeqNum, members + AckMembersLength(msg, message[members..])),
            _ => (0, 0),
        };
        if (!msg.Has(flag))
            return false;
        BinaryPrimitives.WriteUInt32BigEndian(message[at..], seqNum);
        return true;
    }

    /// <summary>Replaces the id of a post.</summary>
    /// <param name="message">The message.</param>
    /// <param name="postId">The new id.</param>
    /// <returns>False when the message is no post with an id.</returns>
    public static bool TrySetPostId(Span<byte> message, uint postId)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success
            || msg.MsgClass != MsgClass.Post || !msg.Has(PostFlags.HasPostId))
        {
            return false;
        }

        int at = MembersAt(message) + PostUserInfoLength + (msg.Has(PostFlags.HasSeqNum) ? sizeof(uint) : 0);
        BinaryPrimitives.WriteUInt32BigEndian(message[at..], postId);
        return true;
    }

    /// <summary>Replaces the posting user of a post.</summary>
    /// <param name="message">The message.</param>
    /// <param name="address">The new address.</param>
    /// <param name="id">The new id.</param>
    /// <returns>False when the message is no post.</returns>
    public static bool TrySetPostUser(Span<byte> message, uint address, uint id)
    {
        if (ClassOf(message) != MsgClass.Post)
            return false;
        Span<byte> members = message[MembersAt(message)..];
        BinaryPrimitives.WriteUInt32BigEndian(members, address);
        BinaryPrimitives.WriteUInt32BigEndian(members[sizeof(uint)..], id);
        return true;
    }

    private static MsgClass ClassOf(ReadOnlySpan<byte> message) => (MsgClass)(message[ClassAt] & 0x1F);

    // The members of the class begin behind flags of one or two bytes and the container type.
    private static int MembersAt(ReadOnlySpan<byte> message) =>
        message[FlagsAt] < LengthMark.TwoByteRb15 ? FlagsAt + 2 : FlagsAt + 3;

    // ackId uint32 | [nakCode] | [text]
    private static int AckMembersLength(scoped in RwfMsg msg, ReadOnlySpan<byte> members)
    {
        RwfReader reader = new(members);
        reader.ReadUInt32();
        if (msg.Has(AckFlags.HasNakCode))
            reader.ReadByte();
        if (msg.Has(AckFlags.HasText))
            reader.ReadBuf16();
        return reader.Position;
    }
}
