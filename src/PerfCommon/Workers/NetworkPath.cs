using System.Net;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>The system's statistics of all TCP connections from one address to another, until their end.</summary>
/// <param name="Local">The address of this side.</param>
/// <param name="Peer">The address of the other side.</param>
/// <param name="Connections">Number of connections.</param>
/// <param name="Facts">Sums; of round trips the greatest and the least, of the path's MTU the least.</param>
/// <param name="MaxBusyMicros">How long the connection that had bytes on their way for the longest time had some.</param>
internal sealed record NetworkPath(string Local, string Peer, int Connections, TcpFacts Facts, long MaxBusyMicros)
{
    /// <summary>Maximum number of pairs of addresses kept for a worker or a run.</summary>
    public const int MaxKept = 64;

    /// <summary>Reads the path of a channel that has ended; null where the system does not report it.</summary>
    public static NetworkPath? Of(RsslChannel channel) =>
        channel.TcpFacts is { } facts && Describe(channel.Info.LocalAddress) is { } local && Describe(channel.Info.RemoteAddress) is { } peer
        ? new(local, peer, 1, facts, facts.BusyMicros) : null;

    /// <summary>Adds up those of the same two addresses, in the order in which each pair is first.</summary>
    public static IReadOnlyList<NetworkPath> Merge(IEnumerable<NetworkPath> paths) =>
        [.. paths.GroupBy(path => (path.Local, path.Peer)).Select(same => same.Aggregate((sum, path) => sum.Add(path))).Take(MaxKept)];

    private NetworkPath Add(NetworkPath other) => this with
    {
        Connections = Connections + other.Connections,
        MaxBusyMicros = Math.Max(MaxBusyMicros, other.MaxBusyMicros),
        Facts = new()
        {
            BusyMicros = Facts.BusyMicros + other.Facts.BusyMicros,
            PeerLimitedMicros = Facts.PeerLimitedMicros + other.Facts.PeerLimitedMicros,
            PathMtu = Math.Min(Facts.PathMtu, other.Facts.PathMtu),
            RoundTripMicros = Math.Max(Facts.RoundTripMicros, other.Facts.RoundTripMicros),
            MinRoundTripMicros = Facts.MinRoundTripMicros is { } min ? Math.Min(min, other.Facts.MinRoundTripMicros ?? min) : other.Facts.MinRoundTripMicros,
            SegmentsSent = Facts.SegmentsSent + other.Facts.SegmentsSent,
            SegmentsResent = Facts.SegmentsResent + other.Facts.SegmentsResent,
            BytesSent = Facts.BytesSent + other.Facts.BytesSent,
            BytesResent = Facts.BytesResent + other.Facts.BytesResent,
        },
    };

    private static string? Describe(EndPoint? end) => end is IPEndPoint { Address: var address }
        ? (address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address).ToString() : null;
}
