namespace PerfCommon.Domains;

/// <summary>What came of one message.</summary>
/// <param name="Step">What to do.</param>
/// <param name="Reason">A sentence fit to print; null where nothing needs saying.</param>
internal readonly record struct ConversationResult(ConversationStep Step, string? Reason = null)
{
    /// <summary>Nothing to do.</summary>
    public static ConversationResult Ignore => new(ConversationStep.Ignore);

    /// <summary>Encode the answer and send it.</summary>
    public static ConversationResult Send => new(ConversationStep.Send);

    /// <summary>What was asked for is there now.</summary>
    public static ConversationResult Ready => new(ConversationStep.Ready);

    internal static ConversationResult Wait(string reason) => new(ConversationStep.Wait, reason);

    internal static ConversationResult Refused(string reason) => new(ConversationStep.Refused, reason);

    internal static ConversationResult Closed(string reason) => new(ConversationStep.Closed, reason);

    internal static ConversationResult Disconnect(string reason) => new(ConversationStep.Disconnect, reason);
}

/// <summary>What a conversation asks its owner to do after it took a message.</summary>
internal enum ConversationStep : byte
{
    /// <summary>Nothing: the message changed nothing, or is none of this conversation's.</summary>
    Ignore,

    /// <summary>Encode the answer and send it.</summary>
    Send,

    /// <summary>Send the very same bytes back.</summary>
    Echo,

    /// <summary>What was asked for is there now.</summary>
    Ready,

    /// <summary>What was asked for is not there yet, or no longer: go on waiting.</summary>
    Wait,

    /// <summary>The peer refuses, or what it sent cannot be used; it will not come.</summary>
    Refused,

    /// <summary>The peer closed the stream.</summary>
    Closed,

    /// <summary>The message breaks the protocol: end the connection.</summary>
    Disconnect,
}
