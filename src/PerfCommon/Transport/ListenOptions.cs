namespace PerfCommon.Transport;

/// <summary>How a server listens and what it grants. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Options of layers below the frames (TLS, WebSocket) and the server's compression belong here.</remarks>
public sealed record ListenOptions : ChannelOptions
{
    /// <summary>TCP port; 0 for a free one.</summary>
    public required int Port { get; init; }

    /// <summary>Interface to listen on: its name, an address or a host; null for all, IPv6 and IPv4.</summary>
    public string? InterfaceName { get; init; }

    /// <summary>M in bytes, 20 to 65535: the largest body of one frame.</summary>
    public int MaxFragmentSize { get; init; } = 6144;

    /// <summary>Smallest ping time-out that a client gets, in seconds.</summary>
    public int MinPingTimeoutSeconds { get; init; } = 20;

    /// <summary>Connections open at once; further ones are refused with a nak.</summary>
    public int MaxConnections { get; init; } = 1024;

    /// <summary>Connections that the system holds for us until they are accepted.</summary>
    public int Backlog { get; init; } = 512;
}
