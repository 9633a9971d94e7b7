using System.Globalization;
using System.IO.Hashing;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>Computes the CRC-32 of zip, by which vectors identify long data.</summary>
internal static class PayloadCrc
{
    public static string Hex(ReadOnlySpan<byte> bytes) => Crc32.HashToUInt32(bytes).ToString("x8", CultureInfo.InvariantCulture);
}
