using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The server's no: length u16 | 0x01 | 0x02 | header length 8 | 0 | text length u16 | text.</summary>
internal static class ConnectNak
{
    /// <summary>What the reference says.</summary>
    public const string UsualText = "Connection refused.";

    private const int HeaderBytes = 8;
    private const int LongestText = 200;

    /// <summary>Writes the message; its text ends with a NUL as the reference's does.</summary>
    /// <returns>Its bytes.</returns>
    public static int Write(string text, Span<byte> room)
    {
        byte[] bytes = WireText.ToBytes(text + "\0", LongestText);
        int length = HeaderBytes + bytes.Length;
        BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)length);
        room[2] = ConnectAck.ExtendedFlags;
        room[3] = ConnectAck.NakFlag;
        room[4] = HeaderBytes;
        room[5] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(room[6..], (ushort)bytes.Length);
        bytes.CopyTo(room[HeaderBytes..]);
        return length;
    }

    /// <summary>The text of a whole nak, fit to print.</summary>
    public static string ReadText(ReadOnlySpan<byte> message) =>
        message.Length <= HeaderBytes
            ? ""
            : WireText.Escape(message.Slice(HeaderBytes, Math.Min(message.Length - HeaderBytes, BinaryPrimitives.ReadUInt16BigEndian(message[6..]))));
}
