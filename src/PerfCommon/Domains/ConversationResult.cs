namespace PerfCommon.Domains;

/// <summary>What came of one message.</summary>
/// <param name="Step">What to do.</param>
/// <param name="Reason">A sentence fit to print; null where nothing needs saying.</param>
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

/// <summary>What a conversation asks its owner to do after it took a message.</summary>
internal enum ConversationStep : byte
{
    Ignore, // the message changed nothing, or is none of this conversation's
    Send, // encode the answer and send it
    Echo, // send the very same bytes back
    Ready, // what was asked for is there now
    Wait, // what was asked for is not there yet, or no longer: go on waiting
    Refused, // the peer refuses, or what it sent cannot be used; it will not come
    Closed, // the peer closed the stream
    Disconnect, // the message breaks the protocol: end the connection
}
