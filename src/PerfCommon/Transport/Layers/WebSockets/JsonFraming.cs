namespace PerfCommon.Transport.WebSockets;

/// <summary>Makes a JSON WebSocket look like RSSL to the channel above it.</summary>
/// <remarks>
/// JSON has no RSSL handshake and no frames: the handshake is answered here, and a message in a text message becomes a plain or fragmented
/// frame. The other way a message gets brackets, packed ones become one array, a ping the text of a ping.
/// </remarks>
internal sealed partial class JsonFraming : IDisposable
{
    /// <summary>What a client sends at most in one WebSocket frame.</summary>
    public const int ClientMaxMessageBytes = 61440;

    private readonly int _longestMessage;
    private readonly bool _isServer;
    private readonly MessageDeflate? _deflate;
    private byte[] _out = [];
    private int _outStart;
    private int _outEnd;

    /// <param name="options">Largest message, ping time-out.</param>
    /// <param name="deflates">True when permessage-deflate was agreed.</param>
    public JsonFraming(ChannelOptions options, bool deflates)
    {
        _longestMessage = options.MaxReassembledBytes;
        _isServer = options is ListenOptions;
        MaxMessageBytes = options is ListenOptions server ? Math.Clamp(server.MaxFragmentSize, 20, ushort.MaxValue) : ClientMaxMessageBytes;
        _deflate = deflates ? new MessageDeflate() : null;
        if (_isServer)
            PretendRequest(options);
    }

    /// <summary>The ping, as text.</summary>
    public static ReadOnlySpan<byte> Ping => "[{\"Type\":\"Ping\"}]"u8;

    /// <summary>Its answer.</summary>
    public static ReadOnlySpan<byte> Pong => "[{\"Type\":\"Pong\"}]"u8;

    /// <summary>True when messages are deflated.</summary>
    public bool Deflates => _deflate is not null;

    /// <summary>M as the channel sees it; longer messages travel in WebSocket fragments.</summary>
    public int MaxMessageBytes { get; }

    /// <summary>Hands RSSL bytes to the channel.</summary>
    public int Take(Span<byte> room)
    {
        int count = Math.Min(room.Length, _outEnd - _outStart);
        _out.AsSpan(_outStart, count).CopyTo(room);
        _outStart += count;
        if (_outStart == _outEnd)
            _outStart = _outEnd = 0;
        return count;
    }

    public void Dispose() => _deflate?.Dispose();

    // Our own server code answers the request as if a client had sent it; the key message spares the pause that follows an ack without one.
    private void PretendRequest(ChannelOptions options)
    {
        ConnectRequest request = new()
        {
            Version = ConnectionVersions.Highest,
            WantsKey = true,
            PingTimeoutSeconds = (byte)Math.Clamp(options.PingTimeoutSeconds, 1, byte.MaxValue),
            ProtocolType = RsslProtocol.Json,
            MajorVersion = options.MajorVersion,
            MinorVersion = options.MinorVersion,
        };
        _outEnd += request.Write(Room(Handshake.BufferBytes));
        ReadOnlySpan<byte> noKey = [0, ServerKey.EmptyClientKeyBytes, ConnectRequest.KeyExchangeFlag, 0];
        noKey.CopyTo(Room(noKey.Length));
        _outEnd += noKey.Length;
        _handshakeMessagesLeft = 1; // the ack
    }

    private void PretendAck(ReadOnlySpan<byte> message)
    {
        ConnectRequest? request = ConnectRequest.TryParse(message);
        if (request is null)
            return;
        ConnectAck ack = new()
        {
            Version = request.Version,
            MaxMessageBytes = MaxMessageBytes,
            PingTimeoutSeconds = request.PingTimeoutSeconds,
            MajorVersion = request.MajorVersion,
            MinorVersion = request.MinorVersion,
            Key = request.WantsKey ? ServerKey.Create() : null,
        };
        _outEnd += ack.Write(Room(Handshake.BufferBytes));
        _handshakeMessagesLeft = request.WantsKey ? 1 : 0; // the client's key
        _requestSeen = true;
    }

    private Span<byte> Room(int bytes)
    {
        if (_out.Length - _outEnd < bytes)
            Array.Resize(ref _out, Math.Max(_out.Length * 2, _outEnd + bytes));
        return _out.AsSpan(_outEnd);
    }
}
