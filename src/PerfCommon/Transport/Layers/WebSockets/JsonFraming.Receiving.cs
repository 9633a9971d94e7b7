using System.Buffers.Binary;

namespace PerfCommon.Transport.WebSockets;

internal sealed partial class JsonFraming
{
    private readonly ByteQueue _message;
    private bool _messageIsDeflated;
    private ushort _nextId = 1;

    /// <summary>Begins a text message.</summary>
    public void BeginReceived(bool isDeflated)
    {
        _message.Clear();
        _messageIsDeflated = isDeflated;
    }

    /// <summary>Adds payload, unmasking it; false when the message becomes too long.</summary>
    public bool TryAddReceived(ReadOnlySpan<byte> payload, ref uint maskKey)
    {
        if (payload.Length > _longestMessage - _message.Count) // wire/transport 9.3
            return false;
        maskKey = WebSocketMask.Apply(payload, _message.Room(payload.Length), maskKey);
        _message.Commit(payload.Length);
        return true;
    }

    /// <summary>Completes the text message and queues it for the channel.</summary>
    /// <param name="isPing">True when a pong is due.</param>
    /// <returns>False when it does not inflate within the limit.</returns>
    public bool TryEndReceived(out bool isPing)
    {
        isPing = false;
        ReadOnlySpan<byte> text = _message.Bytes;
        if (_messageIsDeflated && !_deflate!.TryInflate(text, _longestMessage, out text))
            return false;
        if (text.IsEmpty)
            return true;
        isPing = text.SequenceEqual(Ping); // wire/transport 9.3
        if (isPing || text.SequenceEqual(Pong))
            AddFrame(FrameLayout.DataFlag, []);
        else if (text.Length <= Math.Min(MaxMessageBytes, FrameLayout.LargestBody(MaxMessageBytes)))
            AddFrame(FrameLayout.DataFlag, text);
        else
            AddFragments(text);
        return true;
    }

    private void AddFrame(byte flags, ReadOnlySpan<byte> body)
    {
        Span<byte> room = _out.Room(FrameLayout.HeaderBytes + body.Length);
        BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)(FrameLayout.HeaderBytes + body.Length));
        room[2] = flags;
        body.CopyTo(room[FrameLayout.HeaderBytes..]);
        _out.Commit(room.Length);
    }

    private void AddFragments(ReadOnlySpan<byte> text)
    {
        int longestFrame = FrameLayout.LargestBody(MaxMessageBytes) + FrameLayout.HeaderBytes;
        ushort id = _nextId;
        _nextId = (ushort)(id == ushort.MaxValue ? 1 : id + 1);
        for (int at = 0; at < text.Length;)
        {
            // wire/transport 4
            int headerBytes = at == 0 ? FirstFragmentHeader : ContinuationHeader;
            int piece = Math.Min(text.Length - at, longestFrame - headerBytes);
            Span<byte> room = _out.Room(headerBytes + piece);
            BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)(headerBytes + piece));
            room[2] = FrameLayout.DataFlag | FrameLayout.ExtendedFlag;
            room[3] = at == 0 ? FirstFragmentKind : ContinuationKind;
            if (at == 0)
                BinaryPrimitives.WriteUInt32BigEndian(room[4..], (uint)text.Length);
            BinaryPrimitives.WriteUInt16BigEndian(room[(headerBytes - 2)..], id);
            text.Slice(at, piece).CopyTo(room[headerBytes..]);
            _out.Commit(room.Length);
            at += piece;
        }
    }
}
