using System.Net;
using System.Net.Sockets;

namespace LatencyPerf.Links;

/// <summary>How one side uses UDP.</summary>
internal sealed record UdpLinkOptions
{
    public required TestPorts Ports { get; init; }

    /// <summary>0 for the publisher, else the cookie.</summary>
    public required int Own { get; init; }

    /// <summary>The address to bind: of the interface asked for, of the loopback, or any.</summary>
    public required IPAddress Address { get; init; }

    /// <summary>The interface was asked for, so all goes through it.</summary>
    public bool IsInterfaceGiven { get; init; }

    /// <summary>Where a subscriber finds the publisher; null for the publisher itself.</summary>
    public IPAddress? PublisherAddress { get; init; }

    /// <summary>The group on which this side receives; null for none.</summary>
    public IPAddress? Group { get; init; }

    /// <summary>TTL or hop limit of what goes to a group.</summary>
    public int Ttl { get; init; } = 1;

    /// <summary>What a socket must be able to hold, in bytes.</summary>
    public int BufferBytes { get; init; }

    public bool IsPublisher => Own == 0;
    public bool IsVersion6 => Address.AddressFamily == AddressFamily.InterNetworkV6;
    public IPEndPoint Local => new(Address, IsPublisher ? Ports.Publisher : Ports.Subscriber(Own));

    /// <summary>The group on which this side receives, with its port.</summary>
    public IPEndPoint? GroupPoint => Group is null ? null : new(Group, IsPublisher ? Ports.ReplyGroup : Ports.DataGroup);
}
