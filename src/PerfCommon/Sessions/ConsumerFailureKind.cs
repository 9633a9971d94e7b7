namespace PerfCommon.Sessions;

/// <summary>What failed of a consumer's connection.</summary>
internal enum ConsumerFailureKind
{
    /// <summary>The connection did not come about; it may be tried again.</summary>
    NotConnected,

    /// <summary>The provider refused the login.</summary>
    LoginRefused,

    /// <summary>The connection ended after it had come about.</summary>
    ConnectionLost,

    /// <summary>An item got a final state.</summary>
    ItemClosed,

    /// <summary>The provider's messages cannot be understood.</summary>
    BadMessage,
}
