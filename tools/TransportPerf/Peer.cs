using PerfCommon.Transport;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>One connection as its worker sees it. Owned by that worker.</summary>
internal sealed class Peer(RsslChannel channel, int number, long activeSinceNanos)
{
    private const long ProvenNanos = 1_000_000_000;

    public RsslChannel Channel { get; } = channel;

    /// <summary>Number of the connection within its worker, from 0: chooses its cells of stamps.</summary>
    public int Number { get; } = number;

    /// <summary>Sequence number of the next message to send.</summary>
    public long NextSequence { get; set; }

    /// <summary>Sequence number that the next message must have; meaningless before the first.</summary>
    public long ExpectedSequence { get; set; }

    public long MessagesReceived { get; set; }

    public long BytesReceived { get; set; }

    public long LatencyMessages { get; set; }

    /// <summary>Messages of this tick's burst.</summary>
    public int BurstSize { get; set; }

    /// <summary>Those of them that are written.</summary>
    public int BurstDone { get; set; }

    /// <summary>The message of the burst that carries a stamp; -1 for none.</summary>
    public int StampPosition { get; set; }

    /// <summary>Messages that were due and never written.</summary>
    public long NeverWritten { get; set; }

    /// <summary>Those of them that found no output buffer.</summary>
    public long Stopped { get; set; }

    /// <summary>Set when the peer broke the rules of the tool; says how.</summary>
    public string? Violation { get; set; }

    /// <summary>True when the violation is a gap in the sequence.</summary>
    public bool LostMessages { get; set; }

    /// <summary>True when messages are JSON, by the sub-protocol that was agreed.</summary>
    public bool IsJson { get; } = channel.Info.ProtocolType == RsslProtocol.Json;

    /// <summary>What waits to be sent back.</summary>
    public Reflection Reflection { get; } = new();

    public bool HasBurst => BurstDone < BurstSize;

    /// <summary>Gives the rest of the burst up.</summary>
    /// <param name="forLackOfBuffers">True when it was the output buffers that failed it.</param>
    public void DropBurst(bool forLackOfBuffers)
    {
        int left = BurstSize - BurstDone;
        NeverWritten += left;
        Stopped += forLackOfBuffers ? left : 0;
        (BurstSize, BurstDone) = (0, 0);
    }

    /// <summary>True for a connection that has really been a partner of the test: messages went one way or the other, or it stood a second.</summary>
    public bool IsProven(long nowNanos) =>
        MessagesReceived > 0 || Channel.MessagesSent > 0 || nowNanos - activeSinceNanos >= ProvenNanos;

    /// <summary>Everything counted so far.</summary>
    public TransportCounts Count(bool isOver) => new()
    {
        MessagesSent = Channel.MessagesSent,
        BytesSent = Channel.BytesWritten,
        MessagesNotSent = NeverWritten + (isOver ? Channel.MessagesQueued : 0),
        MessagesStopped = Stopped,
        MessagesReceived = MessagesReceived,
        BytesReceived = BytesReceived,
        LatencyMessagesReceived = LatencyMessages,
    };
}
