using System.Collections.Concurrent;

namespace PerfCommon.Workers;

/// <summary>Passes notices from a worker to the thread that prints. Rarely used: connections, rejections, warnings.</summary>
/// <param name="listener">Receives each at once; null keeps them until they are dequeued.</param>
internal sealed class RunNotices(Action<string>? listener = null)
{
    private const int MostWaiting = 10_000;

    private readonly ConcurrentQueue<Notice> _waiting = new();
    private readonly ConcurrentDictionary<string, long> _unreported = new(); // by cause: notices dropped because the queue was full

    /// <summary>Adds a notice. Never waits; with 10,000 queued it is dropped.</summary>
    public void Add(string sentence) => TryAdd(new Notice(sentence, Cause: null));

    /// <summary>Adds a notice that explains a failure: it is queued, or counted by its cause.</summary>
    /// <param name="cause">The kind of failure and its reason without details: one of a few.</param>
    /// <param name="sentence">The notice.</param>
    public void Add(string cause, string sentence)
    {
        if (!TryAdd(new Notice(sentence, cause)))
            _unreported.AddOrUpdate(cause, 1, static (_, count) => count + 1);
    }

    /// <summary>Dequeues the oldest notice as a sentence.</summary>
    public bool TryDequeue(out string sentence)
    {
        bool found = TryDequeueNotice(out Notice notice);
        sentence = notice.Sentence ?? "";
        return found;
    }

    /// <summary>Dequeues the oldest notice with its cause.</summary>
    public bool TryDequeueNotice(out Notice notice) => _waiting.TryDequeue(out notice);

    /// <summary>Returns and resets the number of failure notices that were dropped, by cause.</summary>
    public IReadOnlyList<(string Cause, long Count)> CollectUnreported()
    {
        if (_unreported.IsEmpty)
            return [];
        return [.. _unreported.Keys.Select(cause => (cause, _unreported.TryRemove(cause, out long count) ? count : 0))];
    }

    private bool TryAdd(Notice notice)
    {
        ConnectionEvents.Log?.Report(notice);
        if (listener is not null)
            listener(notice.Sentence);
        else if (_waiting.Count < MostWaiting)
            _waiting.Enqueue(notice);
        else
            return false;
        return true;
    }
}

/// <summary>A sentence for people.</summary>
/// <param name="Sentence">The sentence.</param>
/// <param name="Cause">The kind of failure and its reason, where the sentence explains one: such sentences are limited per cause. Else null.</param>
internal readonly record struct Notice(string Sentence, string? Cause);
