using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Workers;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A provider's session over memory, and a peer that sends the test's messages and keeps every answer.</summary>
internal sealed class ProviderConversation : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly MemoryWorkers _workers = new();
    private readonly TalkingPeer _peer = new();

    public ProviderConversation(ProviderSessionOptions? options = null, ProviderHandler? handler = null, bool logsIn = true)
    {
        Provider = new ProviderSession(options ?? SessionSamples.Provider, handler ?? new ProviderLog());
        _workers.Join(Provider, _peer);
        Until(() => _peer.IsThere);
        if (!logsIn)
            return;
        LogIn();
        Answers.Clear();
    }

    public ProviderSession Provider { get; }

    /// <summary>The provider's messages, each as class, stream, and state or name; updates omitted.</summary>
    public List<string> Answers => _peer.Answers;

    /// <summary>The same messages as bytes.</summary>
    public List<byte[]> Messages => _peer.Messages;

    /// <summary>Updates that it sent.</summary>
    public int Updates => _peer.Updates;

    public CounterSet Counters => _workers.Server.Recording.Counters;

    public CloseReason? Closed => _peer.Closed;

    public List<string> Notices => SessionPair.Notices(_workers.Server);

    /// <summary>The last of the messages of a class.</summary>
    public RwfMsg Last(MsgClass msgClass) => _peer.Last(msgClass);

    public void LogIn()
    {
        _peer.LogIn();
        Until(() => Answers.Count > 0);
    }

    public void Say(byte[] message) => _peer.Say(message);

    /// <summary>Requests an item of the service.</summary>
    public void Ask(int streamId, string name, int flags = RequestFlags.Streaming) => Say(Wire.Encode(Request(streamId, name, flags)));

    /// <summary>Creates a request for an item of the service.</summary>
    public static RwfMsg Request(int streamId, string name, int flags = RequestFlags.Streaming) =>
        TalkingPeer.Request(streamId, SessionSamples.Service.Id, name, flags);

    /// <summary>Runs turns of both sides until the given number of answers has arrived.</summary>
    public void UntilAnswers(int count) => Until(() => Answers.Count >= count);

    public void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, $"the condition never held; {string.Join('\n', Answers)}");
            Turn();
        }
    }

    /// <summary>Runs a turn of both sides without waiting.</summary>
    public void Turn()
    {
        _workers.Server.Turn(untilNanos: 0);
        _workers.Client.Turn(untilNanos: 0);
    }

    public void Dispose() => _workers.Dispose();
}
