using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Transport;

namespace LatencyPerf.Links;

/// <summary>The addresses of a side: its own, those of the others, and the link between them.</summary>
internal sealed class TestPlace
{
    private const int UdpOverheadBytes = 8, Ip4OverheadBytes = 20, Ip6OverheadBytes = 40;

    private readonly PeerHosts _peers;

    private TestPlace(LinkOptions options, PeerHosts peers, IPAddress address) => (Options, _peers, Address) = (options, peers, address);

    public LinkOptions Options { get; }

    /// <summary>The own address: that of the given interface, of the loopback, or any.</summary>
    public IPAddress Address { get; }

    /// <summary>The address of the publisher for a subscriber; null for the publisher itself.</summary>
    public IPAddress? PublisherAddress => Options.IsPublisher ? null : _peers.Addresses[0];

    /// <summary>The remarks about it before the start.</summary>
    public IReadOnlyList<string> Notes =>
        [.. _peers.Notes, .. FindFragments() is { } note ? new[] { note } : []];

    /// <summary>True when all sides are on this host.</summary>
    public bool IsLocal => _peers.AreLocal;

    /// <exception cref="SetupException">An address is not available.</exception>
    public static TestPlace Find(LinkOptions options)
    {
        PeerHosts peers = PeerHosts.Read(options.Kind, options.Peers);
        return new(options, peers, FindOwn(options, peers));
    }

    /// <summary>True when a peer at an address may take part.</summary>
    public bool Admits(PeerAddress at) => _peers.Admit(at);

    /// <summary>Why data cannot be sent to a group, in a few words; null when it can be sent.</summary>
    public string? FindGroupProblem(IPEndPoint group)
    {
        if (!Options.Kind.IsUdp || group.AddressFamily != Address.AddressFamily)
            return $"no groups such as {group.Address} over {Options.Kind.Name}";
        if (group.Port != Options.Ports.DataGroup)
            return string.Create(CultureInfo.InvariantCulture, $"a group has port {Options.Ports.DataGroup} here, not {group.Port}");
        return Options.Nic is null ? "the publisher was started without -nic, which groups need" : null;
    }

    /// <exception cref="SetupException">A port, an address or memory is not available.</exception>
    public ILink CreateLink()
    {
        ILink link = Options.Kind.Create(this);
        return Options.Drop.Rate > 0 ? new LossyLink(link, Options.Drop.Rate, Options.Drop.Seed) : link;
    }

    private static IPAddress FindOwn(LinkOptions options, PeerHosts peers)
    {
        bool isVersion6 = options.Kind.Family == AddressFamily.InterNetworkV6;
        if (options.Nic is { } nic && options.Kind.Scheme is null)
            return FindInterface(nic, options.Kind.Family);

        if (peers.AreLocal)
        {
            return peers.Addresses is [{ AddressFamily: AddressFamily.InterNetworkV6 }, ..] || isVersion6
                ? IPAddress.IPv6Loopback : IPAddress.Loopback;
        }

        return isVersion6 ? IPAddress.IPv6Any : IPAddress.Any;
    }

    private static IPAddress FindInterface(string nic, AddressFamily? family)
    {
        IPAddress[] own =
            [.. NetworkInterface.GetAllNetworkInterfaces().SelectMany(one =>
                one.GetIPProperties().UnicastAddresses).Select(one => one.Address)];
        try
        {
            IPAddress found = NetworkAddresses.FindInterface(nic, family);
            if ((family is null || found.AddressFamily == family) && (IPAddress.IsLoopback(found) || own.Contains(found)))
                return found;
        }
        catch (IOException)
        {
            // reported below, with the existing ones
        }

        throw new SetupException(SetupProblem.NotStarted,
            $"-nic {PrintableText.From(nic)} is not on this machine, which has {string.Join(", ", own.Select(one => one.ToString()))}");
    }

    private string? FindFragments()
    {
        if (!Options.Kind.IsUdp || Address.Equals(IPAddress.Any) || Address.Equals(IPAddress.IPv6Any))
            return null;
        int index = UdpSockets.IndexOf(Address);
        bool isVersion6 = Address.AddressFamily == AddressFamily.InterNetworkV6;
        int mtu = NetworkInterface.GetAllNetworkInterfaces().Select(one => one.GetIPProperties())
            .Select(one =>
                isVersion6 ? (one.GetIPv6Properties().Index, one.GetIPv6Properties().Mtu)
                : (one.GetIPv4Properties().Index, one.GetIPv4Properties().Mtu))
            .FirstOrDefault(one => one.Index == index).Mtu;
        int room = mtu - UdpOverheadBytes - (isVersion6 ? Ip6OverheadBytes : Ip4OverheadBytes) - DatagramHeader.Bytes;
        return mtu > 0 && Options.IsPublisher && Options.MaxBytes > room
            ? FormattableString.Invariant($"Packets above {room} bytes are fragmented by IP: the interface's MTU is {mtu}.") : null;
    }
}
