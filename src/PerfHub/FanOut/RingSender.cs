namespace PerfHub.FanOut;

/// <summary>The end of a ring at which a thread hands something to a source thread.</summary>
/// <remarks>What finds no room in the ring waits here, in order; the connections that it comes from are not read meanwhile.</remarks>
/// <param name="ring">The ring.</param>
/// <param name="reader">That of the source thread.</param>
internal sealed class RingSender(ByteRing ring, SleepFlag reader)
{
    private readonly Queue<(byte Kind, int Number, byte[] Bytes)> _waiting = new();
    private bool _isCrowded; // when it was looked at last
    private bool _isFinishing;

    /// <summary>True while something waits for room.</summary>
    public bool IsFull => _waiting.Count > 0;

    /// <summary>
    /// True while half of the ring is taken: what publishers send waits then, so that what consumers ask always finds room.
    /// </summary>
    public bool IsCrowded => _isCrowded = ring.IsHalfFull();

    /// <summary>Hands a record over.</summary>
    public void Send(SessionRecord kind, int number, ReadOnlySpan<byte> bytes)
    {
        if (_waiting.Count == 0 && ring.HasRoom())
            ring.Add((byte)kind, number, bytes);
        else
            _waiting.Enqueue(((byte)kind, number, bytes.ToArray()));
    }

    /// <summary>Hands over a record that is a message behind a head.</summary>
    public void Send(SessionRecord kind, int number, ReadOnlySpan<byte> head, ReadOnlySpan<byte> message)
    {
        int bytes = head.Length + message.Length;
        if (_waiting.Count > 0 || bytes > ByteRing.MaxRecordBytes || !ring.HasRoom())
        {
            Send(kind, number, (byte[])[.. head, .. message]);
            return;
        }

        Span<byte> room = ring.Begin(bytes);
        head.CopyTo(room);
        message.CopyTo(room[head.Length..]);
        ring.End((byte)kind, number, bytes);
    }

    /// <summary>Hands over what waits, and wakes the source thread for what was handed over.</summary>
    public void Publish()
    {
        while (_waiting.Count > 0 && ring.HasRoom())
        {
            (byte kind, int number, byte[] bytes) = _waiting.Dequeue();
            ring.Add(kind, number, bytes);
        }

        if (ring.HasUnpublished)
        {
            ring.Publish();
            reader.WakeSleeper();
        }

        if (!_isFinishing || IsFull)
            return;
        _isFinishing = false;
        ring.Finish();
        reader.Wake();
    }

    /// <summary>What is handed over from now on need not be waited for: no publisher sends any more. Publish then.</summary>
    public void Finish() => _isFinishing = true;

    /// <summary>True when there is something to do; else whoever makes room wakes the thread.</summary>
    public bool HasWork()
    {
        if (!IsFull && !_isCrowded)
            return false;
        ring.AwaitRoom();
        if (IsFull)
            return ring.HasRoom();
        _isCrowded = ring.IsHalfFull();
        return !_isCrowded;
    }
}
