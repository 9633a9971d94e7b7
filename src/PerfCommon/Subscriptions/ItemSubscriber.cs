using System.Globalization;
using System.Text;
using PerfCommon.MsgData;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace PerfCommon.Subscriptions;

/// <summary>
/// A consumer whose items are read by <c>await foreach</c>. It has one connection and the thread that serves it, and reconnects after a loss.
/// </summary>
/// <remarks>Any thread may call its members. A slow reader delays the subscriptions of this subscriber alone.</remarks>
/// <example>
/// <code>
/// await using ItemSubscriber consumer = await ItemSubscriber.ConnectAsync(options);
/// await foreach (ItemEvent e in consumer.SubscribeAsync(["RDT1", "RDT2"]))
///     Console.WriteLine($"{e.Item} {e.Fields.TextOf("BID")}");
/// </code>
/// </example>
public sealed class ItemSubscriber : IAsyncDisposable
{
    private const int MaxMessagesPerTurn = 256; // they are added to a buffer that is full
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly ItemSubscriberOptions _options;
    private readonly SubscriptionHandler _handler = new();
    private readonly Reactor.Reactor _reactor;
    private readonly RecoveringConsumer _consumer;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile ConsumerFailure? _failure;
    private bool _isDisposing; // under the lock
    private bool _isDisposed; // under the lock

    private ItemSubscriber(ItemSubscriberOptions options)
    {
        _options = options;
        _reactor = new(
            options.Recovery with { Watchlist = true },
            new WorkerOptions { OnNotice = options.OnNotice, MaxMessagesPerTurn = MaxMessagesPerTurn });
        _handler.OnLost = OnLost;
        _consumer = _reactor.Consume(
            new() { ServiceName = options.ServiceName, Identity = options.Identity, Dictionary = options.Dictionary }, _handler, options.Server);
        new Thread(Run) { IsBackground = true, Name = "subscriber" }.Start();
    }

    /// <summary>The reason why it has ended and will not reconnect; null otherwise.</summary>
    public ConsumerFailure? Failure => _failure;

    /// <summary>Number of lost connections that are to be replaced.</summary>
    public int Losses => _consumer.Losses;

    /// <summary>Connects and logs in; the task is complete when items can be requested.</summary>
    /// <param name="options">Address, service, recovery.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ConsumerException">
    /// The login was refused, the certificate is not trusted, or <see cref="ItemSubscriberOptions.ConnectTimeout"/> has passed.
    /// </exception>
    /// <exception cref="OperationCanceledException">The attempt was cancelled.</exception>
    public static async Task<ItemSubscriber> ConnectAsync(ItemSubscriberOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ItemSubscriber subscriber = await Task.Run(() => new ItemSubscriber(options), cancellationToken).ConfigureAwait(false);
        try
        {
            await subscriber._handler.Ready.WaitAsync(options.ConnectTimeout, cancellationToken).ConfigureAwait(false);
            return subscriber;
        }
        catch (Exception problem)
        {
            ConsumerFailure notReady = subscriber.DescribeStage();
            await subscriber.DisposeAsync().ConfigureAwait(false);
            if (problem is TimeoutException)
                throw new ConsumerException(notReady, problem);
            throw;
        }
    }

    /// <summary>Subscribes to items; each event is delivered.</summary>
    /// <param name="names">The items, 1 to 255 bytes of UTF-8; a name that is given twice is subscribed to once.</param>
    /// <param name="cancellationToken">Ends the subscription: the reader gets an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The events; items are requested when reading begins.</returns>
    /// <exception cref="ArgumentException">A name is empty or too long.</exception>
    /// <exception cref="ObjectDisposedException">The subscriber is disposed.</exception>
    public ItemSubscription SubscribeAsync(IEnumerable<string> names, CancellationToken cancellationToken) =>
        SubscribeAsync(names, null, cancellationToken);

