namespace PerfCommon.Transport;

/// <summary>Where a channel stands in its life.</summary>
public enum ChannelState : byte
{
    /// <summary>The name is resolved, the socket connects, or the handshake runs; nothing can be read or written.</summary>
    Connecting,

    /// <summary>The handshake is done.</summary>
    Active,

    /// <summary>The peer has ended its stream and the rest of ours is still on its way; nothing new can be written.</summary>
    Closing,

    /// <summary>Over; <see cref="RsslChannel.Closed"/> says why.</summary>
    Closed,
}
