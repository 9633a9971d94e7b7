using System.Runtime.CompilerServices;

namespace PerfCommon.Subscriptions;

/// <summary>
/// A subscription to items as a stream of events, read by <c>await foreach</c>: for each item its image, then its updates and changes of its state.
/// </summary>
/// <remarks>
/// The items are requested when reading begins. Leaving the loop, or cancelling it, closes their streams. The stream ends when all of its items are
/// closed for good, or when the subscriber is disposed. It is read once.
/// </remarks>
public sealed class ItemSubscription : IAsyncEnumerable<ItemEvent>
{
    private readonly ItemSubscriber _subscriber;
    private readonly CancellationToken _cancellation;
    private int _isRead;

    internal ItemSubscription(ItemSubscriber subscriber, string[] names, SubscriptionOptions options, CancellationToken cancellation)
    {
        (_subscriber, Names, Options, _cancellation) = (subscriber, names, options, cancellation);
        Buffer = new EventBuffer(options) { OnRoom = subscriber.Resume };
    }

    /// <summary>The counts so far. Any thread.</summary>
    public SubscriptionCounts Counts => Buffer.Counts;

    internal IReadOnlyList<string> Names { get; }

    internal SubscriptionOptions Options { get; }

    internal EventBuffer Buffer { get; }

    /// <summary>The items whose streams have not ended. The reactor's thread.</summary>
    internal List<SubscribedItem> Open { get; } = [];

    /// <summary>Subscribes, and returns the reader of the events.</summary>
    /// <param name="cancellationToken">Ends the subscription, as the token given to <see cref="ItemSubscriber"/>.</param>
    /// <exception cref="InvalidOperationException">It was read before.</exception>
    public IAsyncEnumerator<ItemEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        Interlocked.Exchange(ref _isRead, 1) == 0
            ? ReadAsync(_cancellation).GetAsyncEnumerator(cancellationToken)
            : throw new InvalidOperationException("A subscription is read once: SubscribeAsync returns another.");

    private async IAsyncEnumerable<ItemEvent> ReadAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _subscriber.Open(this);
        using CancellationTokenRegistration closing = cancellationToken.UnsafeRegister(_ => _subscriber.Close(this), null);
        try
        {
            while (await Buffer.ReadAsync(cancellationToken).ConfigureAwait(false) is { } next)
                yield return next;
        }
        finally
        {
            _subscriber.Close(this);
        }
    }
}
