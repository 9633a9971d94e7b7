using System.Net;
using System.Net.Sockets;
using LatencyPerf.Protocol;

namespace LatencyPerf.Links;

/// <summary>The options of one side's UDP link.</summary>
internal sealed record UdpLinkOptions
{
    public required TestPorts Ports { get; init; }

    /// <summary>0 for the publisher, else the cookie.</summary>
    public required int Own { get; init; }

    /// <summary>The address to bind: that of the given interface, of the loopback, or any.</summary>
    public required IPAddress Address { get; init; }

    /// <summary>True when the interface was given, so that all datagrams use it.</summary>
    public bool IsInterfaceGiven { get; init; }

    /// <summary>The address of the publisher for a subscriber; null for the publisher itself.</summary>
    public IPAddress? PublisherAddress { get; init; }

    /// <summary>The group on which this side receives; null for none.</summary>
    public IPAddress? Group { get; init; }

    /// <summary>TTL or hop limit of datagrams to a group.</summary>
    public int Ttl { get; init; } = 1;

    /// <summary>The bytes that a socket must be able to hold.</summary>
    public int BufferBytes { get; init; }

    public bool IsPublisher => Own == 0;

    /// <summary>Returns the options of the link of a place.</summary>
    public static UdpLinkOptions Of(TestPlace place) => new()
    {
        Ports = place.Options.Ports,
        Own = place.Options.Own,
        Address = place.Address,
        IsInterfaceGiven = place.Options.Nic is not null,
        PublisherAddress = place.PublisherAddress,
        Group = place.Options.Group,
        Ttl = place.Options.Ttl,
        BufferBytes = place.Options.Window * (place.Options.MaxBytes + DatagramHeader.Bytes),
    };

    public bool IsVersion6 => Address.AddressFamily == AddressFamily.InterNetworkV6;
    public IPEndPoint Local => new(Address, IsPublisher ? Ports.Publisher : Ports.Subscriber(Own));

    /// <summary>The group on which this side receives, with its port.</summary>
    public IPEndPoint? GroupPoint => Group is null ? null : new(Group, IsPublisher ? Ports.ReplyGroup : Ports.DataGroup);
}
