using System.Buffers.Binary;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>
/// The expected answers of our server to recorded requests: as recorded, except for the rules of transport.md 1.6 where editions differ.
/// </summary>
internal static class HandshakeRules
{
    private const int LongestHeaderOfC = 127;
    private const int VersionAt = 3;
    private const int HeaderLengthAt = 8;
    private const int AckAt = 2;
    private const int AckEnd = 19;

    // offset after the ack's length
    private const int RipcVersionAt = 6 - AckAt + 3;
    private const int PingAt = 13 - AckAt;
    private const int MajorAt = 14 - AckAt;
    private const int MinorAt = 15 - AckAt;
    private const int CompressionAt = 17 - AckAt;
    private const int LevelAt = 18 - AckAt;

    /// <summary>Returns the ack after its length, up to the key; null when the answer is no ack.</summary>
    public static byte[]? ExpectedAck(TransportVector request, TransportVector response, ListenOptions options)
    {
        if (ParseKnown(request) is not { } asked || asked.ProtocolType != options.ProtocolType)
            return null;
        byte[]? recorded = response.Message == "connectAck" ? response.Bytes[AckAt..AckEnd] : null;
        if (recorded is null && request.Bytes[HeaderLengthAt] > LongestHeaderOfC)
            recorded = PlainAck(asked, options); // C reads that length as signed and closes; Java, C# and we do not
        if (recorded is null)
            return null;

        // the lower pair of protocol versions: C. Java and C# return the client's
        (byte, byte) theirs = (asked.MajorVersion, asked.MinorVersion);
        (byte, byte) ours = (options.MajorVersion, options.MinorVersion);
        (recorded[MajorAt], recorded[MinorAt]) = theirs.CompareTo(ours) < 0 ? theirs : ours;

        // a type that both sides have: C. Java and C# check the offer only. A server that forces compression ignores the offer
        if (!options.ForceCompression)
            recorded[CompressionAt] = Common(asked, options);

        // Java and C# send a level even where no compression is configured
        if (options.CompressionType == CompressionType.None)
            recorded[LevelAt] = 0;
        return recorded;
    }

    /// <summary>Returns the expected nak, or nothing, for a refused request.</summary>
    public static byte[] ExpectedRefusal(TransportVector request, TransportVector response, ListenOptions options)
    {
        if (ConnectionVersions.FromRequest(BinaryPrimitives.ReadUInt32BigEndian(request.Bytes.AsSpan(VersionAt))) == 0)
            return []; // unknown versions are not answered, so that a client tries the next lower one; C naks version 10
        if (ParseKnown(request) is not { } asked || asked.ProtocolType == options.ProtocolType)
            return response.Bytes;

        // the text of a nak is arbitrary, and C's is the previous content of its buffer; C# accepts version 11 for any type
        byte[] nak = new byte[64];
        return nak[..ConnectNak.Write(ConnectNak.UsualText, nak)];
    }

    private static ConnectRequest? ParseKnown(TransportVector request) =>
        ConnectRequest.FindEarlyProblem(request.Bytes) is null ? ConnectRequest.TryParse(request.Bytes) : null;

    private static byte Common(ConnectRequest asked, ListenOptions options) =>
        (asked.CompressionBitmap & ConnectRequest.BitOf(options.CompressionType)) != 0 ? (byte)options.CompressionType : (byte)0;

    private static byte[] PlainAck(ConnectRequest asked, ListenOptions options)
    {
        byte[] ack = Convert.FromHexString("01010a0000000000000003000000000000");
        ack[RipcVersionAt] = (byte)(asked.Version - 5);
        BinaryPrimitives.WriteUInt16BigEndian(ack.AsSpan(10 - AckAt), (ushort)options.MaxFragmentSize);
        ack[PingAt] = (byte)Math.Clamp(asked.PingTimeoutSeconds, options.MinPingTimeoutSeconds, options.PingTimeoutSeconds);
        return ack;
    }
}
