namespace PerfHub.FanOut;

/// <summary>The end of a ring at which a thread sends records to a source thread.</summary>
/// <remarks>Records that do not fit into the ring wait here, in order; the connections they come from are not read meanwhile.</remarks>
/// <param name="ring">The ring.</param>
/// <param name="reader">The sleep flag of the source thread.</param>
internal sealed class RingSender(ByteRing ring, SleepFlag reader)
{
    private readonly Queue<(byte Kind, int Number, byte[] Bytes)> _waiting = new();
    private bool _isCrowded; // at the last check
    private bool _isFinishing;

    /// <summary>True while records wait for space.</summary>
    public bool IsFull => _waiting.Count > 0;

    /// <summary>
    /// True while half of the ring is in use: messages of publishers wait then, so that consumers' requests always find space.
    /// </summary>
    public bool IsCrowded => _isCrowded = ring.IsHalfFull();

    /// <summary>Sends a record.</summary>
    public void Send(SessionRecord kind, int number, ReadOnlySpan<byte> bytes)
    {
        if (_waiting.Count == 0 && ring.HasRoom())
            ring.Add((byte)kind, number, bytes);
        else
            _waiting.Enqueue(((byte)kind, number, bytes.ToArray()));
    }

    /// <summary>Sends a record made of a head and a message.</summary>
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

    /// <summary>Sends the waiting records, and wakes the source thread for the new ones.</summary>
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

    /// <summary>Marks the end: no publisher sends any more, and later records need not be awaited. Publish then.</summary>
    public void Finish() => _isFinishing = true;

    /// <summary>True when there is something to do; else the thread is woken by the reader that frees space.</summary>
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
