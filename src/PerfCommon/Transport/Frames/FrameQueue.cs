using System.Buffers.Binary;

namespace PerfCommon.Transport;

/// <summary>Whole frames that wait for the socket, back to back in one array, first in first out.</summary>
/// <remarks>Most frames hold one message; only the others have an entry in the list of exceptions, so that a plain write stores nothing but its bytes.</remarks>
internal sealed class FrameQueue(BufferPool pool)
{
    private const int StartBytes = 128 * 1024;

    private readonly Queue<(long Frame, int Messages)> _exceptions = new();
    private long _headFrame;
    private int _headAt; // the first frame that is not wholly sent
    private int _sendAt; // the first byte not sent

    /// <summary>The frames; empty while nothing waits.</summary>
    public byte[] Array = [];

    /// <summary>Offset behind the last frame.</summary>
    public int End;

    /// <summary>Frames that are not wholly sent.</summary>
    public int Frames;

    public ReadOnlySpan<byte> Unsent => Array.AsSpan(_sendAt, End - _sendAt);

    /// <summary>Makes room behind the last frame, moving or growing what is there.</summary>
    /// <param name="bytes">Bytes that must fit behind the last frame.</param>
    /// <param name="openBytes">Bytes already standing there that must move along.</param>
    public void Reserve(int bytes, int openBytes = 0)
    {
        if (Array.Length - End >= bytes)
            return;
        int held = End - _headAt;
        ReadOnlySpan<byte> kept = Array.AsSpan(_headAt, held + openBytes);
        if (_headAt >= Array.Length / 2 && Array.Length - held >= bytes)
        {
            kept.CopyTo(Array);
        }
        else
        {
            byte[] larger = pool.Rent(Math.Max(StartBytes, Math.Max(held + bytes, held * 2)));
            kept.CopyTo(larger);
            pool.Return(Array);
            Array = larger;
        }
        (_sendAt, End, _headAt) = (_sendAt - _headAt, held, 0);
    }

    /// <summary>Adds the frame that stands at the end, with the messages that are complete with it.</summary>
    public void Commit(int bytes, int messages)
    {
        if (messages != 1)
            _exceptions.Enqueue((_headFrame + Frames, messages));
        End += bytes;
        Frames++;
    }

    /// <summary>Notes that the socket took the next bytes.</summary>
    /// <returns>Messages whose last byte is among them.</returns>
    public long MarkSent(int bytes)
    {
        long messages = 0;
        _sendAt += bytes;
        if (_sendAt == End && _exceptions.Count == 0)
        {
            (messages, _headFrame, _headAt, Frames) = (Frames, _headFrame + Frames, End, 0);
            return messages;
        }
        while (_headAt < _sendAt)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(Array.AsSpan(_headAt));
            if (_headAt + length > _sendAt)
                break;
            bool isException = _exceptions.TryPeek(out (long Frame, int Messages) exception) && exception.Frame == _headFrame;
            messages += isException ? _exceptions.Dequeue().Messages : 1;
            _headAt += length;
            _headFrame++;
            Frames--;
        }
        return messages;
    }

    /// <summary>Gives the array back; nothing may wait any more.</summary>
    public void Release()
    {
        pool.Return(Array);
        Array = [];
        (End, _sendAt, _headAt, Frames) = (0, 0, 0, 0);
        _exceptions.Clear();
    }
}
