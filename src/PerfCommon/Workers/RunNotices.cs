using System.Collections.Concurrent;

namespace PerfCommon.Workers;

/// <summary>Sentences on their way from a worker to the thread that prints. Cold: connections, rejections, warnings.</summary>
/// <param name="listener">Gets each at once; null keeps them until they are taken.</param>
internal sealed class RunNotices(Action<string>? listener = null)
{
    private const int MostWaiting = 10_000;

    private readonly ConcurrentQueue<string> _waiting = new();

    /// <summary>Adds a sentence. Never waits; beyond 10,000 that nobody took it is dropped.</summary>
    public void Add(string sentence)
    {
        if (listener is not null)
            listener(sentence);
        else if (_waiting.Count < MostWaiting)
            _waiting.Enqueue(sentence);
    }

    /// <summary>Takes the oldest sentence.</summary>
    public bool TryTake(out string sentence)
    {
        bool found = _waiting.TryDequeue(out string? taken);
        sentence = taken ?? "";
        return found;
    }
}
