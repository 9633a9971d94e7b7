namespace PerfCommon.Workers;

/// <summary>Sends the answers of the cold conversations, keeping those for which no output buffer is free yet, in order.</summary>
/// <remarks>One owner thread.</remarks>
internal sealed class ReplyQueue(MessageOutput output)
{
    /// <summary>Answers that may wait before the connection is no longer read.</summary>
    private const int MostWaiting = 1_000;

    private readonly Queue<byte[]> _waiting = new();

    /// <summary>True while so many answers wait that no further request should be read.</summary>
    public bool IsFull => _waiting.Count >= MostWaiting;

    /// <summary>Sends an encoded message, now or when there is room.</summary>
    public void Send(ReadOnlySpan<byte> message)
    {
        if (_waiting.Count > 0 || !TryWrite(message))
            _waiting.Enqueue(message.ToArray());
    }

    /// <summary>Sends what waits.</summary>
    /// <returns>False when some still waits.</returns>
    public bool TrySendWaiting()
    {
        while (_waiting.TryPeek(out byte[]? message))
        {
            if (!TryWrite(message))
                return false;
            _waiting.Dequeue();
        }

        return true;
    }

    private bool TryWrite(ReadOnlySpan<byte> message) => output.TrySend(message, MessageKind.Other);
}
