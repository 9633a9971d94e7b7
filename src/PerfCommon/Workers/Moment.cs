namespace PerfCommon.Workers;

/// <summary>Moments whose time a worker records.</summary>
public enum Moment
{
    /// <summary>The first connection became active.</summary>
    Connected,

    /// <summary>The last connection ended, or measuring ended while one was open.</summary>
    Disconnected,

    /// <summary>The first opaque message arrived.</summary>
    FirstMessage,

    /// <summary>The messages that the peer had sent while both sides started were read.</summary>
    ReceivingSettled,

    /// <summary>The first burst of requests started.</summary>
    FirstRequest,

    /// <summary>The last expected refresh arrived.</summary>
    RefreshesComplete,

    /// <summary>The messages that arrived with it were read.</summary>
    SteadyBegan,

    /// <summary>The last requested refresh was sent.</summary>
    RefreshesSent,

    /// <summary>The first update arrived.</summary>
    FirstUpdate,

    /// <summary>The first generic message was sent.</summary>
    FirstGenericSent,

    /// <summary>The first generic message arrived.</summary>
    FirstGenericReceived,

    /// <summary>Measuring ended; messages drained after it are in no rate.</summary>
    End,
}
