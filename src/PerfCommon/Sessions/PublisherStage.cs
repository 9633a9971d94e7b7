namespace PerfCommon.Sessions;

/// <summary>How far a publisher's connection has come.</summary>
public enum PublisherStage
{
    /// <summary>Not connected, or the handshake runs.</summary>
    Connecting,

    /// <summary>Waiting for the answer to the login.</summary>
    Login,

    /// <summary>The hub refused the login, or took it back: the connection stays, and nothing is sent.</summary>
    Rejected,

    /// <summary>The directory was sent; images and updates follow.</summary>
    Publishing,
}
