using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Two ends of one real connection over loopback, both owned by the test's thread.</summary>
internal sealed class LoopbackPair : IDisposable
{
    private const long GlanceNanos = 2_000_000;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly ChannelPoller _serverPoller = new();
    private readonly ChannelPoller _clientPoller = new();
    private readonly RsslListener _listener;

    /// <param name="outputBuffers">Output buffers of the server's side.</param>
    /// <param name="kernelBytes">Size of the kernel's buffers towards the client; 0 leaves the defaults.</param>
    public LoopbackPair(int outputBuffers = 1_000, int kernelBytes = 0)
    {
        _listener = RsslListener.Bind(new ListenOptions { Port = 0, OutputBuffers = outputBuffers, SendBufferBytes = kernelBytes });
        ConnectOptions connect = new() { Host = "127.0.0.1", Port = _listener.Port, ReceiveBufferBytes = kernelBytes };
        Client = _clientPoller.Connect(connect);
        Until(TryAccept);
        Until(() => Client.State == ChannelState.Active && _serverPoller.Channels is [{ State: ChannelState.Active }]);
        Server = _serverPoller.Channels[0];
    }

    public RsslChannel Server { get; }

    public RsslChannel Client { get; }

    /// <summary>Runs both sides until a condition holds.</summary>
    public void Until(Func<bool> condition)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(waited.Elapsed < Limit, "the condition never held");
            Glance();
        }
    }

    /// <summary>Polls both sides' sockets once.</summary>
    public void Glance()
    {
        _serverPoller.Wait(0);
        _clientPoller.Wait(Clock.NowNanos + GlanceNanos);
    }

    /// <summary>Flushes the server's side and reads the given number of messages at the client's.</summary>
    public List<byte[]> Receive(int count)
    {
        List<byte[]> messages = [];
        Until(() =>
        {
            Server.Flush();
            while (messages.Count < count && Client.TryRead(out ReadOnlySpan<byte> message))
                messages.Add(message.ToArray());
            return messages.Count == count;
        });
        Assert.False(Client.TryRead(out _));
        return messages;
    }

    public void Dispose()
    {
        _serverPoller.Dispose();
        _clientPoller.Dispose();
        _listener.Dispose();
    }

    private bool TryAccept()
    {
        if (!_listener.TryAccept(TimeSpan.FromMilliseconds(1), out AcceptedConnection? connection))
            return false;
        _serverPoller.Post(connection);
        return true;
    }
}
