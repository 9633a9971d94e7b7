using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The first message of a client.</summary>
internal sealed record ConnectRequest
{
    public const byte KeyExchangeFlag = 0x08; // wire/transport 1.1
    private const int ShortestBytes = 16; // wire/transport 1.1
    private const int LongestBytes = 513; // wire/transport 1.1

    /// <summary>A C server accepts no longer header.</summary>
    private const int LongestOwnHeader = 127; // wire/transport 1.1
    private const int VersionEnd = 7; // wire/transport 1.1
    private const int HeaderLengthAt = 8; // wire/transport 1.1

    public required int Version { get; init; }
    public bool WantsKey { get; init; }
    public byte CompressionBitmap { get; init; }
    public byte PingTimeoutSeconds { get; init; }
    public byte SessionFlags { get; init; }
    public byte ProtocolType { get; init; }
    public byte MajorVersion { get; init; }
    public byte MinorVersion { get; init; }
    public string HostName { get; init; } = "";
    public string Address { get; init; } = "";
    public string ComponentVersion { get; init; } = "";

    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        // length u16 | op u8 | version u32 | flags u8 | header length u8 | bitmap size u8, bitmap | ping u8 | session flags u8
        room[..HeaderLengthAt].Clear();
        BinaryPrimitives.WriteUInt32BigEndian(room[3..], ConnectionVersions.InRequest(Version));
        room[VersionEnd] = WantsKey ? KeyExchangeFlag : (byte)0;
        int at = HeaderLengthAt + 1;
        room[at++] = CompressionBitmap == 0 ? (byte)0 : (byte)1;
        if (CompressionBitmap != 0)
            room[at++] = CompressionBitmap;
        room[at++] = PingTimeoutSeconds;
        room[at++] = SessionFlags;

        // protocol type u8 (from version 12) | major u8 | minor u8 | host name | address
        if (Version >= ConnectionVersions.WithProtocolType)
            room[at++] = ProtocolType;
        room[at++] = MajorVersion;
        room[at++] = MinorVersion;
        byte[] address = WireText.ToBytes(Address, 45);
        byte[] host = WireText.ToBytes(HostName, LongestOwnHeader - at - 2 - address.Length);
        at += WireText.Write(host, room[at..]);
        at += WireText.Write(address, room[at..]);
        room[HeaderLengthAt] = (byte)at;

        if (Version >= ConnectionVersions.WithComponent)
            at += WireText.WriteComponent(ComponentVersion, room[at..]);
        BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)at);
        return at;
    }

    /// <summary>Checks whether the first bytes can be a request, as soon as there are any.</summary>
    /// <returns>The error; null when there is none so far.</returns>
    public static string? FindEarlyProblem(ReadOnlySpan<byte> received)
    {
        if (received.Length >= 2 && BinaryPrimitives.ReadUInt16BigEndian(received) is var length and (< ShortestBytes or > LongestBytes))
            return $"the first bytes are no connect request (length {length})"; // wire/transport 10
        if (received.Length < VersionEnd)
            return null;
        uint word = BinaryPrimitives.ReadUInt32BigEndian(received[3..]);
        // wire/transport 10
        return ConnectionVersions.FromRequest(word) == 0 ? $"the connect request names the unknown version 0x{word:x}" : null;
    }

    /// <summary>Returns the bit of the bitmap that offers a compression.</summary>
    public static byte BitOf(CompressionType compression) => compression switch
    {
        CompressionType.Zlib => 0x01, // wire/transport 1.1
        CompressionType.Lz4 => 0x02, // wire/transport 1.1
        _ => 0,
    };

    /// <summary>Parses a complete request that passed <see cref="FindEarlyProblem"/>.</summary>
    /// <returns>Null when its lengths contradict each other.</returns>
    public static ConnectRequest? TryParse(ReadOnlySpan<byte> message)
    {
        int version = ConnectionVersions.FromRequest(BinaryPrimitives.ReadUInt32BigEndian(message[3..]));
        int headerLength = message[HeaderLengthAt];
        if (headerLength < HeaderLengthAt + 1 || headerLength > message.Length) // wire/transport 1.1
            return null;
        ReadOnlySpan<byte> header = message[(HeaderLengthAt + 1)..headerLength];
        if (!TryReadComponent(message[headerLength..], version, out ReadOnlySpan<byte> component))
            return null;
        if (!WireText.TryRead(ref header, out ReadOnlySpan<byte> bitmap) || bitmap.Length > 1)
            return null;
        int fixedBytes = version >= ConnectionVersions.WithProtocolType ? 5 : 4;
        if (header.Length < fixedBytes)
            return null;
        ReadOnlySpan<byte> names = header[fixedBytes..];
        if (!WireText.TryRead(ref names, out ReadOnlySpan<byte> host) || !WireText.TryRead(ref names, out ReadOnlySpan<byte> address)
            || !names.IsEmpty)
        {
            return null;
        }

        return new ConnectRequest
        {
            Version = version,
            WantsKey = version >= ConnectionVersions.WithKey && (message[VersionEnd] & KeyExchangeFlag) != 0,
            CompressionBitmap = bitmap.Length == 0 ? (byte)0 : bitmap[0],
            PingTimeoutSeconds = header[0],
            SessionFlags = header[1],
            ProtocolType = fixedBytes == 5 ? header[2] : RsslProtocol.Rwf,
            MajorVersion = header[fixedBytes - 2],
            MinorVersion = header[fixedBytes - 1],
            HostName = PrintableText.FromTerminated(host),
            Address = PrintableText.FromTerminated(address),
            ComponentVersion = PrintableText.FromTerminated(component),
        };
    }

    // container length u8, in it length u8 and text; then nothing, or an end of line
    private static bool TryReadComponent(ReadOnlySpan<byte> rest, int version, out ReadOnlySpan<byte> text)
    {
        text = default;
        if (version >= ConnectionVersions.WithComponent)
        {
            if (!WireText.TryRead(ref rest, out ReadOnlySpan<byte> container))
                return false;
            if (!container.IsEmpty && !WireText.TryRead(ref container, out text))
                return false;
        }

        return rest.IsEmpty || rest.SequenceEqual("\r\n"u8);
    }
}
