using System.Collections.Concurrent;

namespace LatencyPerf.Rounds;

/// <summary>An event from the thread of a test to the one that prints; exactly one of the two is set.</summary>
/// <param name="Text">A text to print unchanged, line ends included.</param>
/// <param name="Size">A completed size.</param>
internal sealed record TestEvent(string? Text, SizeResult? Size);

/// <summary>The queue from the thread of a test to the one that prints.</summary>
internal sealed class TestEvents : IDisposable
{
    private readonly ConcurrentQueue<TestEvent> _events = new();
    private readonly AutoResetEvent _news = new(initialState: false);

    public void Report(string text) => Add(new(text, null));

    public void Report(SizeResult size) => Add(new(null, size));

    public bool TryDequeue(out TestEvent? next) => _events.TryDequeue(out next);

    /// <summary>Waits until there may be an event.</summary>
    public void Wait(TimeSpan limit) => _news.WaitOne(limit);

    /// <summary>Ends a wait.</summary>
    public void Wake() => _news.Set();

    public void Dispose() => _news.Dispose();

    private void Add(TestEvent happened)
    {
        _events.Enqueue(happened);
        _news.Set();
    }
}
