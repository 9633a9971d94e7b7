using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The client's side of the handshake: request, then ack or nak, then (version 14) our key.</summary>
/// <param name="options">Options that the client requests.</param>
/// <param name="version">Version of this attempt.</param>
/// <param name="address">Our address, as text.</param>
internal sealed class ClientHandshake(ConnectOptions options, int version, string address) : Handshake
{
    /// <summary>Returns the same attempt with other options.</summary>
    public ClientHandshake With(ConnectOptions changed) => new(changed, version, address);

    public int Version => version;

    private bool RequestsKey => version >= ConnectionVersions.WithKey;

    public override int Begin(Span<byte> message) => new ConnectRequest
    {
        Version = version,
        WantsKey = RequestsKey,
        CompressionBitmap = version < ConnectionVersions.WithProtocolType && options.CompressionType == CompressionType.Lz4
            ? (byte)0
            : ConnectRequest.BitOf(options.CompressionType),
        PingTimeoutSeconds = (byte)Math.Clamp(options.PingTimeoutSeconds, 1, byte.MaxValue),
        ProtocolType = options.ProtocolType,
        MajorVersion = options.MajorVersion,
        MinorVersion = options.MinorVersion,
        HostName = Environment.MachineName,
        Address = address,
        ComponentVersion = options.ComponentVersion,
    }.Write(message);

    public override HandshakeStep Feed(ReadOnlySpan<byte> received, out int consumed, Span<byte> reply, out int replyBytes)
    {
        (consumed, replyBytes) = (0, 0);
        HasReceived |= received.Length > 0;
        if (received.Length < 2)
            return HandshakeStep.NeedMore;
        int length = BinaryPrimitives.ReadUInt16BigEndian(received);
        if (length is < 4 or > ConnectAck.LongestBytes)
            return Fail($"the server's answer says it is {length} bytes long"); // wire/transport 10
        if (received.Length < length)
            return HandshakeStep.NeedMore;

        consumed = length;
        ReadOnlySpan<byte> message = received[..length];
        return (message[2] & ConnectAck.ExtendedFlags, message[3]) switch
        {
            // wire/transport 1.3
            (ConnectAck.ExtendedFlags, ConnectAck.NakFlag) =>
                Fail($"the server refused: {ConnectNak.ReadText(message)}", CloseKind.Refused),
            (ConnectAck.ExtendedFlags, ConnectAck.AckFlag) => ReceiveAck(message, reply, out replyBytes),
            _ => Fail("the server's answer is neither ack nor nak"), // wire/transport 1.2
        };
    }

    private HandshakeStep ReceiveAck(ReadOnlySpan<byte> message, Span<byte> reply, out int replyBytes)
    {
        replyBytes = 0;
        if (ConnectAck.Parse(message, version, RequestsKey, out ConnectAck? ack) is string problem)
            return Fail(problem);
        if (ack!.MaxMessageBytes < HandshakeLayout.MinMaxMessageBytes)
            return Fail($"the ack allows messages of only {ack.MaxMessageBytes} bytes"); // wire/transport 1.6
        if (ack.Key is { IsUsable: false } key)
            return Fail($"the ack's key modulus {key.Modulus:x} is not between 1 and 2^63 - 1"); // wire/transport 1.4

        CompressionType compression = ack is { ForcesCompression: true, CompressionType: 0 }
            ? CompressionType.Zlib : (CompressionType)ack.CompressionType;
        if (compression > CompressionType.Lz4)
            return Fail($"the ack names the unknown compression type {ack.CompressionType}"); // wire/transport 10

        if (ack.Key is not null || ack.HasUnknownKey)
            replyBytes = ServerKey.WriteAnswer(reply, ack.Key); // wire/transport 1.4
        Info = Agree(ack, compression);
        return HandshakeStep.Done;
    }

    private ChannelInfo Agree(ConnectAck ack, CompressionType compression)
    {
        (byte major, byte minor) = (ack.MajorVersion, ack.MinorVersion).CompareTo((options.MajorVersion, options.MinorVersion)) < 0
            ? (ack.MajorVersion, ack.MinorVersion)
            : (options.MajorVersion, options.MinorVersion);
        return new ChannelInfo
        {
            ConnectionVersion = version,
            MaxMessageBytes = ack.MaxMessageBytes,
            PingTimeoutSeconds = ack.PingTimeoutSeconds,
            SendsPings = (ack.SessionFlags & ConnectAck.ClientPings) != 0,
            ReceivesPings = (ack.SessionFlags & ConnectAck.ServerPings) != 0,
            CompressionType = compression,
            CompressionLevel = ack.CompressionLevel,
            ProtocolType = options.ProtocolType,
            MajorVersion = major,
            MinorVersion = minor,
            ComponentVersion = ack.ComponentVersion,
            IsServer = false,
        };
    }
}
