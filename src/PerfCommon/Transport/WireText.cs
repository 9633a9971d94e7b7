using System.Text;

namespace PerfCommon.Transport;

/// <summary>Text of handshake messages: one length byte and that many bytes; escaped before people see it.</summary>
internal static class WireText
{
    private const int LongestShown = 128;

    /// <summary>Bytes of a text, cut to a length.</summary>
    public static byte[] ToBytes(string text, int longest)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        return bytes.Length <= longest ? bytes : bytes[..longest];
    }

    /// <summary>Writes length byte and text.</summary>
    /// <returns>Bytes written.</returns>
    public static int Write(ReadOnlySpan<byte> text, Span<byte> room)
    {
        room[0] = (byte)text.Length;
        text.CopyTo(room[1..]);
        return 1 + text.Length;
    }

    /// <summary>Reads length byte and text.</summary>
    public static bool TryRead(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> text)
    {
        text = default;
        if (rest.Length == 0 || rest.Length < 1 + rest[0])
            return false;
        text = rest.Slice(1, rest[0]);
        rest = rest[(1 + text.Length)..];
        return true;
    }

    /// <summary>Text of the peer as people may see it: control characters escaped, cut at 128 characters.</summary>
    public static string Escape(ReadOnlySpan<byte> text)
    {
        int end = text.IndexOf((byte)0);
        string decoded = Encoding.Latin1.GetString(end < 0 ? text : text[..end]);
        StringBuilder shown = new();
        foreach (char character in decoded.Length <= LongestShown ? decoded : decoded[..LongestShown])
        {
            if (char.IsControl(character))
                shown.Append(System.Globalization.CultureInfo.InvariantCulture, $"\\x{(int)character:x2}");
            else
                shown.Append(character);
        }
        return shown.ToString();
    }
}
