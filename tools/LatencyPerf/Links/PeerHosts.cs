using System.Net;
using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Transport;

namespace LatencyPerf.Links;

/// <summary>The hosts that <c>-peer</c> names, as far as the transport can use them.</summary>
/// <param name="Addresses">Their addresses; none for shared memory.</param>
/// <param name="Notes">The reasons against the unusable ones.</param>
internal sealed record PeerHosts(IReadOnlyList<IPAddress> Addresses, IReadOnlyList<string> Notes)
{
    private const string SharedMemory = "shmem://";

    /// <summary>True when all of them are this host.</summary>
    public bool AreLocal => Addresses.All(IPAddress.IsLoopback);

    /// <summary>Resolves the typed hosts.</summary>
    /// <exception cref="SetupException">None of them is usable, or a name is unknown.</exception>
    public static PeerHosts Read(LatencyPerfOptions options)
    {
        bool isShared = options.Transport == TransportKind.SharedMemory;
        List<IPAddress> addresses = [];
        List<string> notes = [];
        bool isAnyUsed = options.Peers.Count == 0;
        foreach (string peer in options.Peers)
        {
            bool fits = isShared ? IsShared(peer) : !IsShared(peer) && FitsFamily(peer, options.Transport);
            if (!fits)
                notes.Add($"-peer {PrintableText.From(peer)} does not fit {Transports.NameOf(options.Transport)}: left out");
            else if (!isShared)
                addresses.AddRange(Resolve(peer, options.Transport));
            isAnyUsed |= fits;
        }

        if (!isAnyUsed)
            throw new SetupException(SetupProblem.CommandLine, $"-peer: none of them fits {Transports.NameOf(options.Transport)}");
        if (addresses.Count == 0 && !isShared)
            addresses.Add(options.Transport == TransportKind.Udp6 ? IPAddress.IPv6Loopback : IPAddress.Loopback);
        return new(addresses, notes);
    }

    /// <summary>True when an address is among them.</summary>
    public bool Admit(PeerAddress at) => Addresses.Count == 0 || Addresses.Any(address => address.ToString() == at.Host);

    private static bool IsShared(string peer) => peer.StartsWith(SharedMemory, StringComparison.OrdinalIgnoreCase);

    private static bool FitsFamily(string peer, TransportKind transport) =>
        !IPAddress.TryParse(peer, out IPAddress? address) || FamilyOf(transport) is not { } family || address.AddressFamily == family;

    private static AddressFamily? FamilyOf(TransportKind transport) => transport switch
    {
        TransportKind.Udp => AddressFamily.InterNetwork,
        TransportKind.Udp6 => AddressFamily.InterNetworkV6,
        _ => null,
    };

    private static IPAddress[] Resolve(string peer, TransportKind transport)
    {
        if (IPAddress.TryParse(peer, out IPAddress? literal))
        {
            return literal is { IsIPv6LinkLocal: true, ScopeId: 0 }
                ? throw new SetupException(SetupProblem.CommandLine,
                    $"-peer {literal} is of one link alone: name its interface, as in {literal}%eth0") : [literal];
        }

        try
        {
            IPAddress[] found =
                [.. Dns.GetHostAddresses(peer).Where(address => FamilyOf(transport) is not { } family || address.AddressFamily == family)];
            return found.Length > 0
                ? found : throw new SetupException(SetupProblem.NotStarted,
                    $"-peer {PrintableText.From(peer)}: no address for {Transports.NameOf(transport)}");
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException)
        {
            throw new SetupException(SetupProblem.NotStarted, $"-peer: {NetworkAddresses.DescribeHost(peer, problem)}", problem);
        }
    }
}
