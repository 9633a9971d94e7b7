namespace PerfCommon.Workers;

/// <summary>The counters of the library, each event once; a role adds its own by a <see cref="RecordingSchema"/>.</summary>
/// <remarks>
/// A new counter is a member here or in the schema of its role, and a row in a report; JSON lines have them in this order. "Sent" means that the
/// socket accepted the last byte; "not sent" means due but accepted by no socket: no output buffer ("stopped"), a skipped tick, or still queued at
/// the end.
/// </remarks>
public enum Counter
{
    /// <summary>Requests for items sent.</summary>
    RequestsSent,

    /// <summary>Requests sent before the run, not part of <see cref="RequestsSent"/>.</summary>
    PrimingRequestsSent,

    /// <summary>Requests received, rejected ones included.</summary>
    RequestsReceived,

    /// <summary>Requests answered with a status.</summary>
    RequestsRejected,

    /// <summary>Refreshes sent.</summary>
    RefreshesSent,

    /// <summary>Refreshes not sent.</summary>
    RefreshesNotSent,

    /// <summary>Refreshes received on item streams.</summary>
    RefreshesReceived,

    /// <summary>Refreshes that answered <see cref="PrimingRequestsSent"/>.</summary>
    PrimingRefreshesReceived,

    /// <summary>Items that have their first complete refresh.</summary>
    ItemsWithRefresh,

    /// <summary>Updates sent.</summary>
    UpdatesSent,

    /// <summary>Updates not sent.</summary>
    UpdatesNotSent,

    /// <summary>Part of <see cref="UpdatesNotSent"/>: no output buffer was free.</summary>
    UpdatesStopped,

    /// <summary>Updates queued with a time stamp.</summary>
    UpdateStampsSent,

    /// <summary>Updates received before the worker's last refresh.</summary>
    StartupUpdates,

    /// <summary>Updates received from then to the end of measuring.</summary>
    SteadyUpdates,

    /// <summary>Part of <see cref="SteadyUpdates"/>: while other workers still waited for their refreshes; start-up of the whole run.</summary>
    AheadUpdates,

    /// <summary>Updates whose sequence count was overtaken by that of a later one.</summary>
    UpdatesSkipped,

    /// <summary>Part of <see cref="UpdatesOutOfOrder"/>: skipped updates that arrived later.</summary>
    UpdatesLate,

    /// <summary>Updates whose sequence count was below that of one before.</summary>
    UpdatesOutOfOrder,

    /// <summary>Updates whose sequence count had arrived already, in an update or the image.</summary>
    UpdatesRepeated,

    /// <summary>Updates received after the end of measuring, while the connection was drained: in no rate.</summary>
    DrainedUpdates,

    /// <summary>Posts sent.</summary>
    PostsSent,

    /// <summary>Posts queued with a time stamp.</summary>
    PostStampsSent,

    /// <summary>Posts not sent.</summary>
    PostsNotSent,

    /// <summary>Posts received: each of them is reflected, not reflected or refused.</summary>
    PostsReceived,

    /// <summary>Posts sent back.</summary>
    PostsReflected,

    /// <summary>Posts not sent back: the connection ended first.</summary>
    PostsNotReflected,

    /// <summary>Posts for which nothing could be sent back, or that came on no stream.</summary>
    PostsRefused,

    /// <summary>Generic messages sent.</summary>
    GenericSent,

    /// <summary>Generic messages queued with a time stamp.</summary>
    GenericStampsSent,

    /// <summary>Generic messages not sent.</summary>
    GenericNotSent,

    /// <summary>Generic messages received.</summary>
    GenericReceived,

    /// <summary>Generic messages sent by a hub to a source, not part of <see cref="GenericSent"/>, which were sent to consumers.</summary>
    SourceGenericSent,

    /// <summary>Generic messages received with a time stamp.</summary>
    GenericStampsReceived,

    /// <summary>Part of <see cref="GenericReceived"/>: as <see cref="DrainedUpdates"/>.</summary>
    DrainedGeneric,

    /// <summary>Closes of item streams received.</summary>
    ClosesReceived,

