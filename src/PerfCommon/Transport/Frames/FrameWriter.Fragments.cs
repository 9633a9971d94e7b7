using System.Buffers.Binary;

namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    private byte[] _large = [];
    private int _largeBytes;
    private int _lastFragmentId;

    private int FramesFor(int bytes)
    {
        if (bytes <= _maxBody)
            return 1;
        int next = PieceAfter(FrameLayout.FragmentHeaderBytes(isFirst: false, _fragmentIdBytes));
        return 1 + (bytes - PieceAfter(FrameLayout.FragmentHeaderBytes(isFirst: true, _fragmentIdBytes)) + next - 1) / next;
    }

    /// <summary>Returns the bytes of a message that fit into a fragment after its header.</summary>
    // wire/transport 5.4
    private int PieceAfter(int headerBytes) => _compressor?.SafePiece(_maxFrame - headerBytes) ?? _maxFrame - headerBytes;

    private Span<byte> OpenLarge(int maxBytes)
    {
        _large = _pool.Rent(maxBytes);
        _largeBytes = maxBytes;
        _opened = LargeOpen;
        return _large.AsSpan(0, maxBytes);
    }

    private void ReturnLarge()
    {
        _pool.Return(_large);
        _large = [];
    }

    /// <summary>Queues a message for which more than one frame was reserved; fragments it only when it is longer than M.</summary>
    private void EndLarge(int bytes)
    {
        _opened = NothingOpen;
        if (bytes <= _maxBody)
        {
            _current.Reserve(FrameLayout.HeaderBytes + bytes);
            _large.AsSpan(0, bytes).CopyTo(_current.Array.AsSpan(_current.End + FrameLayout.HeaderBytes));
            int frameBytes = CompressInPlace(_current, FrameLayout.HeaderBytes, bytes, FrameLayout.DataFlag);
            Commit(_current, frameBytes, messages: 1);
        }
        else
        {
            AddFragments(_large.AsSpan(0, bytes));
        }

        _messagesWritten++;
        ReturnLarge();
    }

    private void AddFragments(ReadOnlySpan<byte> message)
    {
        int largestId = _fragmentIdBytes == 2 ? ushort.MaxValue : byte.MaxValue;
        _lastFragmentId = _lastFragmentId == largestId ? 1 : _lastFragmentId + 1; // wire/transport 4

        ReadOnlySpan<byte> rest = message;
        while (rest.Length > 0)
        {
            bool isFirst = rest.Length == message.Length;
            int headerBytes = FrameLayout.FragmentHeaderBytes(isFirst, _fragmentIdBytes);
            int piece = Math.Min(rest.Length, PieceAfter(headerBytes));
            _current.Reserve(headerBytes + piece);
            WriteExtendedHeader(_current.Array.AsSpan(_current.End), isFirst ? message.Length : 0);
            rest[..piece].CopyTo(_current.Array.AsSpan(_current.End + headerBytes));
            rest = rest[piece..];
            int frameBytes = CompressInPlace(_current, headerBytes, piece, FrameLayout.DataFlag | FrameLayout.ExtendedFlag);
            Commit(_current, frameBytes, messages: rest.Length == 0 ? 1 : 0);
        }
    }

    private void WriteExtendedHeader(Span<byte> frame, int totalBytes) // wire/transport 4
    {
        frame[3] = totalBytes > 0 ? FrameLayout.FirstFragment : FrameLayout.ContinuationFragment;
        Span<byte> rest = frame[4..];
        if (totalBytes > 0)
        {
            BinaryPrimitives.WriteUInt32BigEndian(rest, (uint)totalBytes);
            rest = rest[4..];
        }

        if (_fragmentIdBytes == 2)
            BinaryPrimitives.WriteUInt16BigEndian(rest, (ushort)_lastFragmentId);
        else
            rest[0] = (byte)_lastFragmentId;
    }
}
