namespace PerfCommon.Workers;

/// <summary>All counters of the programs, each event once; a report row names each (docs/json-lines.md).</summary>
/// <remarks>
/// A new counter is a member here and a row in a report; JSON lines have them in this order. "Sent" means that the socket accepted the last
/// byte; "not sent" means due but accepted by no socket: no output buffer ("stopped"), a skipped tick, or still queued at the end.
/// </remarks>
internal enum Counter
{
    RequestsSent,
    PrimingRequestsSent, // before the run, not part of RequestsSent
    RequestsReceived, // rejected ones included
    RequestsRejected, // answered with a status
    RefreshesSent,
    RefreshesNotSent,
    RefreshesReceived, // on item streams
    PrimingRefreshesReceived, // answers to those requests
    ItemsWithRefresh, // items that have their first complete refresh
    UpdatesSent,
    UpdatesNotSent,
    UpdatesStopped, // part of UpdatesNotSent
    UpdateStampsSent, // queued with a time stamp
    UpdatesReceived, // by a hub, to be sent to every watcher of the item
    UpdatesUnwatched, // received for an item that no consumer watched any more, or copied for a consumer that had left
    UpdatesConflated, // not sent one by one: a later update of the item carries their last values
    UpdatesDropped, // not sent because a consumer was too slow
    UpdatesThrottled, // received, and not fanned out: a later update of the item carries their last values
    CopiesDue, // number of watchers when an update was fanned out, summed over the updates
    UpdatesCopied, // by a hub: copied because more than one session thread or stream watches
    PostsCopied, // the same of posts that a hub sends back
    GenericCopied, // the same of generic messages of a source
    EarlyFlushes, // of connections whose queue was too full to wait for the end of their batch
    Sends, // flushes of connections that had bytes to send
    StartupUpdates, // received before the worker's last refresh
    SteadyUpdates, // from then to the end of measuring
    AheadUpdates, // part of SteadyUpdates: while other workers still waited for their refreshes; start-up of the whole run
    UpdateReads, // number of reads that returned updates
    UpdatesSkipped, // whose sequence count was overtaken by that of a later update
    UpdatesLate, // part of UpdatesOutOfOrder: skipped ones that arrived later
    UpdatesOutOfOrder, // whose sequence count was below that of an update before
    UpdatesRepeated, // whose sequence count had arrived already, in an update or the image
    DrainedUpdates, // after the end of measuring, while the connection was drained: received, but in no rate
    PostsSent,
    PostStampsSent,
    PostsNotSent,
    PostsReceived, // each of them is reflected, not reflected or refused
    PostsReflected, // sent back
    PostsNotReflected, // the connection ended first
    PostsRefused, // nothing could be sent back, or there was no stream for it
    GenericSent,
    GenericStampsSent,
    GenericNotSent,
    GenericReceived,
    SourceGenericSent, // by a hub to a source, not part of GenericSent, which were sent to consumers
    SourceGenericReceived, // by a hub from a source, not part of GenericReceived
    GenericStampsReceived,
    DrainedGeneric, // part of GenericReceived: as DrainedUpdates
    ClosesReceived,
    ConnectionsCut, // because a consumer was too slow
    ConnectionsOverShare, // closed because memory was nearly used up, and they used the most
    ConnectionsBad, // closed because of messages that broke the protocol or exceeded a limit
    ConnectionsSilent, // closed because nothing was received from them for the negotiated ping timeout
    ConnectionsRefused, // above the maximum: a nak, or closed without an answer
    HandshakesCut, // closed while incomplete because others waited
    HandshakesTimedOut, // closed because they were not complete in time
    HandshakesFailed, // closed because of the bytes they sent
    StatusesReceived, // on item streams
    SuspectRefreshes, // received for items, with suspect data
    ItemsLost, // they had their refresh, and are suspect or closed now
    ItemsRecovered, // lost items whose data is good again
    UsersLost, // whose connection ended, or whose items ended, before the run did
    UsersRefused, // whose login was refused
    LoginsRetried, // attempts of users that ended before their login was accepted, followed by another
    StandbySwitches, // from one server of a warm standby pair to the other
    SwitchMicros, // from the loss to the last image, summed over the completed switches
    SwitchGapMicros, // from the last update before the loss to the first after it, summed
    UpdatesMissed, // estimated from the rate before and the length of the gaps
    StandbyRefreshes, // received without content, from the standby server
    StandbyMessages, // any other message for an item from a server that is not the active one
    ServiceLosses, // the service went down after requests could be sent
    ImagesRefused, // of items of a publisher that may publish no more
    ServicesRefused, // of a source, because others provide them or the maximum is reached
    FieldsNotKept, // of images and updates of an item that has reached its maximum of kept fields
    MessagesDropped, // received and not used: unknown stream, not understood, or of a kind that is not available
    FieldsSkipped, // the dictionary lacks them
    UnknownFields, // number of distinct ids; each once for all workers together
    PackedMessages,
    PackBuffers, // packed buffers written
    MessagesSent, // opaque messages, here and below
    BytesSent, // all bytes on the wire, headers included
    MessagesNotSent,
    MessagesStopped, // part of MessagesNotSent
    MessagesReceived,
    BytesReceived, // without headers
    StartupMessages, // part of MessagesReceived: before receiving had settled
    StartupBytes,
    MessageStampsReceived,
    DrainedMessages, // as DrainedUpdates
    DrainedBytes,
    LatencyRecordsDropped, // samples missing in the latency file because it was written too slowly
    BelowZero, // latencies that are negative because of the sender's clock, within its error bound
    BeyondBound, // beyond that bound, which disproves it
    Uncorrected, // stamps that were dropped because the difference of the clocks was not known
    CopiesUnwatched, // part of CopiesDue, and of UpdatesUnwatched: the consumer had left, and its streams were not all closed yet
    PostsUnwatched, // part of PostsNotReflected: no consumer watched the item any more
}
