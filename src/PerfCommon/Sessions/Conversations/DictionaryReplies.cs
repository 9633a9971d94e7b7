using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Sends dictionary answers part by part, as output buffers become free.</summary>
/// <remarks>One owner thread. A part fits one frame; only a table that does not fit gets more.</remarks>
internal sealed class DictionaryReplies(MessageOutput output, int partBytes)
{
    private const int MostPartBytes = 16 * 1024 * 1024;
    private const int MaxWaiting = 64;
    private const int PartsAtATime = 4;

    private readonly List<DictionaryAnswer> _waiting = [];

    /// <summary>True while parts remain to be sent.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>True while the queue is full, so that no further request should be read.</summary>
    public bool IsFull => _waiting.Count >= MaxWaiting;

    /// <summary>Adds an answer, which replaces a waiting one of the same stream.</summary>
    public void Add(DictionaryAnswer answer)
    {
        Discard(answer.StreamId);
        _waiting.Add(answer);
    }

    /// <summary>Discards the rest for a stream that the consumer closed.</summary>
    public void Discard(int streamId) => _waiting.RemoveAll(answer => answer.StreamId == streamId);

    /// <summary>Sends a few parts, as far as buffers are free: encoding them takes time, and others must be served.</summary>
    /// <returns>True when more could be sent now.</returns>
    public bool SendSome()
    {
        for (int parts = 0; parts < PartsAtATime && _waiting is [var answer, ..]; parts++)
        {
            if (!TrySendPart(answer))
                return false;
            if (answer.IsDone)
                _waiting.RemoveAt(0);
        }

        return IsWaiting;
    }

    private bool TrySendPart(DictionaryAnswer answer)
    {
        for (int room = partBytes; room <= MostPartBytes; room *= 2)
        {
            if (!output.TryBegin(room, out Span<byte> part))
                return false;
            int bytes = answer.EncodeNext(part);
            if (bytes > 0)
            {
                output.End(bytes, MessageKind.Other);
                return true;
            }

            output.Cancel();
        }

        throw new InvalidOperationException("a row of the dictionary does not fit any message");
    }
}
