namespace PerfCommon.Domains;

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
