using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <content>Channels over memory: no socket says when they are readable, so every wait looks.</content>
public sealed partial class ChannelPoller
{
    private readonly List<(RsslChannel Channel, MemoryPipe Pipe)> _inMemory = [];

    /// <summary>Opens a client's channel over memory.</summary>
    internal RsslChannel OpenClient(MemoryPipe pipe, ConnectOptions options) =>
        Open(pipe, options, new ClientHandshake(options, options.HighestVersion, ""));

    /// <summary>Opens a server's channel over memory.</summary>
    internal RsslChannel OpenServer(MemoryPipe pipe, ListenOptions options) => Open(pipe, options, new ServerHandshake(options, refusal: null));

    private RsslChannel Open(MemoryPipe pipe, ChannelOptions options, Handshake handshake)
    {
        RsslChannel channel = new(this, _pool, options);
        _channels.Add(channel);
        _inMemory.Add((channel, pipe));
        channel.Open(pipe, handshake, Clock.NowNanos);
        return channel;
    }

    private void LookIntoMemory()
    {
        long now = Clock.NowNanos;
        foreach ((RsslChannel channel, MemoryPipe pipe) in _inMemory)
        {
            if (channel.State == ChannelState.Closed || !(pipe.HasInput || channel.IsBlocked))
                continue;
            channel.OnEvents(readable: pipe.HasInput, writable: channel.IsBlocked, now);
            if (channel.State != ChannelState.Connecting)
                ListReady(channel);
        }
    }
}
