using LatencyPerf.Protocol;

namespace LatencyPerf.Links;

/// <summary>Moves the datagrams of a test. Owned by one thread.</summary>
internal interface ILink : IDatagramOutput, IDisposable
{
    /// <summary>Lines about it for the start of a run.</summary>
    IReadOnlyList<string> Description { get; }

    /// <summary>
    /// Where the datagram that was received last came from; null once the meeting is over, and where there is one peer alone.
    /// </summary>
    PeerAddress? Source { get; }

    /// <summary>Why peers cannot be reached any more; null while they can.</summary>
    string? Broken { get; }

    /// <summary>Datagrams for which the kernel had no room.</summary>
    long KernelDrops { get; }

    /// <summary>Takes the next datagram that is here; never waits. Valid, and the taker's to change, until the next call.</summary>
    bool TryReceive(out Span<byte> datagram);

    /// <summary>True when the system has said since the last call that nobody listens there.</summary>
    bool TakeRefusal();

    /// <summary>Sleeps until something may be here, at most so long.</summary>
    void Wait(long limitNanos);

    /// <summary>All are there: from now on nobody is answered who is no peer.</summary>
    void EndMeeting();

    /// <summary>Sees by other means than silence whether the peers live; a few times a second.</summary>
    void LookForPeers()
    {
    }
}
