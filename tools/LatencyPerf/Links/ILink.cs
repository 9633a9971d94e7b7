using LatencyPerf.Protocol;

namespace LatencyPerf.Links;

/// <summary>Moves the datagrams of a test. Owned by one thread.</summary>
internal interface ILink : IDatagramOutput, IDisposable
{
    /// <summary>Describes the link in lines for the start of a run.</summary>
    IReadOnlyList<string> Description { get; }

    /// <summary>
    /// The sender of the last received datagram; null after the rendezvous, and where there is only one peer.
    /// </summary>
    PeerAddress? Source { get; }

    /// <summary>Why peers cannot be reached any more; null while they can be reached.</summary>
    string? Broken { get; }

    /// <summary>Datagrams that the kernel dropped because a socket buffer was full.</summary>
    long KernelDrops { get; }

    /// <summary>Datagrams that were dropped on purpose, for tests.</summary>
    long Dropped => 0;

    /// <summary>Receives the next datagram that has arrived; never waits. The span is valid, and may be changed, until the next call.</summary>
    bool TryReceive(out Span<byte> datagram);

    /// <summary>True when the system has reported since the last call that no socket listens at the peer.</summary>
    bool PollRefusal();

    /// <summary>Sleeps until a datagram may have arrived, for a limited time.</summary>
    void Wait(long limitNanos);

    /// <summary>Ends the rendezvous when all sides are present: from now on only peers are answered.</summary>
    void EndRendezvous();

    /// <summary>Checks by other means than silence whether the peers live; called a few times per second.</summary>
    void LookForPeers()
    {
    }
}
