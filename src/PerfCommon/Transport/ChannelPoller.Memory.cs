using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <content>Channels over memory: no socket says when they are readable, so every wait looks.</content>
public sealed partial class ChannelPoller
{
    private readonly List<(RsslChannel Channel, MemoryPipe Pipe)> _inMemory = [];

    /// <summary>Opens a client's or a server's channel over memory.</summary>
    internal RsslChannel Open(MemoryPipe pipe, ChannelOptions options)
    {
        RsslChannel channel = new(this, _pool, options);
        _channels.Add(channel);
        _inMemory.Add((channel, pipe));
        channel.Open(pipe, Handshake.Create(options), Clock.NowNanos);
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
