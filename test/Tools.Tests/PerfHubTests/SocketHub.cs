using System.Diagnostics;
using HubPerf;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>
/// A hub on loopback with separate threads, and on the test's thread a source and the peers of the hub: all over real sockets.
/// </summary>
internal sealed class SocketHub : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly Worker _worker = new(new WorkerOptions { TickRate = 100 }, new WorkerRecording(HubCounter.Schema));
    private readonly WorkerListener? _listener;
    private readonly Func<Connection>? _create;

    /// <param name="createSource">Makes what serves a connection of the hub; null for a hub without an interactive source.</param>
    /// <param name="options">The hub's.</param>
    public SocketHub(Func<Connection>? createSource = null, HubPerfOptions? options = null)
    {
        _create = createSource;
        List<ConnectOptions> upstreams = [];
        if (createSource is not null)
        {
            _listener = new WorkerListener(new ListenOptions { Port = 0, OutputBuffers = 100_000 });
            upstreams.Add(AddressOf(_listener.Port));
        }

        Hub = new LoopbackHub(options ?? new(), upstreams);
        if (createSource is not null)
            Until(() => Hub.Read(HubGauge.Sources) == 1);
    }

    public LoopbackHub Hub { get; }

    /// <summary>Connects a peer that sends what the test wants, and logs it in.</summary>
    public TalkingPeer Talk(LoginRole role = LoginRole.Consumer)
    {
        TalkingPeer peer = new() { All = [] };
        _worker.Connect(peer, AddressOf(role == LoginRole.Consumer ? Hub.Port : Hub.ProviderPort));
        Until(() => peer.IsThere);
        peer.LogIn(role);
        Until(() => peer.Answers.Count > 0);
        return peer;
    }

    /// <summary>Connects a peer, and discards the hub's answer to the login.</summary>
    public TalkingPeer TalkOfItems(LoginRole role = LoginRole.Consumer)
    {
        TalkingPeer peer = Talk(role);
        Forget(peer);
        return peer;
    }

    public static void Forget(TalkingPeer peer)
    {
        peer.Answers.Clear();
        peer.Messages.Clear();
        peer.All!.Clear();
    }

    /// <summary>Connects a session of the library.</summary>
    public void Connect(Connection connection) => _worker.Connect(connection, AddressOf(Hub.Port));

    /// <summary>Gives everybody turns until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        for (Stopwatch waited = Stopwatch.StartNew(); !condition();)
        {
            Assert.True(waited.Elapsed < Limit, "the condition never held");
            _listener?.Accept(TimeSpan.Zero, [_worker], _ => _create!(), CancellationToken.None);
            _worker.Turn(Clock.NowNanos + Clock.NanosPerMilli);
        }
    }

    public void Dispose()
    {
        _worker.Dispose();
        _listener?.Dispose();
        Hub.Dispose();
    }

    private static ConnectOptions AddressOf(int port) => new() { Host = "127.0.0.1", Port = port, OutputBuffers = 100_000 };
}
