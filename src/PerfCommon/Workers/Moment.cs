namespace PerfCommon.Workers;

/// <summary>What a worker notes the time of.</summary>
internal enum Moment
{
    Connected, // the first connection became active
    Disconnected, // the last connection ended, or the end of measuring while one was open
    FirstMessage, // the first opaque message came in
    ReceivingSettled, // what the peer had sent while both sides started was read
    FirstRequest, // start of the first burst of requests
    RefreshesComplete, // the last expected refresh came in
    SteadyBegan, // when what had arrived with it was read
    RefreshesSent, // the last refresh that was asked for went out
    FirstUpdate, // came in
    FirstGenericSent,
    FirstGenericReceived,
    End, // of measuring; what is drained after it is in no rate
}
