using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Workers;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A consumer's session and its peer over memory, each with a worker whose turns the test runs.</summary>
internal sealed class SessionPair : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryWorkers _workers;

    public SessionPair(Connection provider, ConsumerHandler consumer, ConsumerSessionOptions? options = null, TimeSource? time = null)
    {
        _workers = new MemoryWorkers(time);
        Consumer = new ConsumerSession(options ?? Items(3), consumer);
        _workers.Join(provider, Consumer);
    }

    public SessionPair(ProviderHandler provider, ConsumerHandler consumer, ConsumerSessionOptions? options = null)
        : this(new ProviderSession(SessionSamples.Provider, provider), consumer, options)
    {
    }

    public Worker Server => _workers.Server;

    public Worker Client => _workers.Client;

    public ConsumerSession Consumer { get; }

    /// <summary>Creates a consumer of a number of items.</summary>
    public static ConsumerSessionOptions Items(int count) => new()
    {
        ServiceName = SessionSamples.Service.Name,
        Items = ItemList.Create(Enumerable.Range(1, count).Select(i => $"RDT{i}")),
        Dictionary = SessionSamples.Dictionary,
        FallbackDictionary = SessionSamples.Dictionary,
    };

    /// <summary>Runs turns of both sides until a condition holds.</summary>
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

    /// <summary>Returns the notices of a side.</summary>
    public static List<string> Notices(Worker worker)
    {
        List<string> sentences = [];
        while (worker.Recording.Notices.TryDequeue(out string sentence))
            sentences.Add(sentence);
        return sentences;
    }

    public void Dispose() => _workers.Dispose();
}
