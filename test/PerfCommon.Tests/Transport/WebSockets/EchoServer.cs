using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>A server of ours on a dedicated thread that sends every message back.</summary>
internal sealed class EchoServer : IDisposable
{
    private readonly RsslListener _listener;
    private readonly ChannelPoller _poller = new();
    private readonly TestThread _thread;
    private volatile bool _stop;

    public EchoServer(ListenOptions options)
    {
        _listener = RsslListener.Bind(options);
        _thread = new TestThread(Run);
        _thread.Start();
    }

    public int Port => _listener.Port;

    public void Dispose()
    {
        _stop = true;
        _thread.Join();
        _poller.Dispose();
        _listener.Dispose();
    }

    private void Run()
    {
        while (!_stop)
        {
            if (_listener.TryAccept(TimeSpan.FromMilliseconds(_poller.Channels.Count == 0 ? 10 : 0), out AcceptedConnection? connection))
                _poller.Post(connection);
            _poller.Wait(System.Diagnostics.Stopwatch.GetTimestamp() + 1_000_000);
            foreach (RsslChannel channel in _poller.Channels)
                Echo(channel);
        }
    }

    private static void Echo(RsslChannel channel)
    {
        while (channel.TryRead(out ReadOnlySpan<byte> message))
        {
            byte[] copy = message.ToArray();
            if (!channel.TryBeginMessage(copy.Length, out Span<byte> room))
                break;
            copy.CopyTo(room);
            channel.EndMessage(copy.Length);
        }

        if (channel.State == ChannelState.Active)
            channel.Flush();
    }
}
