namespace PerfCommon.Workers;

/// <summary>Sends answers to what a peer asks, keeping those for which no output buffer is free yet, in order.</summary>
/// <remarks>
/// Nothing is kept that nobody waits for: once sending has failed, or the run has ended, an answer that finds no room counts as not sent.
/// One owner thread.
/// </remarks>
internal sealed class ReplyQueue(MessageOutput output)
{
    // What may wait before the connection is no longer read.
    private const int MaxWaiting = 1_000;
    private const int MaxWaitingBytes = 1 << 20;

    private readonly Queue<(byte[] Array, int Bytes, MessageKind Kind)> _waiting = new();
    private long _waitingBytes; // of the arrays that are kept
    private byte[]? _opened; // null: the output has the room
    private byte[] _spare = []; // for answers that are given up
    private bool _isOver;

    /// <summary>True while answers wait for room.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>True while so many answers wait that no further request should be read.</summary>
    public bool IsFull => _waiting.Count >= MaxWaiting || _waitingBytes >= MaxWaitingBytes;

    /// <summary>Opens room for an answer, which goes out now or when there is room; <see cref="End"/> must follow.</summary>
    public Span<byte> Begin(int maxBytes)
    {
        _opened = null;
        if (_waiting.Count == 0 && output.TryBegin(maxBytes, out Span<byte> room))
            return room;
        return _opened = MayKeep ? new byte[maxBytes] : Spare(maxBytes);
    }

    /// <summary>Sends what was encoded into the room; 0 bytes give it back.</summary>
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

    /// <summary>Sends an encoded message, now or when there is room.</summary>
    public void Send(ReadOnlySpan<byte> message)
    {
        message.CopyTo(Begin(message.Length));
        End(message.Length, MessageKind.Other);
    }

    /// <summary>Sends what waits.</summary>
    /// <returns>False when some still waits.</returns>
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

    /// <summary>Gives up what waits, and from now on what finds no room: it counts as not sent.</summary>
    public void GiveUp()
    {
        _isOver = true;
        foreach ((_, _, MessageKind kind) in _waiting)
            output.Counters.Add(kind.NotSent(), 1);
        _waiting.Clear();
        _waitingBytes = 0;
    }

    private bool MayKeep => !_isOver && !output.HasFailedSending;

    private byte[] Spare(int bytes)
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
