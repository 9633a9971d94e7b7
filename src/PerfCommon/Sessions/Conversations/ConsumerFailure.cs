namespace PerfCommon.Sessions;

/// <summary>The reason why a consumer's connection cannot continue.</summary>
/// <param name="Kind">Kind of the failure.</param>
/// <param name="Text">A printable sentence.</param>
/// <param name="IsBroken">True when the connection broke, or the provider ended it first: counts of both sides cannot be compared.</param>
public sealed record ConsumerFailure(ConsumerFailureKind Kind, string Text, bool IsBroken = false)
{
    /// <summary>True when another connection would fail in the same way.</summary>
    internal bool IsFinal =>
        Kind is not (ConsumerFailureKind.ConnectionLost or ConsumerFailureKind.BadMessage);
}

/// <summary>Kind of a failure of a consumer's connection.</summary>
public enum ConsumerFailureKind
{
    /// <summary>The provider refused the login.</summary>
    LoginRefused,

    /// <summary>The connection ended after it was established.</summary>
    ConnectionLost,

    /// <summary>An item received a final state.</summary>
    ItemClosed,

    /// <summary>The provider's messages cannot be decoded.</summary>
    BadMessage,

    /// <summary>The provider does not accept posts, and posting was requested.</summary>
    PostsNotAccepted,

    /// <summary>The provider cannot be a standby, and was to be one.</summary>
    StandbyNotSupported,

    /// <summary>Connection, login, service or dictionary were not there in time, or cannot be.</summary>
    NotReady,
}
