using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The server's answer that accepts a connection.</summary>
internal sealed record ConnectAck
{
    public const int LongestBytes = 1024; // wire/transport 10
    public const byte ExtendedFlags = 0x01; // wire/transport 1.2
    public const byte ForceFlag = 0x80; // wire/transport 1.2
    public const byte AckFlag = 0x01; // wire/transport 1.2
    public const byte NakFlag = 0x02; // wire/transport 1.3
    public const byte ClientPings = 0x01; // wire/transport 1.2
    public const byte ServerPings = 0x02; // wire/transport 1.2

    private const int FixedBytes = 19; // wire/transport 1.2
    private const byte HeaderLength = 10; // wire/transport 1.2
    private const byte KeyMark = 0x08; // wire/transport 1.2

    public required int Version { get; init; }
    public required int MaxMessageBytes { get; init; }
    public byte SessionFlags { get; init; } = ClientPings | ServerPings;
    public byte PingTimeoutSeconds { get; init; }
    public byte MajorVersion { get; init; }
    public byte MinorVersion { get; init; }
    public int CompressionType { get; init; }
    public byte CompressionLevel { get; init; }
    public bool ForcesCompression { get; init; }
    public string ComponentVersion { get; init; } = "";

    /// <summary>The key block; null when there is none.</summary>
    public ServerKey? Key { get; init; }

    /// <summary>True when there is a key block of an unknown type.</summary>
    public bool HasUnknownKey { get; init; }

    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        // length u16 | flags u8 | extended flags u8 | header length u8 | 0 | version u32 | M u16 | session flags u8 | ping u8
        room[2] = ForcesCompression && CompressionType != 0 ? (byte)(ExtendedFlags | ForceFlag) : ExtendedFlags;
        room[3] = AckFlag;
        room[4] = HeaderLength;
        room[5] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(room[6..], ConnectionVersions.InAck(Version));
        BinaryPrimitives.WriteUInt16BigEndian(room[10..], (ushort)MaxMessageBytes);
        room[12] = SessionFlags;
        room[13] = PingTimeoutSeconds;

        // major u8 | minor u8 | compression type u16 | level u8 | key block | component
        room[14] = MajorVersion;
        room[15] = MinorVersion;
        BinaryPrimitives.WriteUInt16BigEndian(room[16..], (ushort)CompressionType);
        room[18] = CompressionLevel;
        int at = FixedBytes;
        if (Key is ServerKey key)
        {
            room[at++] = KeyMark;
            at += key.Write(room[at..]);
        }

        if (Version >= ConnectionVersions.WithComponent)
            at += WireText.WriteComponent(ComponentVersion, room[at..]);
        BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)at);
        return at;
    }

    /// <summary>Parses a complete ack that answers a request of this version.</summary>
    /// <returns>The error; null when there is none, the ack is set then.</returns>
    public static string? Parse(ReadOnlySpan<byte> message, int version, bool askedForKey, out ConnectAck? ack)
    {
        ack = null;
        if (message.Length < FixedBytes)
            return "the ack is too short"; // wire/transport 1.2
        uint word = BinaryPrimitives.ReadUInt32BigEndian(message[6..]);
        if (word != ConnectionVersions.InAck(version)) // wire/transport 10
            return $"the ack answers version {word} to a request of {ConnectionVersions.InAck(version)}";

        ReadOnlySpan<byte> rest = message[FixedBytes..];
        ServerKey? key = null;
        bool hasKey = askedForKey && rest is [KeyMark, _, _, ..];
        if (hasKey && !ServerKey.TryRead(ref rest, out key))
            return "the ack's key block is malformed"; // wire/transport 1.2
        ReadOnlySpan<byte> component = default;
        rest = rest.IsEmpty ? rest : rest[1..]; // container length: editions count it differently
        if (version >= ConnectionVersions.WithComponent && !rest.IsEmpty && !WireText.TryRead(ref rest, out component))
            return "the ack's component version reaches beyond it"; // wire/transport 1.2

        ack = new ConnectAck
        {
            Version = version,
            MaxMessageBytes = BinaryPrimitives.ReadUInt16BigEndian(message[10..]),
            SessionFlags = message[12],
            PingTimeoutSeconds = message[13],
            MajorVersion = message[14],
            MinorVersion = message[15],
            CompressionType = BinaryPrimitives.ReadUInt16BigEndian(message[16..]),
            CompressionLevel = message[18],
            ForcesCompression = (message[2] & ForceFlag) != 0,
            Key = key,
            HasUnknownKey = hasKey && key is null,
            ComponentVersion = PrintableText.FromTerminated(component),
        };
        return null;
    }
}

/// <summary>Encodes the server's refusal: length u16 | 0x01 | 0x02 | header length 8 | 0 | text length u16 | text.</summary>
internal static class ConnectNak
{
    public const string UsualText = "Connection refused."; // wire/transport 1.3

    private const int HeaderBytes = 8; // wire/transport 1.3
    private const int LongestText = 200;

    /// <summary>Writes the message; its text ends with a NUL as the reference's does.</summary>
    /// <returns>Bytes written.</returns>
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

    public static string ReadText(ReadOnlySpan<byte> message) =>
        message.Length <= HeaderBytes
            ? ""
            : PrintableText.FromTerminated(message.Slice(HeaderBytes,
                Math.Min(message.Length - HeaderBytes, BinaryPrimitives.ReadUInt16BigEndian(message[6..]))));
}
