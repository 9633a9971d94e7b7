using System.Diagnostics;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>A listener and a poller that serves both ends of its connections from the test's own thread.</summary>
internal sealed class OwnPeers : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    public OwnPeers(ListenOptions? options = null, bool busy = false, Network? network = null)
    {
        Listener = RsslListener.Bind(options ?? TestChannels.Listen);
        Poller = new ChannelPoller(busy, network ?? SystemNetwork.Instance);
    }

    public RsslListener Listener { get; }

    public ChannelPoller Poller { get; }

    public ConnectOptions ClientOptions => TestChannels.Connect with { Host = "127.0.0.1", Port = Listener.Port };

    /// <summary>Runs turns until a condition holds.</summary>
    public void Drive(Func<bool> until)
    {
        for (long start = Stopwatch.GetTimestamp(); !until();)
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Limit, "nothing came of it in time");
            Turn();
        }
    }

    public void Turn()
    {
        if (Listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? connection))
            Poller.Post(connection);
        Poller.Wait(Clock.NowNanos + 5 * Clock.NanosPerMilli);
    }

    public (RsslChannel Client, RsslChannel Server) Connect(ConnectOptions? options = null)
    {
        int before = Poller.Channels.Count;
        RsslChannel client = Poller.Connect(options ?? ClientOptions);
        Drive(() => Poller.Channels.Count == before + 2 && Poller.Channels[before].State != ChannelState.Connecting
            && Poller.Channels[before + 1].State != ChannelState.Connecting);
        RsslChannel server = Poller.Channels[before] == client ? Poller.Channels[before + 1] : Poller.Channels[before];
        Assert.Equal((ChannelState.Active, ChannelState.Active), (client.State, server.State));
        return (client, server);
    }

    /// <summary>Runs turns until the channel has returned this many messages.</summary>
    public List<byte[]> Read(RsslChannel channel, int count)
    {
        List<byte[]> messages = [];
        Drive(() =>
        {
            while (messages.Count < count && channel.TryRead(out ReadOnlySpan<byte> message))
                messages.Add(message.ToArray());
            return messages.Count == count;
        });
        return messages;
    }

    public void Dispose()
    {
        Poller.Dispose();
        Listener.Dispose();
    }
}
