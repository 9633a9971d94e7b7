namespace PerfCommon.Sessions;

/// <summary>How far a consumer's connection has come.</summary>
internal enum ConsumerStage
{
    /// <summary>Not connected, or the handshake runs.</summary>
    Connecting,

    /// <summary>Waiting for the answer to the login.</summary>
    Login,

    /// <summary>Logged in; the service is not there or not up.</summary>
    Service,

    /// <summary>Waiting for the dictionaries.</summary>
    Dictionary,

    /// <summary>Requesting items, images outstanding.</summary>
    Images,

    /// <summary>All images are there.</summary>
    Steady,

    /// <summary>Measuring has ended; what is on its way is still counted.</summary>
    Draining,

    /// <summary>Over.</summary>
    Ended,
}
