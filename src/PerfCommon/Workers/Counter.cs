namespace PerfCommon.Workers;

/// <summary>Everything that any program counts, each thing once; a report row names it (docs/json-lines.md).</summary>
/// <remarks>
/// A new counter is a member here and a row in a report; JSON lines have them in this order. "Sent" means that the socket took the last
/// byte; "not sent" was due, and no socket took it: no output buffer ("stopped"), a tick given up, or still queued at the end.
/// </remarks>
internal enum Counter
{
    RequestsSent,
    PrimingRequestsSent, // ahead of the run, and no part of RequestsSent
    RequestsReceived, // rejected ones included
    RequestsRejected, // answered with a status
    RefreshesSent,
    RefreshesNotSent,
    RefreshesReceived, // on item streams
    PrimingRefreshesReceived, // what those requests brought
    ItemsWithRefresh, // they have their first complete refresh
    UpdatesSent,
    UpdatesNotSent,
    UpdatesStopped, // part of UpdatesNotSent
    UpdateStampsSent, // queued with a time stamp
    UpdatesReceived, // by a hub, to be sent to every watcher of the item
    UpdatesUnwatched, // received for an item that nobody watched any more
    UpdatesConflated, // not sent one by one: a later update of the item carries their last values
    UpdatesDropped, // not sent because a reader was too slow
    UpdatesThrottled, // received, and not fanned out: a later update of the item carries their last values
    CopiesDue, // who watched when an update was fanned out, added up over the updates
    UpdatesCopied, // by a hub: what made more of them than came, more than one session thread or stream that watches
    PostsCopied, // the same of posts that a hub sends back
    GenericCopied, // the same of generic messages of a source
    EarlyFlushes, // of connections whose queue was too full to wait for the end of their batch
    Sends, // flushes of connections that had something to send
    StartupUpdates, // received before the worker's last refresh
    SteadyUpdates, // from then to the end of measuring
    AheadUpdates, // part of SteadyUpdates: while other workers still waited for theirs; of the whole run they are start-up
    UpdateReads, // how often updates were read together
    UpdatesSkipped, // whose count was passed over by that of a later update
    UpdatesLate, // part of UpdatesOutOfOrder: of those skipped, which came all the same
    UpdatesOutOfOrder, // whose count was below that of an update before
    UpdatesRepeated, // whose count had come already, as an update or with the image
    DrainedUpdates, // after the end of measuring, while the connection was drained: received, but in no rate
    PostsSent,
    PostStampsSent,
    PostsNotSent,
    PostsReceived, // of them each is reflected, not reflected or refused
    PostsReflected, // sent back
    PostsNotReflected, // the connection ended before
    PostsRefused, // there was nothing to send back, or no stream for it
    GenericSent,
    GenericStampsSent,
    GenericNotSent,
    GenericReceived,
    SourceGenericSent, // by a hub to a source, and no part of GenericSent: those went to consumers
    SourceGenericReceived, // by a hub of a source, and no part of GenericReceived
    GenericStampsReceived,
    DrainedGeneric, // part of GenericReceived: as DrainedUpdates
    ClosesReceived,
    ConnectionsCut, // because a reader was too slow
    ConnectionsOverShare, // closed because memory was nearly used up, and theirs was the greatest part
    ConnectionsBad, // closed because of what they sent: it broke the protocol, or went beyond a limit
    ConnectionsSilent, // closed because nothing came of them for the agreed ping time-out
    ConnectionsRefused, // one too many: a nak, or closed without an answer
    HandshakesCut, // closed because they were not done, and others waited
    HandshakesTimedOut, // closed because they were not done in time
    HandshakesFailed, // closed because of what they sent
    StatusesReceived, // on item streams
    SuspectRefreshes, // received for items, with data that are not to be trusted
    ItemsLost, // they had their refresh, and are suspect or closed now
    ItemsRecovered, // of them, those whose data are good again
    UsersLost, // whose connection ended, or whose items came to an end, before the run did
    UsersRefused, // whose login was refused
    LoginsRetried, // attempts of users that ended before their login was accepted, and another followed
    StandbySwitches, // from one server of a warm standby pair to the other
    SwitchMicros, // from the loss to the last image, added up over the switches that came so far
    SwitchGapMicros, // from the last update before to the first behind, added up
    UpdatesMissed, // at the rate before, within the gaps
    StandbyRefreshes, // received without content, from the server that stands by
    StandbyMessages, // any other message for an item from a server that is not the active one
    ServiceLosses, // the service went down after requests could be sent
    ImagesRefused, // of items of a publisher that may publish no more
    ServicesRefused, // of a source, because others have them or there is no room for them
    FieldsNotKept, // of images and updates of an item that has as many as are kept
    MessagesDropped, // received and not used: unknown stream, not understood, or of a kind that is not available
    FieldsSkipped, // the dictionary lacks them
    UnknownFields, // the different ones among them; of all workers together each once
    PackedMessages,
    PackBuffers, // packed buffers written
    MessagesSent, // opaque messages, here and below
    BytesSent, // all that went on the wire, headers included
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
    BelowZero, // latencies that the clock of the sender made negative, within its bound
    BeyondBound, // the same beyond its bound, which disproves it
    Uncorrected, // stamps that were dropped: the difference of the clocks was not known
}
