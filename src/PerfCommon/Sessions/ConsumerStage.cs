namespace PerfCommon.Sessions;

/// <summary>How far a consumer's connection has come.</summary>
public enum ConsumerStage
{
    /// <summary>Not connected, or the handshake runs.</summary>
    Connecting,

    /// <summary>Waiting for the answer to the login.</summary>
    Login,

    /// <summary>Logged in; the service is not there or not up.</summary>
    Service,

    /// <summary>Waiting for the dictionaries.</summary>
    Dictionary,

    /// <summary>Waiting for the refreshes that <see cref="ConsumerSessionOptions.Prime"/> asks for.</summary>
    Priming,

    /// <summary>Items are requested, and their messages come.</summary>
    Items,
}
