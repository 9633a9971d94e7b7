using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>The server's side of the handshake: request, our ack or nak, then (version 14) the client's key.</summary>
/// <param name="options">Options that the server grants.</param>
/// <param name="refusal">Text of the nak that answers any request; null to check the request.</param>
internal sealed class ServerHandshake(ListenOptions options, string? refusal) : Handshake
{
    private bool _awaitsKey;

    public override HandshakeStep Feed(ReadOnlySpan<byte> received, out int consumed, Span<byte> reply, out int replyBytes)
    {
        (consumed, replyBytes) = (0, 0);
        HasReceived |= received.Length > 0;
        if (_awaitsKey)
            return ReceiveKey(received, ref consumed);
        if (received.Length == 0)
            return HandshakeStep.NeedMore;
        if (StartsLike(received, "GET "u8)) // wire/transport 9.1
            return received.Length >= 4 ? HandshakeStep.WebSocket : HandshakeStep.NeedMore;
        if (StartsLike(received, "POST"u8))
            return Fail("the peer asks for HTTP tunnelling, which is not supported"); // wire/transport 8.3
        if (ConnectRequest.FindEarlyProblem(received) is string problem)
            return Fail(problem); // wire/transport 10
        if (received.Length < 2 || received.Length < BinaryPrimitives.ReadUInt16BigEndian(received))
            return HandshakeStep.NeedMore;

        consumed = BinaryPrimitives.ReadUInt16BigEndian(received);
        ConnectRequest? request = ConnectRequest.TryParse(received[..consumed]);
        // wire/transport 10
        return request is null ? Fail("the lengths in the connect request contradict each other") : Answer(request, reply, out replyBytes);
    }

    private static bool StartsLike(ReadOnlySpan<byte> received, ReadOnlySpan<byte> word) =>
        received.Length < word.Length ? word.StartsWith(received) : received.StartsWith(word);

    private HandshakeStep Answer(ConnectRequest request, Span<byte> reply, out int replyBytes)
    {
        string? nak = refusal ?? (request.ProtocolType == options.ProtocolType ? null : ConnectNak.UsualText); // wire/transport 1.3
        if (nak is not null)
        {
            replyBytes = ConnectNak.Write(nak, reply);
            return Fail(
                refusal is null
                    ? $"the client asked for protocol type {request.ProtocolType}, ours is {options.ProtocolType}" : $"refused: {refusal}",
                CloseKind.Refused);
        }

        Info = Agree(request);
        ConnectAck ack = new()
        {
            Version = request.Version,
            MaxMessageBytes = Info.MaxMessageBytes,
            SessionFlags = (byte)(ConnectAck.ClientPings | ConnectAck.ServerPings | request.SessionFlags),
            PingTimeoutSeconds = (byte)Info.PingTimeoutSeconds,
            MajorVersion = Info.MajorVersion,
            MinorVersion = Info.MinorVersion,
            CompressionType = (int)Info.CompressionType,
            CompressionLevel = (byte)Info.CompressionLevel,
            ForcesCompression = options.ForceCompression,
            ComponentVersion = options.ComponentVersion,
            Key = request.WantsKey ? ServerKey.Create() : null,
        };
        replyBytes = ack.Write(reply);
        _awaitsKey = request.WantsKey;
        return _awaitsKey ? HandshakeStep.NeedMore : HandshakeStep.DoneAfterPause; // wire/transport 1.5
    }

    private HandshakeStep ReceiveKey(ReadOnlySpan<byte> received, ref int consumed)
    {
        if (received.Length < 2)
            return HandshakeStep.NeedMore;
        int length = BinaryPrimitives.ReadUInt16BigEndian(received);
        if (length is not (ServerKey.ClientKeyBytes or ServerKey.EmptyClientKeyBytes))
            return Fail($"the client's key message says it is {length} bytes long"); // wire/transport 10
        if (received.Length < length)
            return HandshakeStep.NeedMore;
        consumed = length; // the value does not matter: nothing is encrypted with it
        return HandshakeStep.Done;
    }

    private ChannelInfo Agree(ConnectRequest request)
    {
        int longest = Math.Clamp(options.PingTimeoutSeconds, 1, byte.MaxValue);
        int shortest = Math.Clamp(options.MinPingTimeoutSeconds, 1, longest);
        // wire/transport 1.6
        bool theirsIsLower = (request.MajorVersion, request.MinorVersion).CompareTo((options.MajorVersion, options.MinorVersion)) < 0;
        return new ChannelInfo
        {
            ConnectionVersion = request.Version,
            MaxMessageBytes = Math.Clamp(options.MaxFragmentSize, HandshakeLayout.MinMaxMessageBytes, ushort.MaxValue),
            PingTimeoutSeconds = Math.Clamp(request.PingTimeoutSeconds, shortest, longest), // wire/transport 1.6
            SendsPings = true,
            ReceivesPings = true,
            CompressionType = ChooseCompression(request),
            CompressionLevel = options.CompressionType == CompressionType.None ? 0 : options.CompressionLevel,
            ProtocolType = request.ProtocolType,
            MajorVersion = theirsIsLower ? request.MajorVersion : options.MajorVersion,
            MinorVersion = theirsIsLower ? request.MinorVersion : options.MinorVersion,
            ComponentVersion = request.ComponentVersion,
            IsServer = true,
        };
    }

    private CompressionType ChooseCompression(ConnectRequest request) // wire/transport 1.6
    {
        if ((request.CompressionBitmap & ConnectRequest.BitOf(options.CompressionType)) != 0)
            return options.CompressionType;
        if (!options.ForceCompression || options.CompressionType == CompressionType.None)
            return CompressionType.None;

        // before version 13 a client that offered nothing supports zlib only
        return request.Version < ConnectionVersions.WithComponent && request.CompressionBitmap == 0
            ? CompressionType.Zlib : options.CompressionType;
    }
}
