using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Connections that end before their handshake is complete are counted by what was wrong, and reported.</summary>
public sealed class UnopenedConnectionTests : IDisposable
{
    private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording());
    private readonly ProbeConnection _connection = new();

    public void Dispose() => _worker.Dispose();

    [Fact]
    public void Serve_PeerSendsNoHandshake_IsCountedAsFailed()
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1" });
        using TcpClient client = new();
        client.Connect(IPAddress.Loopback, listener.Port);
        client.GetStream().Write(Enumerable.Repeat((byte)0xFF, 200).ToArray());
        Until(() =>
        {
            if (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                _worker.Serve(accepted, _connection);
            return _worker.Recording.Counters[Counter.HandshakesFailed] > 0;
        });
        Assert.Equal((1, 0, 0, 0), (_worker.Recording.Counters[Counter.HandshakesFailed], _worker.Recording.Counters[Counter.HandshakesTimedOut],
            _worker.OpenConnections, _worker.ServedConnections));
        Assert.False(_connection.IsOpened);
        Assert.True(_worker.Recording.Notices.TryDequeueNotice(out Notice? notice));
        Assert.StartsWith("Connection not completed: ", notice.Cause, StringComparison.Ordinal);
        Assert.StartsWith("Connection not completed: ", notice.Text, StringComparison.Ordinal);
    }

    private void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed.TotalSeconds < 180, "the condition never held");
            _worker.Turn(Clock.NowNanos + 2_000_000);
        }
    }
}
