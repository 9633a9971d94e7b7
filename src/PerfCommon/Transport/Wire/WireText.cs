using System.Text;

namespace PerfCommon.Transport;

/// <summary>Reads and writes text (and other blocks) of handshake messages: one length byte and that many bytes; escape it before printing.</summary>
internal static class WireText
{
    private const int LongestComponent = 253; // wire/transport 1.1

    public static byte[] ToBytes(string text, int longest)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return bytes.Length <= longest ? bytes : bytes[..longest];
    }

    /// <returns>Bytes written.</returns>
    public static int Write(ReadOnlySpan<byte> text, Span<byte> room)
    {
        room[0] = (byte)text.Length;
        text.CopyTo(room[1..]);
        return 1 + text.Length;
    }

    public static bool TryRead(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> text)
    {
        text = default;
        if (rest.Length == 0 || rest.Length < 1 + rest[0])
            return false;
        text = rest.Slice(1, rest[0]);
        rest = rest[(1 + text.Length)..];
        return true;
    }

    /// <summary>Writes a component version in its container: container length u8, length byte, text.</summary>
    /// <returns>Bytes written.</returns>
    public static int WriteComponent(string component, Span<byte> room)
    {
        room[0] = (byte)Write(ToBytes(component, LongestComponent), room[1..]);
        return 1 + room[0];
    }
}
