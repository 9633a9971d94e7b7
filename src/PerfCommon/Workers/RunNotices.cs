using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

namespace PerfCommon.Workers;

/// <summary>Passes notices from a worker to the thread that prints. Rarely used: connections, rejections, warnings.</summary>
/// <param name="listener">Receives each at once; null keeps them until they are dequeued.</param>
internal sealed class RunNotices(Action<Notice>? listener = null)
{
    private const int MostWaiting = 10_000;

    private readonly ConcurrentQueue<Notice> _waiting = new();
    private readonly ConcurrentDictionary<string, long> _unreported = new(); // by cause: notices dropped because the queue was full

    /// <summary>Adds a notice. Never waits; with 10,000 queued it is dropped, and counted by its cause where it explains a failure.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="values">The values of its fields, in their order.</param>
    public void Add(NoticeKind kind, params ReadOnlySpan<object?> values) => Add(new Notice(kind, values));

    /// <inheritdoc cref="Add(NoticeKind, ReadOnlySpan{object?})"/>
    public void Add(Notice notice)
    {
        if (!TryAdd(notice) && notice.Cause is { } cause)
            _unreported.AddOrUpdate(cause, 1, static (_, count) => count + 1);
    }

    /// <summary>Dequeues the oldest notice as a sentence.</summary>
    public bool TryDequeue(out string sentence)
    {
        bool found = TryDequeueNotice(out Notice? notice);
        sentence = notice?.Text ?? "";
        return found;
    }

    /// <summary>Dequeues the oldest notice with its cause.</summary>
    public bool TryDequeueNotice([NotNullWhen(true)] out Notice? notice) => _waiting.TryDequeue(out notice);

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
            listener(notice);
        else if (_waiting.Count < MostWaiting)
            _waiting.Enqueue(notice);
        else
            return false;
        return true;
    }
}
