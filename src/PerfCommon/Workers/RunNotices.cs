using System.Collections.Concurrent;

namespace PerfCommon.Workers;

/// <summary>Sentences on their way from a worker to the thread that prints. Cold: connections, rejections, warnings.</summary>
/// <param name="listener">Gets each at once; null keeps them until they are taken.</param>
internal sealed class RunNotices(Action<string>? listener = null)
{
    private const int MostWaiting = 10_000;

    private readonly ConcurrentQueue<Notice> _waiting = new();
    private readonly ConcurrentDictionary<string, long> _unsaid = new(); // by cause: those that found no room

    /// <summary>Adds a sentence. Never waits; beyond 10,000 that nobody took it is dropped.</summary>
    public void Add(string sentence) => TryAdd(new Notice(sentence, Cause: null));

    /// <summary>Adds a sentence that explains a failure: it is said, or counted among those of its cause.</summary>
    /// <param name="cause">What failed and why, without the circumstances: one of a few.</param>
    /// <param name="sentence">The sentence.</param>
    public void Add(string cause, string sentence)
    {
        if (!TryAdd(new Notice(sentence, cause)))
            _unsaid.AddOrUpdate(cause, 1, static (_, count) => count + 1);
    }

    /// <summary>Takes the oldest sentence.</summary>
    public bool TryTake(out string sentence)
    {
        bool found = TryTakeNotice(out Notice notice);
        sentence = notice.Sentence ?? "";
        return found;
    }

    /// <summary>Takes the oldest sentence with what it explains.</summary>
    public bool TryTakeNotice(out Notice notice) => _waiting.TryDequeue(out notice);

    /// <summary>Takes how many that explain a failure found no room, by their causes.</summary>
    public IReadOnlyList<(string Cause, long Count)> TakeUnsaid()
    {
        if (_unsaid.IsEmpty)
            return [];
        return [.. _unsaid.Keys.Select(cause => (cause, _unsaid.TryRemove(cause, out long count) ? count : 0))];
    }

    private bool TryAdd(Notice notice)
    {
        if (listener is not null)
            listener(notice.Sentence);
        else if (_waiting.Count < MostWaiting)
            _waiting.Enqueue(notice);
        else
            return false;
        return true;
    }
}

/// <summary>A sentence for a person.</summary>
/// <param name="Sentence">The sentence.</param>
/// <param name="Cause">What failed and why, where it explains that: such sentences are bounded each cause by itself. Else null.</param>
internal readonly record struct Notice(string Sentence, string? Cause);
