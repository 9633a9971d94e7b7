namespace PerfCommon.Workers;

/// <summary>Moments whose time a worker records.</summary>
internal enum Moment
{
    Connected, // the first connection became active
    Disconnected, // the last connection ended, or measuring ended while one was open
    FirstMessage, // the first opaque message arrived
    ReceivingSettled, // the messages that the peer had sent while both sides started were read
    FirstRequest, // start of the first burst of requests
    RefreshesComplete, // the last expected refresh arrived
    SteadyBegan, // the messages that arrived with it were read
    RefreshesSent, // the last requested refresh was sent
    FirstUpdate, // arrived
    FirstGenericSent,
    FirstGenericReceived,
    End, // of measuring; messages drained after it are in no rate
}
