using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>The fixed beginning of any message, and of an update also where its payload begins, without the other members.</summary>
/// <param name="MsgClass">Class.</param>
/// <param name="DomainType">Domain.</param>
/// <param name="StreamId">Id of the stream.</param>
/// <param name="PayloadStart">Where the payload begins in the message.</param>
internal readonly record struct MsgStart(MsgClass MsgClass, DomainType DomainType, int StreamId, int PayloadStart)
{
    private const int FixedLength = 10;
    private const int HeaderSizeLength = sizeof(ushort);
    private const byte ClassMask = 0x1F;

    /// <summary>Reads the beginning of a message; members that are optional are not looked at.</summary>
    /// <param name="message">The whole message, no byte more.</param>
    /// <param name="start">What was read; default unless the result is Success.</param>
    /// <returns>Success, or Incomplete when header or message stop too early.</returns>
    public static DecodeResult TryRead(ReadOnlySpan<byte> message, out MsgStart start)
    {
        // headerSize uint16 | class | domain | streamId int32
        if (message.Length >= FixedLength)
        {
            ulong head = BinaryPrimitives.ReadUInt64BigEndian(message);
            int payloadStart = HeaderSizeLength + (int)(head >> 48);
            if (payloadStart >= FixedLength && payloadStart <= message.Length)
            {
                start = new MsgStart((MsgClass)((byte)(head >> 40) & ClassMask), (DomainType)(byte)(head >> 32), (int)head, payloadStart);
                return DecodeResult.Success;
            }
        }

        start = default;
        return DecodeResult.Incomplete;
    }
}
