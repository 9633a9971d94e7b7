namespace PerfCommon.Workers;

/// <summary>What a worker notes the time of.</summary>
internal enum Moment
{
    /// <summary>The first connection became active.</summary>
    Connected,

    /// <summary>The last connection ended, or the end of measuring while one was open.</summary>
    Disconnected,

    /// <summary>Start of the first burst of requests.</summary>
    FirstRequest,

    /// <summary>The last expected refresh came in.</summary>
    RefreshesComplete,

    /// <summary>The first update came in.</summary>
    FirstUpdate,

    /// <summary>The first generic message was sent.</summary>
    FirstGenericSent,

    /// <summary>The first generic message came in.</summary>
    FirstGenericReceived,

    /// <summary>End of measuring; what is drained after it is in no rate.</summary>
    End,
}
