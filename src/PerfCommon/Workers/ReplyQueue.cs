namespace PerfCommon.Workers;

/// <summary>Sends answers to a peer's requests, and queues those for which no output buffer is free yet, in order.</summary>
/// <remarks>
/// No answer is kept in vain: once sending has failed, or the run has ended, an answer that finds no buffer counts as not sent.
/// One owner thread.
/// </remarks>
internal sealed class ReplyQueue(MessageOutput output)
{
    // Maximum of queued answers before the connection is no longer read.
    private const int MaxWaiting = 1_000;
    private const int MaxWaitingBytes = 1 << 20;

    private readonly Queue<(byte[] Array, int Bytes, MessageKind Kind)> _waiting = new();
    private long _waitingBytes; // bytes of the queued arrays
    private byte[]? _opened; // null: the space is in the output
    private byte[] _spare = []; // for discarded answers
    private bool _isOver;

    /// <summary>True while answers wait for buffers.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>True while the queue is full, so that no further request should be read.</summary>
    public bool IsFull => _waiting.Count >= MaxWaiting || _waitingBytes >= MaxWaitingBytes;

    /// <summary>Opens buffer space for an answer, which is sent now or when a buffer is free; <see cref="End"/> must follow.</summary>
    public Span<byte> Begin(int maxBytes)
    {
        _opened = null;
        if (_waiting.Count == 0 && output.TryBegin(maxBytes, out Span<byte> room))
            return room;
        return _opened = MayKeep ? new byte[maxBytes] : RentSpare(maxBytes);
    }

    /// <summary>Sends the answer that was encoded into the space; 0 bytes release it.</summary>
    public void End(int bytes, MessageKind kind)
    {
        if (_opened is not null && bytes > 0 && !MayKeep)
            output.Counters.Add(kind.NotSent(), 1);
        else if (_opened is not null)
            Keep(_opened, bytes, kind);
        else if (bytes > 0)
            output.End(bytes, kind);
        else
            output.Cancel();
    }

    /// <summary>Sends an encoded message, now or when a buffer is free.</summary>
    public void Send(ReadOnlySpan<byte> message)
    {
        message.CopyTo(Begin(message.Length));
        End(message.Length, MessageKind.Other);
    }

    /// <summary>Sends the queued answers.</summary>
    /// <returns>False when some remain queued.</returns>
    public bool TrySendWaiting()
    {
        while (_waiting.TryPeek(out (byte[] Array, int Bytes, MessageKind Kind) next))
        {
            if (!output.TrySend(next.Array.AsSpan(0, next.Bytes), next.Kind))
                return false;
            _waiting.Dequeue();
            _waitingBytes -= next.Array.Length;
        }

        return true;
    }

    /// <summary>Discards the queued answers, and from now on those that find no buffer: they count as not sent.</summary>
    public void Discard()
    {
        _isOver = true;
        foreach ((_, _, MessageKind kind) in _waiting)
            output.Counters.Add(kind.NotSent(), 1);
        _waiting.Clear();
        _waitingBytes = 0;
    }

    private bool MayKeep => !_isOver && !output.HasFailedSending;

    private byte[] RentSpare(int bytes)
    {
        if (_spare.Length < bytes)
            _spare = new byte[bytes];
        return _spare;
    }

    private void Keep(byte[] array, int bytes, MessageKind kind)
    {
        if (bytes == 0)
            return;
        _waiting.Enqueue((array, bytes, kind));
        _waitingBytes += array.Length;
    }
}
