using System.Diagnostics;
using ConsPerf;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>A consumer that ConsPerf's handler measures, and a provider, joined over memory; the test gives both their turns.</summary>
internal sealed class MemoryPair : IDisposable
{
    public const string ServiceName = "TEST";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryNetwork _network = new(TimeSource.System);

    /// <param name="options">What ConsPerf is asked to do.</param>
    /// <param name="server">What the provider records; null for the counters alone.</param>
    public MemoryPair(ConsPerfOptions options, WorkerRecording? server = null)
    {
        Server = new(new WorkerOptions(), server ?? new WorkerRecording(), _network);
        Client = new(new WorkerOptions(), ConsPerfRole.CreateRecording(options), _network);
    }

    public Worker Server { get; }

    public Worker Client { get; }

    public WorkerRecording Recording => Client.Recording;

    public long this[Counter counter] => Recording.Counters[counter];

    /// <summary>Updates that came while measuring.</summary>
    public long Updates => this[Counter.StartupUpdates] + this[Counter.SteadyUpdates];

    /// <summary>The consumer's session of items of the one service, with every field known.</summary>
    public static ConsumerSessionOptions Asking(params IEnumerable<string> items) => Asking(ItemFlags.None, items);

    public static ConsumerSessionOptions Asking(ItemFlags flags, params IEnumerable<string> items) =>
        new() { ServiceName = ServiceName, Items = ItemList.Create(items, flags), Dictionary = FieldDictionary.Default };

    /// <summary>Connects a consumer with a provider.</summary>
    public void Connect(ConsumerSession consumer, ProviderHandler provider, bool takesPosts = false, bool hasOrderBooks = false)
    {
        LoginOffer offer = new() { ApplicationName = "test", Position = "here", SupportOmmPost = takesPosts };
        Connect(consumer, new ProviderSession(
            new()
            {
                Offer = offer,
                Service = new() { Name = ServiceName, Id = 1, HasOrderBooks = hasOrderBooks },
                Dictionary = FieldDictionary.Default
            }, provider));
    }

    /// <summary>Connects a consumer with anything.</summary>
    public void Connect(ConsumerSession consumer, Connection peer)
    {
        using WorkerListener listener = new(new ListenOptions { Port = 0 }, _network);
        Client.Connect(consumer, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        Client.Turn();
        listener.Accept(TimeSpan.Zero, [Server], _ => peer, CancellationToken.None);
    }

    /// <summary>Delivers everything in flight.</summary>
    public void Settle()
    {
        for (int turn = 0; turn < 20; turn++)
        {
            Server.Turn(0);
            Client.Turn(0);
        }
    }

    /// <summary>Gives both sides turns until a condition holds.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="describe">Says why it may never hold.</param>
    /// <param name="serves">False for turns of the consumer alone.</param>
    public void Until(Func<bool> condition, Func<string>? describe = null, bool serves = true)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held: {describe?.Invoke()}");
            if (serves)
                Server.Turn();
            Client.Turn();
        }
    }

    /// <summary>The sentences for a person so far.</summary>
    public IReadOnlyList<string> TakeNotices()
    {
        List<string> sentences = [];
        while (Recording.Notices.TryDequeue(out string sentence))
            sentences.Add(sentence);
        return sentences;
    }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
    }
}
