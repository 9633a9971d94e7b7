using System.Buffers.Binary;
using System.IO.Compression;

namespace PerfCommon.Measurement;

/// <summary>Encodes and decodes histograms, version 2 of the HdrHistogram family: plain, or compressed as in the logs.</summary>
/// <remarks>
/// Plain, big endian: cookie int32 | payload length int32 | index offset int32 | digits int32 | lowest int64 | highest int64 | ratio double
/// | payload. The payload is the counts from the first cell on, each a <see cref="ZigZagNumber"/>; a negative number -n means n empty
/// cells. Compressed: cookie int32 | length int32 | zlib of one whole plain form.
/// </remarks>
internal static class HistogramEncoding
{
    private const uint Cookie = 0x1c849313;
    private const uint CompressedCookie = 0x1c849314;
    private const uint CookieMask = ~0xf0u; // the nibble is the width of a word in older forms, and has no meaning here
    private const int HeaderBytes = 40;
    private const int CompressedHeaderBytes = 8;
    private const int ZerosBytes = 1_024;

    /// <summary>Appends the plain form; each histogram has exactly one plain form.</summary>
    public static void WritePlain(Stream target, LongHistogram histogram)
    {
        using MemoryStream payload = new();
        WriteCounts(payload, histogram);

        Span<byte> header = stackalloc byte[HeaderBytes];
        BinaryPrimitives.WriteUInt32BigEndian(header, Cookie);
        BinaryPrimitives.WriteInt32BigEndian(header[4..], (int)payload.Length);
        BinaryPrimitives.WriteInt32BigEndian(header[8..], 0);
        BinaryPrimitives.WriteInt32BigEndian(header[12..], histogram.Layout.Digits);
        BinaryPrimitives.WriteInt64BigEndian(header[16..], histogram.Layout.Lowest);
        BinaryPrimitives.WriteInt64BigEndian(header[24..], histogram.Layout.Highest);
        BinaryPrimitives.WriteDoubleBigEndian(header[32..], 1);
        target.Write(header);
        payload.WriteTo(target);
    }

    /// <summary>Returns the compressed form. Its bytes differ between versions of zlib; the inflated bytes do not.</summary>
    public static byte[] Compress(LongHistogram histogram)
    {
        using MemoryStream target = new();
        target.Write(stackalloc byte[CompressedHeaderBytes]);
        using (ZLibStream zlib = new(target, CompressionLevel.Optimal, leaveOpen: true))
            WritePlain(zlib, histogram);

        byte[] compressed = target.ToArray();
        BinaryPrimitives.WriteUInt32BigEndian(compressed, CompressedCookie);
        BinaryPrimitives.WriteInt32BigEndian(compressed.AsSpan(4), compressed.Length - CompressedHeaderBytes);
        return compressed;
    }

    /// <summary>Reads the plain form, which must fill all of the bytes.</summary>
    /// <param name="plain">The bytes.</param>
    /// <param name="unit">Unit of the values, which the bytes do not contain.</param>
    /// <param name="maxCells">More cells are refused before memory is allocated for them.</param>
    /// <exception cref="HistogramFormatException">The bytes are no such form.</exception>
    public static LongHistogram ReadPlain(byte[] plain, LatencyUnit unit, int maxCells = int.MaxValue)
    {
        using MemoryStream source = new(plain, writable: false);
        HistogramHeader header = ReadHeader(source, maxCells);
        if (header.PayloadBytes != plain.Length - HeaderBytes)
            throw new HistogramFormatException($"the payload has {plain.Length - HeaderBytes} bytes, {header.PayloadBytes} are announced");
        return ReadCounts(source, header, unit);
    }

    /// <summary>Reads the compressed form, which must fill all of the bytes; its checksum may be missing, but not wrong.</summary>
    /// <param name="compressed">The bytes.</param>
    /// <param name="unit">Unit of the values, which the bytes do not contain.</param>
    /// <param name="maxCells">More cells are refused before memory is allocated for them.</param>
    /// <param name="used">A histogram that is reset and reused where it has the same cells; null for none.</param>
    /// <exception cref="HistogramFormatException">The bytes are no such form; the reused histogram is empty or partly filled.</exception>
    public static LongHistogram Decompress(byte[] compressed, LatencyUnit unit, int maxCells = int.MaxValue, LongHistogram? used = null)
    {
        if (compressed.Length < CompressedHeaderBytes)
            throw new HistogramFormatException($"{compressed.Length} bytes are too few for a compressed histogram");
        CheckCookie(BinaryPrimitives.ReadUInt32BigEndian(compressed), CompressedCookie);
        int length = BinaryPrimitives.ReadInt32BigEndian(compressed.AsSpan(4));
        if (length != compressed.Length - CompressedHeaderBytes)
            throw new HistogramFormatException($"{compressed.Length - CompressedHeaderBytes} compressed bytes, {length} are announced");

        using MemoryStream source = new(compressed, CompressedHeaderBytes, length, writable: false);
        using ZLibStream zlib = new(source, CompressionMode.Decompress);
        try
        {
            // at most the header, the bytes that the cells can need, and one byte that must not exist are inflated
            HistogramHeader header = ReadHeader(zlib, maxCells);
            LongHistogram histogram = ReadCounts(zlib, header, unit, used);
            ReadZeros(zlib, header.MaxPayloadBytes - header.PayloadBytes);
            return histogram;
        }
        catch (Exception cause) when (cause is InvalidDataException or IOException)
        {
            throw new HistogramFormatException("the compressed data are damaged", cause: cause);
        }
    }

