using System.Net;

namespace LatencyPerf.Protocol;

/// <summary>What a publisher's test is, before anybody has come.</summary>
internal sealed record MeetingTerms
{
    /// <summary>Domain and session; the publisher's own.</summary>
    public required TestIdentity Identity { get; init; }

    /// <summary>How many take part, 1 to 32.</summary>
    public required int Subscribers { get; init; }

    public bool Reliable { get; init; }

    /// <summary>Whether somebody there may take part.</summary>
    public Func<PeerAddress, bool> Admits { get; init; } = _ => true;

    /// <summary>Why data cannot be sent to a group, in a few words; null when it can.</summary>
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
