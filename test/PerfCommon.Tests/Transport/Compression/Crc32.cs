namespace PerfCommon.Tests.Transport.Compression;

/// <summary>The CRC-32 of zip, by which vectors name long data.</summary>
internal static class Crc32
{
    public static string Hex(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte b in bytes)
        {
            crc ^= b;
            for (int bit = 0; bit < 8; bit++)
                crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
        }

        return (~crc).ToString("x8", System.Globalization.CultureInfo.InvariantCulture);
    }
}