    private static void WriteCounts(Stream payload, LongHistogram histogram)
    {
        int last = Math.Max(histogram.LastUsed, 0); // an empty histogram has one count of 0
        for (int i = 0; i <= last;)
        {
            int empty = CountEmpty(histogram, i, last);
            if (empty > 1)
                ZigZagNumber.Write(payload, -empty);
            else
                ZigZagNumber.Write(payload, histogram.CountAt(i));
            i += Math.Max(empty, 1);
        }
    }

    private static int CountEmpty(LongHistogram histogram, int from, int last)
    {
        int end = from;
        while (end <= last && histogram.CountAt(end) == 0)
            end++;
        return end - from;
    }

    private static HistogramHeader ReadHeader(Stream source, int maxCells)
    {
        Span<byte> bytes = stackalloc byte[HeaderBytes];
        if (source.ReadAtLeast(bytes, HeaderBytes, throwOnEndOfStream: false) < HeaderBytes)
            throw new HistogramFormatException($"a histogram begins with {HeaderBytes} bytes; there are fewer");
        CheckCookie(BinaryPrimitives.ReadUInt32BigEndian(bytes), Cookie);
        HistogramHeader header = HistogramHeader.Create(
            BinaryPrimitives.ReadInt32BigEndian(bytes[4..]), BinaryPrimitives.ReadInt32BigEndian(bytes[12..]),
            BinaryPrimitives.ReadInt64BigEndian(bytes[16..]), BinaryPrimitives.ReadInt64BigEndian(bytes[24..]));
        if (header.Layout.Length > maxCells)
            throw new HistogramFormatException($"a histogram of {header.Layout.Length} cells, at most {maxCells} are taken");
        return header;
    }

    private static LongHistogram ReadCounts(Stream source, HistogramHeader header, LatencyUnit unit, LongHistogram? used = null)
    {
        LongHistogram histogram = used?.Layout == header.Layout && used.Unit == unit
            ? used : new(header.Layout.Lowest, header.Layout.Highest, header.Layout.Digits, unit);
        histogram.Reset();
        ZigZagReader numbers = new(source, header.PayloadBytes);
        long index = 0;
        while (numbers.TryRead(out long number))
        {
            long cells = number < 0 ? unchecked(-number) : 1;
            if (cells < 0 || cells > header.Layout.Length - index)
                throw new HistogramFormatException($"counts go beyond the {header.Layout.Length} cells");
            if (number > long.MaxValue - histogram.TotalCount)
                throw new HistogramFormatException("the total passes the largest count");
            if (number > 0)
                histogram.Count((int)index, number);
            index += cells;
        }

        return histogram;
    }

    // The .NET package deflates its whole buffer: zeros follow the announced payload, at most a number for each cell.
    private static void ReadZeros(Stream source, long most)
    {
        Span<byte> bytes = stackalloc byte[ZerosBytes];
        for (int got; (got = source.Read(bytes)) > 0; most -= got)
        {
            if (got > most || bytes[..got].ContainsAnyExcept((byte)0))
                throw new HistogramFormatException("more bytes are inflated than are announced");
        }
    }

    private static void CheckCookie(uint found, uint expected)
    {
        if ((found & CookieMask) != (expected & CookieMask))
            throw new HistogramFormatException($"{NameOf(found)} found, a histogram of version 2 expected ({expected:x8})");
    }

    private static string NameOf(uint cookie) => (cookie & CookieMask) switch
    {
        0x1c849308 or 0x1c849309 => "a histogram of version 0",
        0x1c849301 or 0x1c849302 => "a histogram of version 1",
        0x1c849303 => "an uncompressed histogram",
        0x1c849304 => "a compressed histogram",
        0x0c72120e or 0x0c72120f => "a histogram of floating-point values",
        _ => $"cookie {cookie:x8}",
    };
}

/// <summary>Fields of the header before the counts, checked.</summary>
internal readonly record struct HistogramHeader(int PayloadBytes, HistogramLayout Layout)
{
    // maximum bytes of one cell's count
    private const long MaxNumberBytes = 9;

    /// <summary>Maximum bytes of the counts of its cells.</summary>
    public long MaxPayloadBytes => MaxNumberBytes * Layout.Length;

    /// <exception cref="HistogramFormatException">No histogram can have these values.</exception>
    public static HistogramHeader Create(int payloadBytes, int digits, long lowest, long highest)
    {
        try
        {
            HistogramLayout layout = new(lowest, highest, digits);
            HistogramHeader header = new(payloadBytes, layout);
            return payloadBytes >= 0 && payloadBytes <= header.MaxPayloadBytes ? header
                : throw new HistogramFormatException($"a payload of {payloadBytes} bytes for {layout.Length} cells");
        }
        catch (ArgumentOutOfRangeException cause)
        {
            throw new HistogramFormatException($"no histogram keeps {digits} digits of values from {lowest} to {highest}", cause: cause);
        }
    }
}
