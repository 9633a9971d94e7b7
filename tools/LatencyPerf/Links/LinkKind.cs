using System.Globalization;
using System.Net.Sockets;

namespace LatencyPerf.Links;

/// <summary>A transport of a test's datagrams: its names, what it needs and offers, and its link.</summary>
/// <param name="Number">Its number for <c>-transport</c>: the guide's, and ours beyond them.</param>
/// <param name="Word">Its word for <c>-transport</c>.</param>
/// <param name="Name">Its name in the output.</param>
/// <param name="Create">Creates the link of a side.</param>
internal sealed record LinkKind(int Number, string Word, string Name, Func<TestPlace, ILink> Create)
{
    /// <summary>The family of its addresses; null for both.</summary>
    public AddressFamily? Family { get; init; }

    /// <summary>The scheme of <c>-peer</c> for a transport within one host; null where peers have addresses.</summary>
    public string? Scheme { get; init; }

    /// <summary>True where sockets carry single datagrams, which groups need.</summary>
    public bool IsUdp { get; init; }

    /// <summary>True where nothing can be lost or overtaken.</summary>
    public bool IsStream { get; init; }

    /// <summary>True where connections can be encrypted.</summary>
    public bool TakesTls { get; init; }
}

/// <summary>Every transport, one row each: a new one is the class of its link and a row.</summary>
internal static class LinkKinds
{
    public static IReadOnlyList<LinkKind> All { get; } =
    [
        new(1, "udp", "UDPv4", place => new UdpLink(UdpLinkOptions.Of(place))) { Family = AddressFamily.InterNetwork, IsUdp = true },
        new(2, "shmem", "shared memory", place => new SharedMemoryLink(
            new SharedPlace(place.Options.Ports.DomainId), place.Options.Own, SharedLayout.Of(place.Options))) { Scheme = "shmem://" },
        new(8, "udp6", "UDPv6", place => new UdpLink(UdpLinkOptions.Of(place))) { Family = AddressFamily.InterNetworkV6, IsUdp = true },
        new(16, "rssl", "RSSL", place => new RsslLink(StreamPlace.Of(place), place.Options.IsBusy)) { IsStream = true, TakesTls = true },
        new(32, "tcp", "TCP", place => new TcpLink(StreamPlace.Of(place))) { IsStream = true },
    ];

    /// <summary>The transport of a test that names none.</summary>
    public static LinkKind Usual => All[0];

    public static LinkKind Of(int number) => All.Single(kind => kind.Number == number);

    /// <summary>Lists the numbers of some transports for a sentence: 1, 2 or 8.</summary>
    /// <param name="some">True for those in the list.</param>
    /// <param name="last">The word before the last one.</param>
    public static string Numbers(Func<LinkKind, bool> some, string last = "or")
    {
        string[] numbers = [.. All.Where(some).Select(kind => kind.Number.ToString(CultureInfo.InvariantCulture))];
        return numbers.Length == 1 ? numbers[0] : $"{string.Join(", ", numbers[..^1])} {last} {numbers[^1]}";
    }

    /// <summary>Lists the numbers and words of some transports for the help: 1 or udp, 2 or shmem.</summary>
    public static string Words(Func<LinkKind, bool> some) =>
        string.Join(", ", All.Where(some).Select(kind => string.Create(CultureInfo.InvariantCulture, $"{kind.Number} or {kind.Word}")));
}
