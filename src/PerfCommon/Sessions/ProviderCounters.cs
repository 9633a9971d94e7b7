using PerfCommon.Workers;
namespace PerfCommon.Sessions;

/// <summary>What one provider worker counts over all its connections, past ones included.</summary>
internal sealed class ProviderCounters
{
    /// <summary>Connections whose handshake was completed.</summary>
    public Tally Connections { get; } = new();

    /// <summary>Item requests received, rejected ones included.</summary>
    public Tally RequestsReceived { get; } = new();

    /// <summary>Item requests answered with a status.</summary>
    public Tally RequestsRejected { get; } = new();

    /// <summary>Closes received.</summary>
    public Tally ClosesReceived { get; } = new();

    /// <summary>Images handed to the socket whole.</summary>
    public Tally ImagesSent { get; } = new();

    /// <summary>Images queued that no socket took.</summary>
    public Tally ImagesNotSent { get; } = new();

    /// <summary>Updates handed to the socket whole.</summary>
    public Tally UpdatesSent { get; } = new();

    /// <summary>Updates of finished ticks that found no output buffer, ticks given up, and updates queued that no socket took.</summary>
    public Tally UpdatesNotSent { get; } = new();

    /// <summary>Those of <see cref="UpdatesNotSent"/> that found no output buffer.</summary>
    public Tally UpdatesStopped { get; } = new();

    /// <summary>Updates queued with a stamp.</summary>
    public Tally UpdateStampsSent { get; } = new();

    /// <summary>Posts received; dropped in this version.</summary>
    public Tally PostsReceived { get; } = new();

    /// <summary>Generic messages received on item streams.</summary>
    public Tally GenericsReceived { get; } = new();

    /// <summary>Generic messages received that carried a stamp.</summary>
    public Tally GenericStampsReceived { get; } = new();

    /// <summary>Messages that no part of the provider handles.</summary>
    public Tally MessagesDropped { get; } = new();

    /// <summary>Messages that went out, of all kinds; with <see cref="BuffersWritten"/> the average pack.</summary>
    public Tally MessagesWritten { get; } = new();

    /// <summary>Buffers that carried them.</summary>
    public Tally BuffersWritten { get; } = new();
}
