namespace PerfCommon.Transport.WebSockets;

/// <summary>Converts between a JSON WebSocket and the RSSL frames of the channel above it.</summary>
/// <remarks>
/// JSON has no RSSL handshake and no frames: the handshake is answered here, and a JSON message becomes a plain or fragmented
/// frame. In the other direction a message is enclosed in brackets, packed ones become one array, and a ping becomes the text of a ping.
/// </remarks>
internal sealed partial class JsonFraming : IDisposable
{
    /// <summary>Maximum bytes of a client's WebSocket frame.</summary>
    public const int ClientMaxMessageBytes = 61440; // wire/transport 9.3

    private readonly int _longestMessage;
    private readonly bool _isServer;
    private readonly MessageDeflate? _deflate;
    private readonly bool _startsAfresh;
    private readonly ByteQueue _out; // RSSL bytes for the channel

    /// <param name="options">Largest message, ping timeout.</param>
    /// <param name="pool">Lends the arrays while they hold bytes.</param>
    /// <param name="terms">The terms of permessage-deflate that were negotiated.</param>
    public JsonFraming(ChannelOptions options, BufferPool pool, DeflateTerms terms)
    {
        (_out, _message, _text) = (new(pool), new(pool), new(pool));
        _longestMessage = options.MaxReassembledBytes;
        _isServer = options is ListenOptions;
        // wire/transport 1.6
        MaxMessageBytes = options is ListenOptions server ? Math.Clamp(server.MaxFragmentSize, 20, ushort.MaxValue) : ClientMaxMessageBytes;
        (_deflate, _startsAfresh) = (terms.IsUsed ? new MessageDeflate() : null, terms.StartsAfresh);
        if (_isServer)
            PretendRequest(options);
    }

    /// <summary>The ping, as text.</summary>
    public static ReadOnlySpan<byte> Ping => "[{\"Type\":\"Ping\"}]"u8; // wire/transport 9.3

    /// <summary>The answer to the ping.</summary>
    public static ReadOnlySpan<byte> Pong => "[{\"Type\":\"Pong\"}]"u8; // wire/transport 9.3

    /// <summary>True when messages are deflated.</summary>
    public bool Deflates => _deflate is not null;

    /// <summary>M as the channel sees it; longer messages are sent in WebSocket fragments.</summary>
    public int MaxMessageBytes { get; }

    /// <summary>Returns RSSL bytes to the channel.</summary>
    public int Dequeue(Span<byte> room) => _out.Dequeue(room);

    /// <summary>Bytes of the arrays in use.</summary>
    public int HeldBytes => _out.HeldBytes + _message.HeldBytes + _text.HeldBytes;

    /// <summary>Returns arrays that are empty, or hold only processed bytes; between two messages.</summary>
    public void Release()
    {
        _message.Clear();
        _message.Release();
        _text.Clear();
        _text.Release();
        _out.Release();
    }

    public void Dispose()
    {
        _deflate?.Dispose();
        _message.Discard();
        _text.Discard();
        _out.Discard();
    }

    // Our own server code answers a simulated client request; the key message avoids the pause that follows an ack without one.
    private void PretendRequest(ChannelOptions options) // wire/transport 9.3
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
        _out.Commit(request.Write(_out.Room(HandshakeLayout.BufferBytes)));
        _out.Add([0, ServerKey.EmptyClientKeyBytes, ConnectRequest.KeyExchangeFlag, 0]);
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
        _out.Commit(ack.Write(_out.Room(HandshakeLayout.BufferBytes)));
        _handshakeMessagesLeft = request.WantsKey ? 1 : 0; // the client's key
        _requestSeen = true;
    }
}
