using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>The header of an update without optional members, the usual form in streams of market data.</summary>
/// <remarks>
/// Borrows the message. <see cref="RwfMsg.TryDecode"/> reads updates of every form, this one included.
/// </remarks>
[DebuggerDisplay("Update {DomainType} stream {StreamId}, {ContainerType} of {Payload.Length} bytes")]
public readonly ref struct UpdateHeader
{
    // wire/rwf 10
    internal const int Length = 11;
    private const int HeaderSizeLength = sizeof(ushort); // wire/rwf 10
    private const int FlagsAt = 8; // wire/rwf 10
    private const int ContainerTypeAt = 9; // wire/rwf 10
    private const int UpdateTypeAt = 10; // wire/rwf 10
    private const byte ClassMask = 0x1F; // wire/rwf 2

    // flags of one byte that announce no member
    private const int MemberlessFlags = UpdateFlags.DoNotCache; // wire/rwf 2.9

    /// <summary>Creates the quick form from an update that was decoded completely.</summary>
    public UpdateHeader(in RwfMsg update)
        : this(update.DomainType, update.StreamId, update.ContainerType, update.UpdateType, update.Message, update.PayloadStart)
    {
    }

    private UpdateHeader(DomainType domain, int streamId, DataType container, UpdateType type, ReadOnlySpan<byte> message, int payloadStart)
    {
        DomainType = domain;
        StreamId = streamId;
        ContainerType = container;
        UpdateType = type;
        Message = message;
        PayloadStart = payloadStart;
    }

    /// <summary>Domain of the item.</summary>
    public DomainType DomainType { get; }

    /// <summary>Stream of the item.</summary>
    public int StreamId { get; }

    /// <summary>Type of the payload.</summary>
    public DataType ContainerType { get; }

    /// <summary>Kind of event that the update reports.</summary>
    public UpdateType UpdateType { get; }

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload => Message[PayloadStart..];

    /// <summary>False for an update whose values must not be cached.</summary>
    internal bool IsCached => (Message[FlagsAt] & UpdateFlags.DoNotCache) == 0;

    /// <summary>The whole message.</summary>
    public ReadOnlySpan<byte> Message { get; }

    /// <summary>Offset of the payload in it.</summary>
    internal int PayloadStart { get; }

    /// <summary>Recognises and reads an update without optional members, in constant time.</summary>
    /// <param name="message">Exactly the bytes of the message.</param>
    /// <param name="header">The header; default unless the result is true.</param>
    /// <returns>False for every other message, a malformed one included.</returns>
    public static bool TryRead(ReadOnlySpan<byte> message, out UpdateHeader header)
    {
        header = default;
        if (message.Length < Length || (message[HeaderSizeLength] & ClassMask) != (byte)MsgClass.Update)
            return false;
        ulong head = BinaryPrimitives.ReadUInt64BigEndian(message);
        int payloadStart = HeaderSizeLength + (int)(head >> 48);
        bool plain = (message[FlagsAt] & ~MemberlessFlags) == 0 && payloadStart >= Length && payloadStart <= message.Length;
        DataType container = DataTypes.FromScaled(message[ContainerTypeAt]);
        if (!plain)
            return false;
        header = new UpdateHeader(
            (DomainType)(byte)(head >> 32), (int)head, container, (UpdateType)message[UpdateTypeAt], message, payloadStart);
        return true;
    }

    /// <summary>Writes the header of an update without optional members.</summary>
    /// <param name="room">At least <see cref="Length"/> bytes.</param>
    /// <param name="domain">Domain.</param>
    /// <param name="streamId">Id of the stream.</param>
    /// <param name="containerType">Container type of the payload.</param>
    /// <param name="updateType">Kind of the update.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(Span<byte> room, DomainType domain, int streamId, DataType containerType, UpdateType updateType)
    {
        room = room[..Length];
        ulong head = ((ulong)(Length - HeaderSizeLength) << 48) | ((ulong)MsgClass.Update << 40) | ((ulong)domain << 32) | (uint)streamId;
        BinaryPrimitives.WriteUInt64BigEndian(room, head);
        room[FlagsAt] = 0;
        room[ContainerTypeAt] = DataTypes.ToScaled(containerType);
        room[UpdateTypeAt] = (byte)updateType;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Writes the smallest header of an update, 11 bytes: no flags, no optional members. For the hot path.</summary>
    public bool TryWriteUpdateHeader(
        DomainType domain,
        int streamId,
        DataType containerType = DataType.FieldList,
        UpdateType updateType = UpdateType.Unspecified)
    {
        ReserveLength();
        Span<byte> room = Reserve(UpdateHeader.Length);
        if (room.IsEmpty)
            return false;
        UpdateHeader.Write(room, domain, streamId, containerType, updateType);
        return true;
    }
}