    /// <summary>Subscribes to items with options, such as conflation.</summary>
    /// <remarks>
    /// Reading ends with a <see cref="ConsumerException"/> when the subscriber cannot continue: after a refused login, or a loss where it does not
    /// reconnect.
    /// </remarks>
    /// <param name="names">The items, 1 to 255 bytes of UTF-8; a name that is given twice is subscribed to once.</param>
    /// <param name="options">Conflation, buffer, domain, fields; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the subscription: the reader gets an <see cref="OperationCanceledException"/>.</param>
    /// <returns>The events; items are requested when reading begins.</returns>
    /// <exception cref="ArgumentException">A name is empty or too long.</exception>
    /// <exception cref="ObjectDisposedException">The subscriber is disposed.</exception>
    public ItemSubscription SubscribeAsync(
        IEnumerable<string> names, SubscriptionOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(names);
        options ??= new();
        ArgumentOutOfRangeException.ThrowIfLessThan(options.BufferBytes, 1, nameof(options));
        lock (_lock)
            ObjectDisposedException.ThrowIf(_isDisposing, this);
        string[] distinct = [.. names.Distinct(StringComparer.Ordinal)];
        foreach (string name in distinct)
        {
            if (name is null || Encoding.UTF8.GetByteCount(name) is 0 or > ItemList.MaxNameBytes)
                throw new ArgumentException($"name \"{PrintableText.From(name)}\" must be 1 to {ItemList.MaxNameBytes} bytes", nameof(names));
        }

        return new ItemSubscription(this, distinct, options, cancellationToken);
    }

    /// <summary>
    /// Disconnects in order, within about 3 s: readers get no further event, and their loops end.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        _handler.EndAll(isAtOnce: true);
        lock (_lock)
            _isDisposing = true;
        Execute(_handler.Resume); // what the provider has sent is read to its end
        Execute(_reactor.RequestEnd);
        await _ended.Task.ConfigureAwait(false);
        lock (_lock)
        {
            _isDisposed = true;
            _reactor.Dispose();
        }
    }

    internal void Open(ItemSubscription subscription)
    {
        if (_handler.TryAdd(subscription))
            Execute(() => _handler.Open(subscription));
    }

    internal void Close(ItemSubscription subscription)
    {
        subscription.Buffer.End(isAtOnce: true);
        Execute(() => _handler.Close(subscription));
    }

    internal void Resume() => Execute(_handler.Resume);

    private void Execute(Action action)
    {
        lock (_lock)
        {
            if (!_isDisposed)
                _reactor.Execute(action);
        }
    }

    private void Run()
    {
        try
        {
            while (!_reactor.HasEnded)
            {
                _reactor.Dispatch(MaxWait);
                if (_failure is null && FindFailure() is { } failure)
                    Fail(failure);
            }

            _handler.EndAll();
        }
        catch (Exception defect) when (EndBy(defect))
        {
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    private ConsumerFailure? FindFailure() => _consumer.Failure
        ?? (_consumer.Refusal is { } reason ? new(ConsumerFailureKind.NotReady, reason) : null);

    // Without reconnecting, a loss is the end.
    private void OnLost()
    {
        if (!_options.Reconnects && _consumer.Session.Failure is { } failure)
            Fail(failure);
    }

    private void Fail(ConsumerFailure failure)
    {
        _failure = failure;
        _handler.EndAll(() => new ConsumerException(failure));
        _reactor.RequestEnd();
    }

    private bool EndBy(Exception defect)
    {
        _handler.EndAll(() => new InvalidOperationException("The subscriber's thread has failed.", defect));
        return true;
    }

    private ConsumerFailure DescribeStage()
    {
        string server = string.Create(CultureInfo.InvariantCulture, $"{_options.Server.Host}:{_options.Server.Port}");
        return new(ConsumerFailureKind.NotReady, _consumer.Session.Stage switch
        {
            ConsumerStage.Connecting => $"no connection to {server}: {_consumer.Problem}",
            ConsumerStage.Login => $"{server} has not answered the login",
            ConsumerStage.Service =>
                $"service '{PrintableText.From(_options.ServiceName)}' of {server} is not ready: {_consumer.Session.ServiceShortcoming}",
            _ => $"{server} has not sent its dictionary",
        });
    }
}
