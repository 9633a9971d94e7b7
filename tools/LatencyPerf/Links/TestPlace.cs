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

    private readonly LatencyPerfOptions _options;
    private readonly PeerHosts _peers;
    private readonly IPAddress _address;

    private TestPlace(LatencyPerfOptions options, PeerHosts peers, IPAddress address) =>
        (_options, _peers, _address) = (options, peers, address);

    /// <summary>The remarks about it before the start.</summary>
    public IReadOnlyList<string> Notes =>
        [.. _peers.Notes, .. _options.Connection.SummaryNotes, .. FindFragments() is { } note ? new[] { note } : []];

    /// <summary>True when all sides are on this host.</summary>
    public bool IsLocal => _peers.AreLocal;

    /// <exception cref="SetupException">An address is not available.</exception>
    public static TestPlace Find(LatencyPerfOptions options)
    {
        PeerHosts peers = PeerHosts.Read(options);
        return new(options, peers, FindOwn(options, peers));
    }

    /// <summary>True when a peer at an address may take part.</summary>
    public bool Admits(PeerAddress at) => _peers.Admit(at);

    /// <summary>Why data cannot be sent to a group, in a few words; null when it can be sent.</summary>
    public string? FindGroupProblem(IPEndPoint group)
    {
        if (!_options.Transport.IsUdp() || group.AddressFamily != _address.AddressFamily)
            return $"no groups such as {group.Address} over {Transports.NameOf(_options.Transport)}";
        if (group.Port != _options.Ports.DataGroup)
            return string.Create(CultureInfo.InvariantCulture, $"a group has port {_options.Ports.DataGroup} here, not {group.Port}");
        return _options.Nic is null ? "the publisher was started without -nic, which groups need" : null;
    }

    /// <exception cref="SetupException">A port, an address or memory is not available.</exception>
    public ILink CreateLink()
    {
        ILink link = Create();
        return _options.Drop.Rate > 0 ? new LossyLink(link, _options.Drop.Rate, _options.Drop.Seed) : link;
    }

    private ILink Create() => _options.Transport switch
    {
        TransportKind.SharedMemory => new SharedMemoryLink(new SharedPlace(_options.DomainId), Own, CreateLayout()),
        TransportKind.Tcp => new TcpLink(CreateStream()),
        TransportKind.Rssl => new RsslLink(CreateStream(), _options.BusyRead),
        _ => new UdpLink(CreateUdp()),
    };

    private int Own => _options.Publish ? IDatagramOutput.Publisher : _options.Cookie;

    private SharedLayout CreateLayout() =>
        new(Math.Max(Windows.Usual, _options.Window), Math.Max(TestIdentity.MaxControlBytes, DatagramHeader.Bytes + _options.MaxBytes),
            _options.Subscribers);

    private StreamPlace CreateStream() => new(_options.Ports, _address, _options.Publish ? null : _peers.Addresses[0])
    {
        ClientTls = _options.Connection.UsesTls && _options.Subscribe ? _options.Connection.Tls.LoadForClient() : null,
        ServerTls = _options.Connection.UsesTls && _options.Publish ? _options.Connection.Tls.LoadForServer() : null,
    };

    private UdpLinkOptions CreateUdp() => new()
    {
        Ports = _options.Ports,
        Own = Own,
        Address = _address,
        IsInterfaceGiven = _options.Nic is not null,
        PublisherAddress = _options.Publish ? null : _peers.Addresses[0],
        Group = _options.Group,
        Ttl = _options.Ttl,
        BufferBytes = _options.UsesStrictDelivery
            ? _options.Window * (_options.MaxBytes + DatagramHeader.Bytes) : _options.MaxBytes + DatagramHeader.Bytes,
    };

    private static IPAddress FindOwn(LatencyPerfOptions options, PeerHosts peers)
    {
        bool isVersion6 = options.Transport == TransportKind.Udp6;
        if (options.Nic is { } nic && options.Transport != TransportKind.SharedMemory)
        {
            return FindInterface(nic,
                options.Transport.IsUdp() ? (isVersion6 ? AddressFamily.InterNetworkV6 : AddressFamily.InterNetwork) : null);
        }

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
        if (!_options.Transport.IsUdp() || _address.Equals(IPAddress.Any) || _address.Equals(IPAddress.IPv6Any))
            return null;
        int index = UdpSockets.IndexOf(_address);
        bool isVersion6 = _address.AddressFamily == AddressFamily.InterNetworkV6;
        int mtu = NetworkInterface.GetAllNetworkInterfaces().Select(one => one.GetIPProperties())
            .Select(one =>
                isVersion6 ? (one.GetIPv6Properties().Index, one.GetIPv6Properties().Mtu)
                : (one.GetIPv4Properties().Index, one.GetIPv4Properties().Mtu))
            .FirstOrDefault(one => one.Index == index).Mtu;
        int room = mtu - UdpOverheadBytes - (isVersion6 ? Ip6OverheadBytes : Ip4OverheadBytes) - DatagramHeader.Bytes;
        return mtu > 0 && _options.Publish && _options.MaxBytes > room
            ? FormattableString.Invariant($"Packets above {room} bytes are fragmented by IP: the interface's MTU is {mtu}.") : null;
    }
}
