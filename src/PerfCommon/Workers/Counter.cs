namespace PerfCommon.Workers;

/// <summary>Everything that any program counts, each thing once; a report row names it (docs/json-lines.md).</summary>
/// <remarks>A new counter is a member here and a row in a report; JSON lines have them in this order. "Sent" means that the socket took the last byte.</remarks>
internal enum Counter
{
    /// <summary>Connections whose handshake was completed.</summary>
    Connections,

    /// <summary>Item requests sent.</summary>
    RequestsSent,

    /// <summary>Item requests received, rejected ones included.</summary>
    RequestsReceived,

    /// <summary>Item requests answered with a status.</summary>
    RequestsRejected,

    /// <summary>Item refreshes sent.</summary>
    RefreshesSent,

    /// <summary>Item refreshes queued that no socket took.</summary>
    RefreshesNotSent,

    /// <summary>Refreshes received on item streams.</summary>
    RefreshesReceived,

    /// <summary>Items that have their first complete refresh.</summary>
    ItemsWithRefresh,

    /// <summary>Updates sent.</summary>
    UpdatesSent,

    /// <summary>Updates due and never sent: no output buffer, a tick given up, or queued and taken by no socket.</summary>
    UpdatesNotSent,

    /// <summary>Those of <see cref="UpdatesNotSent"/> that found no output buffer.</summary>
    UpdatesStopped,

    /// <summary>Updates queued with a time stamp.</summary>
    UpdateStampsSent,

    /// <summary>Updates received before the worker's last refresh.</summary>
    StartupUpdates,

    /// <summary>Updates received from then to the end of measuring.</summary>
    SteadyUpdates,

    /// <summary>Updates received after the end of measuring, while the connection was drained: received, but in no rate.</summary>
    DrainedUpdates,

    /// <summary>Posts sent.</summary>
    PostsSent,

    /// <summary>Posts due and never sent.</summary>
    PostsNotSent,

    /// <summary>Posts received.</summary>
    PostsReceived,

    /// <summary>Posts sent back.</summary>
    PostsReflected,

    /// <summary>Generic messages sent.</summary>
    GenericSent,

    /// <summary>Generic messages sent with a time stamp.</summary>
    GenericStampsSent,

    /// <summary>Generic messages due and never sent.</summary>
    GenericNotSent,

    /// <summary>Generic messages received.</summary>
    GenericReceived,

    /// <summary>Generic messages received with a time stamp.</summary>
    GenericStampsReceived,

    /// <summary>Closes received.</summary>
    ClosesReceived,

    /// <summary>Status messages received on item streams.</summary>
    StatusesReceived,

    /// <summary>Messages received and not used: unknown stream, not understood, or of a kind that is not available.</summary>
    MessagesDropped,

    /// <summary>Fields skipped because the dictionary lacks them.</summary>
    FieldsSkipped,

    /// <summary>Messages that went into packed buffers.</summary>
    PackedMessages,

    /// <summary>Packed buffers written.</summary>
    PackBuffers,

    /// <summary>Opaque messages sent.</summary>
    MessagesSent,

    /// <summary>Bytes of them as they go on the wire, headers included.</summary>
    BytesSent,

    /// <summary>Opaque messages due and never sent.</summary>
    MessagesNotSent,

    /// <summary>Those of <see cref="MessagesNotSent"/> that found no output buffer.</summary>
    MessagesStopped,

    /// <summary>Opaque messages received.</summary>
    MessagesReceived,

    /// <summary>Their own bytes.</summary>
    BytesReceived,

    /// <summary>Opaque messages received with a time stamp.</summary>
    MessageStampsReceived,

    /// <summary>Opaque messages received after the end of measuring.</summary>
    DrainedMessages,

    /// <summary>Bytes of <see cref="DrainedMessages"/>.</summary>
    DrainedBytes,

    /// <summary>Samples missing in the latency file because it was written too slowly.</summary>
    LatencyRecordsDropped,
}
