using System.Buffers.Binary;

namespace PerfCommon.Transport.WebSockets;

/// <summary>Header of one WebSocket frame (RFC 6455, 5.2).</summary>
internal readonly record struct WebSocketFrameHeader( // wire/transport 9.3
    WebSocketOpcode Opcode, bool IsFinal, bool IsCompressed, bool HasOtherReservedBits, bool IsMasked, uint MaskKey, long PayloadBytes)
{
    /// <summary>Maximum bytes of a header.</summary>
    public const int LongestBytes = 14;

    /// <summary>Maximum bytes of a control frame's payload; also the largest length that fits in the second byte.</summary>
    public const int LongestControl = 125; // wire/transport 9.3

    private const byte FinalBit = 0x80;
    private const byte CompressedBit = 0x40;
    private const byte OtherReservedBits = 0x30;
    private const byte MaskBit = 0x80;
    private const byte TwoByteLength = 126;
    private const byte EightByteLength = 127;
    private const int MaskKeyBytes = 4;

    /// <summary>True for ping, pong and close.</summary>
    public bool IsControl => Opcode >= WebSocketOpcode.Close;

    /// <summary>Reads a header.</summary>
    /// <returns>Its length; 0 when it is incomplete.</returns>
    public static int TryRead(ReadOnlySpan<byte> bytes, out WebSocketFrameHeader header)
    {
        header = default;
        if (bytes.Length < 2)
            return 0;
        // wire/transport 9.3
        int shortLength = bytes[1] & 0x7f;
        bool isMasked = (bytes[1] & MaskBit) != 0;
        int lengthBytes = shortLength switch { TwoByteLength => 2, EightByteLength => 8, _ => 0 };
        int headerBytes = 2 + lengthBytes + (isMasked ? MaskKeyBytes : 0);
        if (bytes.Length < headerBytes)
            return 0;
        long payload = lengthBytes switch
        {
            2 => BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            8 => BinaryPrimitives.ReadInt64BigEndian(bytes[2..]),
            _ => shortLength,
        };
        uint mask = isMasked ? BinaryPrimitives.ReadUInt32LittleEndian(bytes[(2 + lengthBytes)..]) : 0;
        header = new WebSocketFrameHeader(
            (WebSocketOpcode)(bytes[0] & 0x0f), (bytes[0] & FinalBit) != 0, (bytes[0] & CompressedBit) != 0,
            (bytes[0] & OtherReservedBits) != 0, isMasked, mask, payload);
        return headerBytes;
    }

    /// <summary>Returns the length of the header of a frame with the given payload.</summary>
    public static int BytesFor(long payloadBytes, bool isMasked) =>
        (payloadBytes <= LongestControl ? 2 : payloadBytes <= ushort.MaxValue ? 4 : 10) + (isMasked ? MaskKeyBytes : 0);

    /// <summary>Writes the header.</summary>
    /// <param name="room">Buffer of <see cref="LongestBytes"/>.</param>
    /// <returns>Its length.</returns>
    public int Write(Span<byte> room)
    {
        room[0] = (byte)((byte)Opcode | (IsFinal ? FinalBit : 0) | (IsCompressed ? CompressedBit : 0));
        int headerBytes = BytesFor(PayloadBytes, IsMasked);
        byte mask = IsMasked ? MaskBit : (byte)0;
        if (PayloadBytes <= LongestControl)
        {
            room[1] = (byte)(mask | (byte)PayloadBytes);
        }
        else if (PayloadBytes <= ushort.MaxValue)
        {
            room[1] = (byte)(mask | TwoByteLength);
            BinaryPrimitives.WriteUInt16BigEndian(room[2..], (ushort)PayloadBytes);
        }
        else
        {
            room[1] = (byte)(mask | EightByteLength);
            BinaryPrimitives.WriteInt64BigEndian(room[2..], PayloadBytes);
        }

        if (IsMasked)
            BinaryPrimitives.WriteUInt32LittleEndian(room[(headerBytes - MaskKeyBytes)..], MaskKey);
        return headerBytes;
    }
}

/// <summary>Kinds of WebSocket frames.</summary>
internal enum WebSocketOpcode : byte // wire/transport 9.3
{
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}
