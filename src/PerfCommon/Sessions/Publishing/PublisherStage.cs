namespace PerfCommon.Sessions;

/// <summary>Stages of a publisher's connection.</summary>
public enum PublisherStage
{
    /// <summary>Not connected, or the handshake is in progress.</summary>
    Connecting,

    /// <summary>Waiting for the answer to the login.</summary>
    Login,

    /// <summary>The hub refused the login, or revoked it: the connection stays open, and nothing is sent.</summary>
    Rejected,

    /// <summary>The directory was sent; images and updates follow.</summary>
    Publishing,
}
