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

    /// <summary>The frames; empty while nothing waits.</summary>
    public byte[] Array = [];

    /// <summary>Offset behind the last frame.</summary>
    public int End;

    /// <summary>Offset of the first byte not sent.</summary>
    public int SendAt { get; private set; }

    /// <summary>Frames that are not wholly sent.</summary>
    public int Frames;

    public int Bytes => End - SendAt;

    /// <summary>True when the first frame is partly sent.</summary>
    public bool HeadIsCut => SendAt > _headAt;

    public ReadOnlySpan<byte> Unsent => Array.AsSpan(SendAt, End - SendAt);

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
        (SendAt, End, _headAt) = (SendAt - _headAt, held, 0);
    }

    /// <summary>Adds the frame that stands at the end and holds another number of messages than one.</summary>
    public void CommitSpecial(int bytes, int messages)
    {
        _exceptions.Enqueue((_headFrame + Frames, messages));
        End += bytes;
        Frames++;
    }

    /// <summary>Adds a copy of a frame, or of what is left of one.</summary>
    /// <param name="frame">The whole frame.</param>
    /// <param name="alreadySent">Bytes of it that have left.</param>
    /// <param name="messages">Messages that are complete with it.</param>
    public void Append(ReadOnlySpan<byte> frame, int alreadySent, int messages)
    {
        Reserve(frame.Length);
        frame.CopyTo(Array.AsSpan(End));
        if (Frames == 0)
            SendAt = End + alreadySent;
        CommitSpecial(frame.Length, messages);
    }

    /// <summary>Takes the first frame out to be sent through another queue.</summary>
    public ReadOnlySpan<byte> TakeFrame(out int alreadySent, out int messages)
    {
        int at = _headAt;
        int length = BinaryPrimitives.ReadUInt16BigEndian(Array.AsSpan(at));
        alreadySent = SendAt - at;
        SendAt = at + length;
        messages = PassHead(length);
        return Array.AsSpan(at, length);
    }

    /// <summary>Notes that the socket took the next bytes.</summary>
    /// <param name="bytes">How many.</param>
    /// <returns>Messages whose last byte is among them.</returns>
    public long MarkSent(int bytes)
    {
        long messages = 0;
        SendAt += bytes;
        if (SendAt == End && _exceptions.Count == 0)
        {
            (messages, _headFrame, _headAt, Frames) = (Frames, _headFrame + Frames, End, 0);
            return messages;
        }
        while (_headAt < SendAt)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(Array.AsSpan(_headAt));
            if (_headAt + length > SendAt)
                break;
            messages += PassHead(length);
        }
        return messages;
    }

    /// <summary>Gives the array back; nothing may wait any more.</summary>
    public void Release()
    {
        pool.Return(Array);
        Array = [];
        (End, SendAt, _headAt, Frames) = (0, 0, 0, 0);
        _exceptions.Clear();
    }

    private int PassHead(int length)
    {
        int messages = _exceptions.TryPeek(out (long Frame, int Messages) exception) && exception.Frame == _headFrame
            ? _exceptions.Dequeue().Messages
            : 1;
        _headAt += length;
        _headFrame++;
        Frames--;
        return messages;
    }
}
