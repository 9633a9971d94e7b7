using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public sealed class DialerTests : IDisposable
{
    private readonly Worker _worker = new(new WorkerOptions(), new WorkerRecording());
    private readonly ProbeConnection _connection = new();

    public void Dispose() => _worker.Dispose();

    [Fact]
    public void DialWhenDue_NobodyListens_RetriesUntilSomebodyDoes()
    {
        int port = FreePort();
        Dialer dialer = _worker.Connect(_connection, To(port), givesUpWhenRefused: true);
        string notice = "";
        Until(() => _worker.Recording.Notices.TryDequeue(out notice));
        Assert.Null(dialer.GaveUp);
        Assert.Equal($"Connection failed: {dialer.Problem}; will retry every second", notice);

        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = port });
        using ChannelPoller server = new();
        Until(() =>
        {
            if (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
                server.Post(accepted);
            server.Wait(0);
            return _connection.IsOpened;
        });
        Assert.Equal(1, _worker.OpenConnections);
    }

    [Fact]
    public void DialWhenDue_ServerRefuses_GivesUp()
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 });
        using ChannelPoller server = new();
        Dialer dialer = _worker.Connect(_connection, To(listener.Port), givesUpWhenRefused: true);
        Until(() =>
        {
            if (listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted))
            {
                accepted.Refuse("no room");
                server.Post(accepted);
            }

            server.Wait(0);
            return dialer.GaveUp is not null;
        });
        Assert.Contains("no room", dialer.GaveUp, StringComparison.Ordinal);
        Assert.Equal(long.MaxValue, dialer.NextAttemptNanos);
        Assert.False(_worker.Recording.Notices.TryDequeue(out _));
    }

    private static ConnectOptions To(int port) => new() { Host = "127.0.0.1", Port = port };

    // Bound once and released, so that no server listens there; below the ports that the system assigns to other programs meanwhile.
    private static int FreePort()
    {
        while (true)
        {
            try
            {
                using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = Random.Shared.Next(12_000, 32_000) });
                return listener.Port;
            }
            catch (IOException)
            {
                // taken: another one
            }
        }
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
