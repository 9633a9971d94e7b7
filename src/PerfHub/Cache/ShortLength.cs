using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>The length before a value in a list: a byte, or a mark and two.</summary>
internal static class ShortLength // wire/rwf 1
{
    /// <summary>Writes a length.</summary>
    /// <returns>Bytes written.</returns>
    public static int Write(Span<byte> room, int length)
    {
        if (length < LengthMark.TwoMoreBytes)
        {
            room[0] = (byte)length;
            return 1;
        }

        room[0] = LengthMark.TwoMoreBytes;
        BinaryPrimitives.WriteUInt16BigEndian(room[1..], (ushort)length);
        return 3;
    }
}
