namespace PerfCommon.Domains;

/// <summary>Result of handling one message.</summary>
/// <param name="Step">The action for the owner.</param>
/// <param name="Reason">A printable sentence; null where no reason is needed.</param>
internal readonly record struct ConversationResult(ConversationStep Step, string? Reason = null)
{
    public static ConversationResult Ignore => new(ConversationStep.Ignore);

    public static ConversationResult Send => new(ConversationStep.Send);

    public static ConversationResult Ready => new(ConversationStep.Ready);

    public static ConversationResult Wait(string reason) => new(ConversationStep.Wait, reason);

    public static ConversationResult Refused(string reason) => new(ConversationStep.Refused, reason);

    public static ConversationResult Closed(string reason) => new(ConversationStep.Closed, reason);

    public static ConversationResult Disconnect(string reason) => new(ConversationStep.Disconnect, reason);
}

/// <summary>Action that a conversation requires of its owner after a message.</summary>
internal enum ConversationStep : byte
{
    Ignore, // the message changed nothing, or does not belong to this conversation
    Send, // encode the answer and send it
    Echo, // send the same bytes back
    Ready, // the requested data is complete now
    Wait, // the requested data is not complete yet, or no longer: continue to wait
    Refused, // the peer refuses, or its answer cannot be used; the data will not arrive
    Closed, // the peer closed the stream
    Disconnect, // the message breaks the protocol: end the connection
}
