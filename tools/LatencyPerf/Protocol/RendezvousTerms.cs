using System.Net;

namespace LatencyPerf.Protocol;

/// <summary>The terms of a publisher's test before any subscriber has arrived.</summary>
internal sealed record RendezvousTerms
{
    /// <summary>The publisher's domain and session.</summary>
    public required TestIdentity Identity { get; init; }

    /// <summary>The number of subscribers, 1 to 32.</summary>
    public required int Subscribers { get; init; }

    public bool Reliable { get; init; }

    /// <summary>Decides whether a subscriber at an address may take part.</summary>
    public Func<PeerAddress, bool> Admits { get; init; } = _ => true;

    /// <summary>Finds why data cannot be sent to a group, in a few words; null when it can be sent.</summary>
    public Func<IPEndPoint, string?> FindGroupProblem { get; init; } = _ => null;

    /// <summary>The group on which replies are received; null for none.</summary>
    public IPEndPoint? ReplyGroup { get; init; }

    public long NumIter { get; init; } = 1;
    public int MinBytes { get; init; } = DataPacket.MinBytes;
    public int MaxBytes { get; init; } = DataPacket.MinBytes;
    public int Window { get; init; } = Windows.Usual;

    public DatagramMarks Marks => Reliable ? DatagramMarks.Reliable : DatagramMarks.None;

    public WelcomeTerms WelcomeAt(int place) => new(place, Subscribers, ReplyGroup, NumIter, MinBytes, MaxBytes, Window);
}
