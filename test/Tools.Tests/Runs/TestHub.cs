using PerfCommon.Measurement;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>A hub as far as a publisher sees one: serves every connection on a port of loopback, on a separate thread.</summary>
internal sealed class TestHub : IDisposable
{
    private const long TurnNanos = 5 * Clock.NanosPerMilli;

    private readonly RsslListener _listener;
    private readonly Worker _worker = new(new WorkerOptions());
    private readonly Func<HubPeer> _create;
    private readonly List<HubPeer> _peers = [];
    private readonly Thread _thread;
    private Exception? _defect;

    /// <param name="options">How it listens; null for a free port and plain TCP.</param>
    /// <param name="create">Makes what serves a connection; null for one that accepts everybody.</param>
    public TestHub(ListenOptions? options = null, Func<HubPeer>? create = null)
    {
        _listener = RsslListener.Bind(options ?? new ListenOptions { Port = 0 });
        _create = create ?? (() => new HubPeer());
        _thread = new Thread(Run) { IsBackground = true, Name = "hub" };
        _thread.Start();
    }

    public int Port => _listener.Port;

    /// <summary>Ends every connection in good order.</summary>
    /// <returns>The connections that there were, in the order of their coming.</returns>
    public IReadOnlyList<HubPeer> End()
    {
        _worker.RequestEnd();
        Assert.True(_thread.Join(ReplayPeer.Patience));
        Assert.Null(_defect);
        return _peers;
    }

    public void Dispose()
    {
        _worker.RequestEnd();
        _thread.Join(ReplayPeer.Patience);
        _listener.Dispose();
        _worker.Dispose();
    }

    private void Run()
    {
        try
        {
            while (!_worker.HasEnded)
            {
                if (_listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                {
                    _peers.Add(_create());
                    _worker.Serve(accepted, _peers[^1]);
                }

                _worker.Turn(Clock.NowNanos + TurnNanos);
            }
        }
#pragma warning disable CA1031 // atop a thread; the test fails with it
        catch (Exception defect)
#pragma warning restore CA1031
        {
            _defect = defect;
        }
    }
}
