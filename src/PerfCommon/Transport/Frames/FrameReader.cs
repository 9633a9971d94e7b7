using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>Reads whole messages from the received bytes of a connection, in place where they are contiguous.</summary>
/// <remarks>
/// Usage: put bytes into <see cref="Room"/>, pass their number to <see cref="Advance"/>, then call <see cref="TryReadMessage"/> until it returns
/// false. No input makes it throw; bytes that break the protocol set <see cref="Problem"/>, and no further message is returned.
/// </remarks>
internal sealed partial class FrameReader(ChannelInfo info, ChannelOptions options, BufferPool pool, FrameCompressor? compressor)
    : IDisposable
{
    private const int MinArrayBytes = 64 * 1024;
    private const int MaxArrayBytes = 16 * 1024 * 1024;

    private readonly BufferPool _pool = pool;
    private readonly int _largestFrame = FrameLayout.LargestFrame(info.MaxMessageBytes);
    private readonly int _arrayBytes = (int)Math.Clamp(
        (long)options.InputBuffers * FrameLayout.LargestFrame(info.MaxMessageBytes), MinArrayBytes, MaxArrayBytes);

    private byte[] _array = [];
    private int _at;
    private int _end;
    private int _packEnd; // end of the open packed body; 0 when none is open
    private int _packAt;
    private byte[] _packArray = [];
    private long _messagesRead;
    private long _bytesRead;

    /// <summary>The protocol error in the bytes; null while there is none.</summary>
    public CloseReason? Problem { get; private set; }

    public long MessagesRead => Volatile.Read(ref _messagesRead);

    public long BytesRead => Volatile.Read(ref _bytesRead);

    public long Pings { get; private set; }

    /// <summary>True when bytes of an incomplete frame or message are held.</summary>
    public bool IsInsideMessage => _at < _end || _fragments.Count > 0;

    /// <summary>True when every received byte is processed.</summary>
    public bool IsDrained => _at == _end && _packEnd == 0;

    /// <summary>Returns a buffer for received bytes, never empty; moves the unprocessed bytes to the front when it must.</summary>
    public Span<byte> Room()
    {
        int left = _end - _at;
        if (_array.Length == 0)
        {
            _array = _pool.Rent(_arrayBytes);
        }
        else if (left == 0)
        {
            _at = _end = 0;
        }
        else if (_at > _array.Length / 2 || _end == _array.Length)
        {
            _array.AsSpan(_at, left).CopyTo(_array);
            (_at, _end) = (0, left);
        }

        return _array.AsSpan(_end);
    }

    public void Advance(int count)
    {
        _end += count;
        _bytesRead += count;
    }

    /// <summary>Reads the next whole message.</summary>
    /// <returns>False when more bytes are needed, or <see cref="Problem"/> is set.</returns>
    public bool TryReadMessage(out ReadOnlySpan<byte> message)
    {
        if (_packEnd != 0)
            return TryReadPacked(out message) || TryReadOther(out message);

        int at = _at;
        ReadOnlySpan<byte> rest = _array.AsSpan(at, _end - at);
        if (rest.Length > FrameLayout.HeaderBytes && rest[2] == FrameLayout.DataFlag) // wire/transport 2.1
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(rest);
            if (length <= rest.Length && length > FrameLayout.HeaderBytes && length <= _largestFrame)
            {
                message = rest[FrameLayout.HeaderBytes..length];
                _at = at + length;
                _messagesRead++;
                return true;
            }
        }

        return TryReadOther(out message);
    }

    /// <summary>Returns the plain messages that are held, from the next one on; none when another kind of frame is next.</summary>
    public void BeginBatch(out ReceiveBatch run) => run = _packEnd != 0
        ? new ReceiveBatch(_packArray.AsSpan(_packAt, _packEnd - _packAt), maxFrameBytes: 0)
        : new ReceiveBatch(_array.AsSpan(_at, _end - _at), _largestFrame);

    /// <summary>Skips the messages that were read from a batch; nothing may have been received or released meanwhile.</summary>
    public void EndBatch(in ReceiveBatch run)
    {
        _messagesRead += run.Messages;
        if (_packEnd == 0)
            _at += run.Bytes;
        else if ((_packAt += run.Bytes) == _packEnd)
            _packEnd = 0;
    }

    /// <summary>Returns the array to the pool when no byte is held; spans from it become invalid.</summary>
    public void ReleaseWhenEmpty()
    {
        _fragments.ReleaseDelivered();
        if (_at != _end || _packEnd != 0)
            return;
        _pool.Return(_array);
        _array = [];
        _packArray = [];
        (_at, _end) = (0, 0);
    }

    public void Dispose()
    {
        (_at, _end, _packEnd) = (0, 0, 0);
        ReleaseWhenEmpty();
        ReleaseInflated();
        _fragments.Clear();
    }

    private bool TryReadPacked(out ReadOnlySpan<byte> message)
    {
        // wire/transport 3
        int at = _packAt;
        ReadOnlySpan<byte> rest = _packArray.AsSpan(at, _packEnd - at);
        if (rest.Length > FrameLayout.PackedLengthBytes)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(rest);
            int end = FrameLayout.PackedLengthBytes + length;
            if (length > 0 && end <= rest.Length)
            {
                message = rest[FrameLayout.PackedLengthBytes..end];
                _packAt = at + end;
                if (end == rest.Length)
                    _packEnd = 0;
                _messagesRead++;
                return true;
            }
        }

        message = default;
        EndPack(rest);
        return false;
    }

    /// <summary>Closes the pack where no message follows: at its end, at a zero length, or at an error.</summary>
    private void EndPack(ReadOnlySpan<byte> rest)
    {
        _packEnd = 0;
        if (rest.Length == 1)
            Fail("a stray byte follows the last packed message"); // wire/transport 10
        else if (rest.Length > 1 && BinaryPrimitives.ReadUInt16BigEndian(rest) is ushort length and > 0)
            Fail($"a packed message of {length} bytes reaches beyond its frame"); // wire/transport 10
    }

    private void OpenPack(byte[] array, int at, int length) => (_packArray, _packAt, _packEnd) = (array, at, at + length);

    private bool Fail(string text, CloseKind kind = CloseKind.ProtocolError) => Fail(new CloseReason(kind, text));

    /// <returns>False always.</returns>
    private bool Fail(CloseReason problem)
    {
        Problem ??= problem;
        (_end, _packEnd) = (_at, 0); // no byte after it may be processed any more
        return false;
    }
}
