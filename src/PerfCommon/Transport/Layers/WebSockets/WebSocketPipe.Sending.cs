using System.Buffers.Binary;

namespace PerfCommon.Transport.WebSockets;

internal sealed partial class WebSocketPipe
{
    private const int MostChunkBytes = ChannelOptions.BytesAtOnce;
    // wire/transport 9.3
    private const int MostWaitingPongBytes = 16 * 1024; // a peer that pings and does not read receives no more answers
    private const ushort ClientCloseCode = 1000; // wire/transport 9.3
    private const ushort ServerCloseCode = 1001; // wire/transport 9.3

    private readonly WebSocketMask _mask = new();
    private long _addedBytes;

    public override long AddedBytes => Volatile.Read(ref _addedBytes);

    protected override PipeStatus SendEncoded()
    {
        PipeStatus status = base.SendEncoded();
        Unsent.Release();
        return status;
    }

    protected override void EncodeEnd()
    {
        ReadOnlySpan<byte> reason = _isServer ? "Going Away"u8 : "Normal Closure"u8; // wire/transport 9.3
        Span<byte> payload = stackalloc byte[2 + reason.Length];
        BinaryPrimitives.WriteUInt16BigEndian(payload, _isServer ? ServerCloseCode : ClientCloseCode);
        reason.CopyTo(payload[2..]);
        AddFrame(WebSocketOpcode.Close, true, false, payload);
    }

    /// <summary>Encodes whole RSSL frames, up to a chunk.</summary>
    protected override int Encode(ReadOnlySpan<byte> frames)
    {
        int encoded = 0;
        while (encoded < frames.Length && encoded < MostChunkBytes)
        {
            ReadOnlySpan<byte> rest = frames[encoded..];
            int frameBytes = FrameBytesIn(rest);
            int before = Unsent.Count;
            if (_json is null)
                // wire/transport 9.3
                AddFrame(WebSocketOpcode.Binary, true, false, rest[..frameBytes]);
            else if (_json.TryJoin(rest[..frameBytes], out ReadOnlySpan<byte> text))
                AddMessage(text, _json);
            if (frameBytes > FrameLayout.HeaderBytes) // a ping is no message
                _addedBytes += Unsent.Count - before - frameBytes;
            AddPart(frameBytes, Unsent.Count - before);
            encoded += frameBytes;
        }

        return encoded;
    }

    private static int FrameBytesIn(ReadOnlySpan<byte> frames) => Math.Min(BinaryPrimitives.ReadUInt16BigEndian(frames), frames.Length);

    /// <summary>Adds a text message, deflated when negotiated, in fragments when it exceeds the negotiated maximum.</summary>
    private void AddMessage(ReadOnlySpan<byte> text, JsonFraming json) // wire/transport 9.3
    {
        ReadOnlySpan<byte> payload = json.ToPayload(text);
        WebSocketOpcode opcode = WebSocketOpcode.Text;
        while (true)
        {
            int piece = Math.Min(payload.Length, json.MaxMessageBytes);
            AddFrame(opcode, piece == payload.Length, json.Deflates && opcode == WebSocketOpcode.Text, payload[..piece]);
            if (piece == payload.Length)
                return;
            payload = payload[piece..];
            opcode = WebSocketOpcode.Continuation;
        }
    }

    private void AddFrame(WebSocketOpcode opcode, bool isFinal, bool isCompressed, ReadOnlySpan<byte> payload)
    {
        uint key = _isServer ? 0 : _mask.NextKey(); // wire/transport 9.3
        Span<byte> room = Unsent.Room(WebSocketFrameHeader.LongestBytes + payload.Length);
        int headerBytes = new WebSocketFrameHeader(opcode, isFinal, isCompressed, false, !_isServer, key, payload.Length).Write(room);
        WebSocketMask.Apply(payload, room[headerBytes..], key);
        Unsent.Commit(headerBytes + payload.Length);
    }
}
