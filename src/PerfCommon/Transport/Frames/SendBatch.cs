using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Transport;

/// <summary>Buffer for a batch of messages: between its beginning and its end nothing else of the channel is used.</summary>
/// <remarks>
/// Encode into <see cref="Room"/>, pass the message's length to <see cref="End"/>, continue while <see cref="HasRoom"/>, then complete the
/// batch. Small enough to stay in registers: keep it in a local variable.
/// </remarks>
/// <param name="room">Buffer for heads and messages.</param>
/// <param name="maxBytes">Maximum bytes of one message.</param>
/// <param name="maxMessages">Maximum messages.</param>
/// <param name="headBytes">3 for frames, 2 for the messages of a pack, 0 for one message whose head the channel writes itself.</param>
internal ref struct SendBatch(Span<byte> room, int maxBytes, int maxMessages, int headBytes)
{
    private const int BytesCopiedHere = 1_024;

    private readonly Span<byte> _room = room;
    private readonly int _maxBytes = maxBytes;
    private readonly int _headBytes = headBytes;
    private int _at; // offset of the next message's head
    private int _lastAt; // offset of the last message's head
    private int _left = maxMessages;

    /// <summary>True while another message of full length fits.</summary>
    public readonly bool HasRoom => _left > 0 && _room.Length - _at >= _headBytes + _maxBytes;

    /// <summary>Buffer for the next message; at least the requested bytes.</summary>
    public readonly Span<byte> Room => _room[(_at + _headBytes)..];

    public int Messages { readonly get; private set; }

    /// <summary>Bytes added, heads included.</summary>
    public readonly int Bytes => _at;

    /// <summary>Bytes before the last message and its head.</summary>
    public readonly int BytesBeforeLast => _lastAt;

    /// <summary>The messages added, heads included.</summary>
    public readonly EncodedBatch Made => new(_room[.._at], Messages, _lastAt, _headBytes);

    /// <summary>True when the channel writes the head of its one message.</summary>
    public readonly bool IsSingle => _headBytes == 0;

    /// <summary>Adds the message that was encoded into the buffer.</summary>
    /// <param name="bytes">Its length, 1 to the requested size.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void End(int bytes)
    {
        if ((uint)(bytes - 1) >= (uint)_maxBytes || _left <= 0)
            ThrowWrongLength(bytes);
        Span<byte> head = _room[_at..];
        if (_headBytes == FrameLayout.HeaderBytes)
        {
            // wire/transport 2.1
            head[2] = FrameLayout.DataFlag;
            BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)(bytes + FrameLayout.HeaderBytes));
        }
        else if (_headBytes == FrameLayout.PackedLengthBytes)
        {
            BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)bytes); // wire/transport 3
        }

        _lastAt = _at;
        _at += _headBytes + bytes;
        _left--;
        Messages++;
    }

    /// <summary>Adds the messages of another batch, if it has the same heads and all of them fit.</summary>
    /// <param name="made">Its messages, heads included, unchanged.</param>
    public bool TryAdd(in EncodedBatch made)
    {
        if (made.HeadBytes != _headBytes || IsSingle || made.Messages > _left || made.Bytes.Length > _room.Length - _at)
            return false;
        Copy(made.Bytes, _room[_at..]);
        _lastAt = _at + made.BytesBeforeLast;
        _at += made.Bytes.Length;
        _left -= made.Messages;
        Messages += made.Messages;
        return true;
    }

    // Larger copies are made by a call out of managed code, which costs as much as the copying.
    private static void Copy(ReadOnlySpan<byte> from, Span<byte> to)
    {
        for (; from.Length > BytesCopiedHere; from = from[BytesCopiedHere..], to = to[BytesCopiedHere..])
            from[..BytesCopiedHere].CopyTo(to);
        from.CopyTo(to);
    }

    private static void ThrowWrongLength(int bytes) =>
        throw new ArgumentOutOfRangeException(nameof(bytes), bytes,
            "A message of a batch must have 1 byte to the requested size, and room.");
}

/// <summary>Encoded messages of a batch, contiguous.</summary>
/// <param name="bytes">The messages, heads included.</param>
/// <param name="messages">Number of messages.</param>
/// <param name="bytesBeforeLast">Bytes before the last message and its head.</param>
/// <param name="headBytes">Bytes of each head.</param>
internal readonly ref struct EncodedBatch(ReadOnlySpan<byte> bytes, int messages, int bytesBeforeLast, int headBytes)
{
    /// <summary>The messages, heads included.</summary>
    public ReadOnlySpan<byte> Bytes { get; } = bytes;

    /// <summary>Number of messages.</summary>
    public int Messages { get; } = messages;

    /// <summary>Bytes before the last message and its head.</summary>
    public int BytesBeforeLast { get; } = bytesBeforeLast;

    /// <summary>Bytes of each head.</summary>
    public int HeadBytes { get; } = headBytes;
}

/// <summary>Reads the plain messages that are complete in the received bytes, one after the other, or those of an open pack.</summary>
/// <remarks>
/// Stops before any other frame (a ping, a fragment, a compressed, incomplete or damaged frame), which <see cref="RsslChannel.TryRead"/>
/// processes. Nothing else of the channel is used before the batch is completed. Keep it in a local variable.
/// </remarks>
/// <param name="held">The bytes from the first frame, or from the first message of the pack.</param>
/// <param name="maxFrameBytes">Largest frame that is accepted; 0 within a pack.</param>
internal ref struct ReceiveBatch(ReadOnlySpan<byte> held, int maxFrameBytes)
{
    private readonly ReadOnlySpan<byte> _held = held;
    private readonly int _maxFrameBytes = maxFrameBytes;
    private int _at;

    public int Messages { readonly get; private set; }

    /// <summary>Bytes read, heads included.</summary>
    public readonly int Bytes => _at;

    /// <summary>Reads the next message; false at the end of the batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead(out ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> rest = _held[_at..];
        if (rest.Length > FrameLayout.HeaderBytes)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(rest);
            bool isPacked = _maxFrameBytes == 0;
            int head = isPacked ? FrameLayout.PackedLengthBytes : FrameLayout.HeaderBytes;
            int end = isPacked ? length + FrameLayout.PackedLengthBytes : length;
            bool isPlain = isPacked || (rest[2] == FrameLayout.DataFlag && length <= _maxFrameBytes); // wire/transport 2.1
            if (isPlain && end > head && end <= rest.Length)
            {
                message = rest[head..end];
                _at += end;
                Messages++;
                return true;
            }
        }

        message = default;
        return false;
    }
}
