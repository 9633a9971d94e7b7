using PerfCommon.Domains;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Dictionary answers on their way: part after part, as output buffers come free.</summary>
/// <remarks>One owner thread.</remarks>
/// <param name="output">Where the parts go.</param>
/// <param name="partBytes">Bytes of a part that fits one frame; only a table that does not fit gets more.</param>
internal sealed class DictionaryReplies(MessageOutput output, int partBytes)
{
    private const int MostPartBytes = 16 * 1024 * 1024;

    private readonly Queue<DictionaryAnswer> _waiting = new();

    /// <summary>True while parts are to be sent.</summary>
    public bool IsWaiting => _waiting.Count > 0;

    /// <summary>Adds an answer.</summary>
    public void Add(DictionaryAnswer answer) => _waiting.Enqueue(answer);

    /// <summary>Forgets what is left for a stream that the consumer closed.</summary>
    public void Forget(int streamId)
    {
        for (int i = _waiting.Count; i > 0; i--)
        {
            DictionaryAnswer answer = _waiting.Dequeue();
            if (answer.StreamId != streamId)
                _waiting.Enqueue(answer);
        }
    }

    /// <summary>Sends as many parts as there is room for.</summary>
    /// <returns>False when output buffers ran out.</returns>
    public bool TrySend()
    {
        while (_waiting.TryPeek(out DictionaryAnswer? answer))
        {
            if (!TrySendPart(answer))
                return false;
            if (answer.IsDone)
                _waiting.Dequeue();
        }

        return true;
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
