using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Subscriptions;
using PerfCommon.Transport;
using Xunit;
using OneThread = PerfCommon.Reactor.Reactor;

namespace PerfCommon.Tests.Subscriptions;

/// <summary>A provider of items on loopback and on its own thread, for subscribers of the test.</summary>
internal sealed class SubscriberBench : IAsyncDisposable
{
    public const int Names = 3;

    private static readonly FieldDictionary Dictionary = FieldDictionary.Default;

    private readonly OneThread _provider = new();
    private readonly ServedItems _items = new();
    private readonly List<ProviderHandler> _consumers = [];
    private readonly CancellationTokenSource _limit = new(TimeSpan.FromSeconds(180));

    /// <param name="create">Creates the handler of a consumer; null for one that answers.</param>
    public SubscriberBench(Func<ProviderHandler>? create = null)
    {
        for (int i = 1; i <= Names; i++)
            _items.Set($"RDT{i}", Fields(("BID", 100), ("ASK", 101), ("BIDSIZE", i)));
        ProviderSessionOptions options = new() { Service = new() { Name = "DIRECT_FEED", Id = 1, SymbolList = "_ITEMS" }, Dictionary = Dictionary };
        Port = _provider.Provide(options, create ?? CreateHandler, new ListenOptions { Port = 0 });
        _provider.Start();
    }

    public int Port { get; }

    /// <summary>Ends what never comes.</summary>
    public CancellationToken Limit => _limit.Token;

    public ItemSubscriberOptions Options => new()
    {
        Server = new() { Host = "127.0.0.1", Port = Port },
        ServiceName = "DIRECT_FEED",
        Recovery = new() { FirstRetry = TimeSpan.FromMilliseconds(20) },
        ConnectTimeout = TimeSpan.FromSeconds(120),
        Dictionary = Dictionary,
    };

    public static FieldListTemplate Fields(params (string Name, long Value)[] fields)
    {
        FieldListBuilder builder = new(Dictionary);
        foreach ((string name, long value) in fields)
            builder.Add(name, value);
        return builder.Build();
    }

    public Task<ItemSubscriber> ConnectAsync() => ItemSubscriber.ConnectAsync(Options, Limit);

    /// <summary>Executes a function on the provider's thread.</summary>
    public Task<T> OnProvider<T>(Func<T> function)
    {
        TaskCompletionSource<T> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _provider.Execute(() => done.SetResult(function()));
        return done.Task.WaitAsync(Limit);
    }

    /// <summary>Publishes updates with the values from a number on, each to all consumers that watch the item, before it returns.</summary>
    public async Task Publish(string name, string field, int first, int count, int watchers = 1)
    {
        FieldListTemplate update = Fields((field, first)).Copy();
        for (int next = first; next < first + count;)
        {
            int from = next;
            next = await OnProvider(() => PublishFrom(from));
            if (next == from)
                await Task.Delay(1, Limit); // no output buffer was free
        }

        int PublishFrom(int from)
        {
            int value = from;
            for (; value < first + count && value < from + 100; value++)
            {
                update.Set(0, new RwfReal(value, RealHint.Exponent0));
                int sent = _items.Publish(_items.IndexOf(name), update);
                if (sent == 0)
                    break;
                Assert.Equal(watchers, sent);
            }

            return value;
        }
    }

    /// <summary>Open items of all consumers.</summary>
    public Task<int> CountOpen() => OnProvider(() => _consumers.Where(consumer => consumer.Session.IsOpen).Sum(consumer => consumer.Session.OpenItems));

    /// <summary>The users of all consumers.</summary>
    public Task<string[]> FindUsers() => OnProvider(() => _consumers.Select(consumer => consumer.Session.Peer!.UserName).ToArray());

    /// <summary>Sets another refresh, which is sent to all that watch the item.</summary>
    public Task<int> Set(string name, FieldListTemplate refresh) => OnProvider(() => _items.Set(name, refresh));

    /// <summary>Closes the connections of all consumers.</summary>
    public Task<int> CutAll() => OnProvider(() =>
    {
        foreach (ProviderHandler consumer in _consumers.Where(consumer => consumer.Session.IsOpen))
            consumer.Session.Channel.Close();
        return _consumers.Count;
    });

    public async Task Until(Func<Task<bool>> condition)
    {
        while (!await condition())
            await Task.Delay(5, Limit);
    }

    public Task Until(Func<bool> condition) => Until(() => Task.FromResult(condition()));

    public async ValueTask DisposeAsync()
    {
        _provider.RequestEnd();
        await Task.Run(() => Assert.True(_provider.Join(TimeSpan.FromSeconds(180))));
        _provider.Dispose();
        _limit.Dispose();
    }

    private ProviderHandler CreateHandler()
    {
        ProviderHandler handler = _items.CreateHandler();
        _consumers.Add(handler);
        return handler;
    }
}
