using System.Globalization;
using System.IO.Hashing;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>The CRC-32 of zip, by which vectors name long data.</summary>
internal static class PayloadCrc
{
    public static string Hex(ReadOnlySpan<byte> bytes) => Crc32.HashToUInt32(bytes).ToString("x8", CultureInfo.InvariantCulture);
}
