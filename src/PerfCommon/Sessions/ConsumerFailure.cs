namespace PerfCommon.Sessions;

/// <summary>Why a consumer's connection cannot go on.</summary>
/// <param name="Kind">How far it had come.</param>
/// <param name="Text">A sentence fit to print.</param>
/// <param name="IsBroken">True when the connection broke, or the provider ended it first: counts of both sides cannot be compared.</param>
public sealed record ConsumerFailure(ConsumerFailureKind Kind, string Text, bool IsBroken = false)
{
    /// <summary>True when another connection would come to the same end.</summary>
    internal bool IsFinal =>
        Kind is not (ConsumerFailureKind.ConnectionLost or ConsumerFailureKind.BadMessage);
}

/// <summary>What failed of a consumer's connection.</summary>
public enum ConsumerFailureKind
{
    /// <summary>The provider refused the login.</summary>
    LoginRefused,

    /// <summary>The connection ended after it had come about.</summary>
    ConnectionLost,

    /// <summary>An item got a final state.</summary>
    ItemClosed,

    /// <summary>The provider's messages cannot be understood.</summary>
    BadMessage,

    /// <summary>The provider takes no posts, and some were to be sent.</summary>
    PostsNotTaken,

    /// <summary>The provider does not stand by for another one, and was to.</summary>
    StandbyNotSupported,
}
