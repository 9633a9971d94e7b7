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
    /// <summary>True when all of them are this host.</summary>
    public bool AreLocal => Addresses.All(IPAddress.IsLoopback);

    /// <summary>Resolves the typed hosts.</summary>
    /// <param name="kind">The transport.</param>
    /// <param name="typed">The hosts; empty for this one.</param>
    /// <exception cref="SetupException">None of them is usable, or a name is unknown.</exception>
    public static PeerHosts Read(LinkKind kind, IReadOnlyList<string> typed)
    {
        List<IPAddress> addresses = [];
        List<string> notes = [];
        bool isAnyUsed = typed.Count == 0;
        foreach (string peer in typed)
        {
            bool fits = SchemeOf(peer) == kind.Scheme && FitsFamily(peer, kind.Family);
            if (!fits)
                notes.Add($"-peer {PrintableText.From(peer)} does not fit {kind.Name}: left out");
            else if (kind.Scheme is null)
                addresses.AddRange(Resolve(peer, kind));
            isAnyUsed |= fits;
        }

        if (!isAnyUsed)
            throw new SetupException(SetupProblem.CommandLine, $"-peer: none of them fits {kind.Name}");
        if (addresses.Count == 0 && kind.Scheme is null)
            addresses.Add(kind.Family == AddressFamily.InterNetworkV6 ? IPAddress.IPv6Loopback : IPAddress.Loopback);
        return new(addresses, notes);
    }

    /// <summary>True when an address is among them.</summary>
    public bool Admit(PeerAddress at) => Addresses.Count == 0 || Addresses.Any(address => address.ToString() == at.Host);

    // The scheme of a transport with which it begins; null for a host.
    private static string? SchemeOf(string peer) => LinkKinds.All.Select(kind => kind.Scheme)
        .FirstOrDefault(scheme => scheme is not null && peer.StartsWith(scheme, StringComparison.OrdinalIgnoreCase));

    private static bool FitsFamily(string peer, AddressFamily? family) =>
        !IPAddress.TryParse(peer, out IPAddress? address) || family is null || address.AddressFamily == family;

    private static IPAddress[] Resolve(string peer, LinkKind kind)
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
                [.. Dns.GetHostAddresses(peer).Where(address => kind.Family is not { } family || address.AddressFamily == family)];
            return found.Length > 0
                ? found : throw new SetupException(SetupProblem.NotStarted,
                    $"-peer {PrintableText.From(peer)}: no address for {kind.Name}");
        }
        catch (Exception problem) when (problem is SocketException or ArgumentException)
        {
            throw new SetupException(SetupProblem.NotStarted, $"-peer: {NetworkAddresses.DescribeHost(peer, problem)}", problem);
        }
    }
}
