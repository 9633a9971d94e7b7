using System.Buffers.Binary;

namespace PerfCommon.Transport.WebSockets;

internal sealed partial class JsonFraming
{
    private const int FirstFragmentHeader = 10; // wire/transport 4
    private const int ContinuationHeader = 6; // wire/transport 4
    private const byte FirstFragmentKind = 0x08; // wire/transport 4
    private const byte ContinuationKind = 0x04; // wire/transport 4

    private readonly Dictionary<ushort, (byte[] Text, int Bytes)> _fragments = [];
    private readonly ByteQueue _text;
    private int _handshakeMessagesLeft;
    private bool _requestSeen;

    /// <summary>Handles one RSSL frame (or handshake message) of the channel.</summary>
    /// <param name="frame">The complete frame.</param>
    /// <param name="text">The text message that the frame completes; valid until the next call.</param>
    /// <returns>False when there is none (yet).</returns>
    public bool TryJoin(ReadOnlySpan<byte> frame, out ReadOnlySpan<byte> text)
    {
        text = default;
        if (!_isServer && !_requestSeen)
        {
            PretendAck(frame);
            return false;
        }

        if (_handshakeMessagesLeft > 0)
        {
            _handshakeMessagesLeft--;
            return false;
        }

        _text.Clear();
        if (frame.Length == FrameLayout.HeaderBytes)
            _text.Add(Ping);
        else if ((frame[2] & FrameLayout.ExtendedFlag) != 0)
            return TryJoinFragment(frame, out text);
        else if ((frame[2] & FrameLayout.PackedFlag) != 0)
            AddPacked(frame[FrameLayout.HeaderBytes..]);
        else
            AddArray(frame[FrameLayout.HeaderBytes..]);
        text = _text.Bytes;
        return true;
    }

    /// <summary>Returns the payload of a text message's frames.</summary>
    public ReadOnlySpan<byte> ToPayload(ReadOnlySpan<byte> text) => _deflate is null ? text : _deflate.Deflate(text, _startsAfresh);

    private void AddPacked(ReadOnlySpan<byte> messages) // wire/transport 9.3
    {
        ReadOnlySpan<byte> before = "["u8;
        while (messages.Length >= sizeof(ushort))
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(messages);
            _text.Add(before);
            _text.Add(messages.Slice(sizeof(ushort), length));
            messages = messages[(sizeof(ushort) + length)..];
            before = ","u8;
        }

        _text.Add("]"u8);
    }

    private void AddArray(ReadOnlySpan<byte> message) // wire/transport 9.3
    {
        _text.Add("["u8);
        _text.Add(message);
        _text.Add("]"u8);
    }

    private bool TryJoinFragment(ReadOnlySpan<byte> frame, out ReadOnlySpan<byte> text)
    {
        text = default;
        bool isFirst = (frame[3] & FirstFragmentKind) != 0;
        int headerBytes = isFirst ? FirstFragmentHeader : ContinuationHeader;
        ushort id = BinaryPrimitives.ReadUInt16BigEndian(frame[(headerBytes - 2)..]);
        (byte[] whole, int bytes) = isFirst ? (new byte[BinaryPrimitives.ReadUInt32BigEndian(frame[4..])], 0) : _fragments[id];
        frame[headerBytes..].CopyTo(whole.AsSpan(bytes));
        bytes += frame.Length - headerBytes;
        if (bytes < whole.Length)
        {
            _fragments[id] = (whole, bytes);
            return false;
        }

        _fragments.Remove(id);
        AddArray(whole);
        text = _text.Bytes;
        return true;
    }
}
