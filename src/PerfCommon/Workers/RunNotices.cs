using System.Collections.Concurrent;

namespace PerfCommon.Workers;

/// <summary>Sentences on their way from a worker to the thread that prints. Cold: connections, rejections, warnings.</summary>
/// <param name="listener">Gets each at once; null keeps them until they are taken.</param>
internal sealed class RunNotices(Action<string>? listener = null)
{
    private const int MostWaiting = 10_000;

    private readonly ConcurrentQueue<string> _waiting = new();
    private long _dropped;

    /// <summary>Sentences dropped because nobody took the ones before; any thread.</summary>
    public long Dropped => Interlocked.Read(ref _dropped);

    /// <summary>Adds a sentence. Never waits; beyond 10,000 that nobody took it is dropped and counted.</summary>
    public void Add(string sentence)
    {
        if (listener is not null)
            listener(sentence);
        else if (_waiting.Count < MostWaiting)
            _waiting.Enqueue(sentence);
        else
            Interlocked.Increment(ref _dropped);
    }

    /// <summary>Takes the oldest sentence.</summary>
    public bool TryTake(out string sentence)
    {
        bool found = _waiting.TryDequeue(out string? taken);
        sentence = taken ?? "";
        return found;
    }
}
