using PerfCommon.Workers;
namespace PerfCommon.Sessions;

/// <summary>What one consumer worker counts.</summary>
internal sealed class ConsumerCounters
{
    /// <summary>Item requests handed to the socket whole.</summary>
    public Tally RequestsSent { get; } = new();

    /// <summary>Refreshes received on item streams.</summary>
    public Tally RefreshesReceived { get; } = new();

    /// <summary>Updates received before the worker's last image.</summary>
    public Tally StartupUpdates { get; } = new();

    /// <summary>Updates received after it, up to the end of measuring.</summary>
    public Tally SteadyUpdates { get; } = new();

    /// <summary>Updates received after the end of measuring, while the connection was drained.</summary>
    public Tally DrainedUpdates { get; } = new();

    /// <summary>Status messages received on item streams.</summary>
    public Tally StatusesReceived { get; } = new();

    /// <summary>Generic messages received on item streams.</summary>
    public Tally GenericsReceived { get; } = new();

    /// <summary>Messages that no part of the consumer handles.</summary>
    public Tally MessagesDropped { get; } = new();

    /// <summary>Fields skipped because the dictionary lacks them.</summary>
    public Tally FieldsSkipped { get; } = new();

    /// <summary>Items that have their image.</summary>
    public Tally ItemsWithImage { get; } = new();
}