    /// <summary>Connections closed because of messages that broke the protocol or exceeded a limit.</summary>
    ConnectionsBad,

    /// <summary>Connections closed because nothing was received from them for the negotiated ping timeout.</summary>
    ConnectionsSilent,

    /// <summary>Connections above the maximum: answered with a nak, or closed without an answer.</summary>
    ConnectionsRefused,

    /// <summary>Connections closed with an incomplete handshake because others waited.</summary>
    HandshakesCut,

    /// <summary>Connections closed because their handshake was not complete in time.</summary>
    HandshakesTimedOut,

    /// <summary>Connections closed because of the bytes they sent in the handshake.</summary>
    HandshakesFailed,

    /// <summary>Status messages received on item streams.</summary>
    StatusesReceived,

    /// <summary>Refreshes received for items, with suspect data.</summary>
    SuspectRefreshes,

    /// <summary>Items that had their refresh, and became suspect or closed.</summary>
    ItemsLost,

    /// <summary>Lost items whose data became good again.</summary>
    ItemsRecovered,

    /// <summary>Switches from one server of a warm standby pair to the other.</summary>
    StandbySwitches,

    /// <summary>Microseconds from a loss to the last image, summed over the completed switches.</summary>
    SwitchMicros,

    /// <summary>Microseconds from the last update before a loss to the first after it, summed.</summary>
    SwitchGapMicros,

    /// <summary>Updates missed in these gaps, estimated from the rate before and their length.</summary>
    UpdatesMissed,

    /// <summary>Refreshes received without content, from the standby server.</summary>
    StandbyRefreshes,

    /// <summary>Other messages for an item from a server that is not the active one.</summary>
    StandbyMessages,

    /// <summary>Times that the service went down after requests could be sent.</summary>
    ServiceLosses,

    /// <summary>Messages received and not used: of an unknown stream, not understood, or of a kind that is not available.</summary>
    MessagesDropped,

    /// <summary>Fields that the dictionary lacks.</summary>
    FieldsSkipped,

    /// <summary>Distinct ids of such fields; each once for all workers together.</summary>
    UnknownFields,

    /// <summary>Messages written in packed buffers.</summary>
    PackedMessages,

    /// <summary>Packed buffers written.</summary>
    PackBuffers,

    /// <summary>Opaque messages sent.</summary>
    MessagesSent,

    /// <summary>Bytes sent on the wire, headers included.</summary>
    BytesSent,

    /// <summary>Opaque messages not sent.</summary>
    MessagesNotSent,

    /// <summary>Part of <see cref="MessagesNotSent"/>: no output buffer was free.</summary>
    MessagesStopped,

    /// <summary>Opaque messages received.</summary>
    MessagesReceived,

    /// <summary>Bytes received, without headers.</summary>
    BytesReceived,

    /// <summary>Part of <see cref="MessagesReceived"/>: before receiving had settled.</summary>
    StartupMessages,

    /// <summary>Part of <see cref="BytesReceived"/>: before receiving had settled.</summary>
    StartupBytes,

    /// <summary>Opaque messages received with a time stamp.</summary>
    MessageStampsReceived,

    /// <summary>Opaque messages received as <see cref="DrainedUpdates"/>.</summary>
    DrainedMessages,

    /// <summary>Their bytes.</summary>
    DrainedBytes,

    /// <summary>Samples missing in the latency file because it was written too slowly.</summary>
    LatencyRecordsDropped,

    /// <summary>Latencies that are negative because of the sender's clock, within its error bound.</summary>
    BelowZero,

    /// <summary>Latencies that are negative beyond that bound, which disproves it.</summary>
    BeyondBound,

    /// <summary>Stamps dropped because the difference of the clocks was not known.</summary>
    Uncorrected,

    /// <summary>Updates that a hub did not send because the consumer had left, and its streams were not all closed yet.</summary>
    CopiesUnwatched,

    /// <summary>Part of <see cref="PostsNotReflected"/>: no consumer watched the item any more.</summary>
    PostsUnwatched,
}
