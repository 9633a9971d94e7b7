using System.Diagnostics;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A consumer's session and its peer over memory, each with a worker that the test gives its turns.</summary>
internal sealed class SessionPair : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public SessionPair(Connection provider, ConsumerHandler consumer, ConsumerSessionOptions? options = null)
    {
        Consumer = new ConsumerSession(options ?? Items(3), consumer);
        (MemoryPipe client, MemoryPipe server) = MemoryPipe.CreatePair();
        Server.Attach(provider, server, new ListenOptions { Port = 0 });
        Client.Attach(Consumer, client, new ConnectOptions { Host = "memory", Port = 0 });
    }

    public SessionPair(ProviderHandler provider, ConsumerHandler consumer, ConsumerSessionOptions? options = null)
        : this(new ProviderSession(SessionSamples.Provider, provider), consumer, options)
    {
    }

    public Worker Server { get; } = new(new WorkerOptions(), new WorkerRecording());

    public Worker Client { get; } = new(new WorkerOptions(), new WorkerRecording());

    public ConsumerSession Consumer { get; }

    /// <summary>A consumer of so many items.</summary>
    public static ConsumerSessionOptions Items(int count) => new()
    {
        ServiceName = SessionSamples.Service.Name,
        Items = ItemList.Create(Enumerable.Range(1, count).Select(i => $"RDT{i}")),
        Dictionary = SessionSamples.Dictionary,
        FallbackDictionary = SessionSamples.Dictionary,
    };

    /// <summary>Gives both sides turns until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held; stage {Consumer.Stage}, {Consumer.Failure}");
            Server.Turn();
            Client.Turn();
        }
    }

    /// <summary>The sentences that a side has for a person.</summary>
    public static List<string> Notices(Worker worker)
    {
        List<string> sentences = [];
        while (worker.Recording.Notices.TryTake(out string sentence))
            sentences.Add(sentence);
        return sentences;
    }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
    }
}
