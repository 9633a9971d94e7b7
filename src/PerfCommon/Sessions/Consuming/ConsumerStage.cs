namespace PerfCommon.Sessions;

/// <summary>Stages of a consumer's connection.</summary>
public enum ConsumerStage
{
    /// <summary>Not connected, or the handshake is in progress.</summary>
    Connecting,

    /// <summary>Waiting for the answer to the login.</summary>
    Login,

    /// <summary>Logged in; the service does not exist or is down.</summary>
    Service,

    /// <summary>Waiting for the dictionaries.</summary>
    Dictionary,

    /// <summary>Waiting for the refreshes that <see cref="ConsumerSessionOptions.Prime"/> requests.</summary>
    Priming,

    /// <summary>Items are requested, and their messages arrive.</summary>
    Items,
}
