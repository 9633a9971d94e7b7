namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    /// <summary>Opens room for one message; follow with <see cref="EndMessage"/> or <see cref="CancelMessage"/>, and nothing else of this channel in between.</summary>
    /// <param name="maxBytes">Most bytes the message may have, 1 or more. More than M is fragmented, at the cost of a copy.</param>
    /// <param name="room">Room of exactly that length.</param>
    /// <param name="priority">The queue it waits in.</param>
    /// <returns>False when the output buffers are used up (flush, or wait for writable), or the channel takes no more writes.</returns>
    public bool TryBeginMessage(int maxBytes, out Span<byte> room, WritePriority priority = WritePriority.Medium) => throw new NotImplementedException();

    /// <summary>Queues the message; flushes when the high-water mark is passed.</summary>
    /// <param name="bytes">Its bytes, 1 to what was asked for.</param>
    public void EndMessage(int bytes) => throw new NotImplementedException();

    /// <summary>Gives the room back; nothing is sent.</summary>
    public void CancelMessage() => throw new NotImplementedException();

    /// <summary>Opens a packed frame for several messages.</summary>
    /// <param name="packBytes">Most bytes of all messages with 2 bytes of length each; at most M.</param>
    /// <param name="priority">The queue it waits in.</param>
    /// <returns>False as with <see cref="TryBeginMessage"/>.</returns>
    public bool TryBeginPack(int packBytes, WritePriority priority = WritePriority.Medium) => throw new NotImplementedException();

    /// <summary>Bytes that the next message of the open pack may have; 0 when it is full or none is open.</summary>
    public int PackRoom => throw new NotImplementedException();

    /// <summary>Opens room for one message in the open pack; follow with <see cref="EndPackedMessage"/>, or begin again to give it back.</summary>
    /// <returns>False when <paramref name="maxBytes"/> is more than <see cref="PackRoom"/>.</returns>
    public bool TryBeginPackedMessage(int maxBytes, out Span<byte> room) => throw new NotImplementedException();

    /// <summary>Adds the message to the pack.</summary>
    /// <param name="bytes">Its bytes, 1 to what was asked for.</param>
    public void EndPackedMessage(int bytes) => throw new NotImplementedException();

    /// <summary>Queues the pack; one without a message vanishes. Flushes when the high-water mark is passed.</summary>
    public void EndPack() => throw new NotImplementedException();

    /// <summary>Hands what is queued to the system, in flush order; never waits.</summary>
    /// <returns>True when nothing is left. False: the rest is kept, and the poller's wait sends it when the socket is writable.</returns>
    public bool Flush() => throw new NotImplementedException();

    /// <summary>Bytes of all frames of the messages written, as they go on the wire, headers included, queued ones too. Any thread.</summary>
    public long BytesWritten => throw new NotImplementedException();

    /// <summary>The same with every body counted by its length before compression. Any thread.</summary>
    public long UncompressedBytesWritten => throw new NotImplementedException();

    /// <summary>Messages written, queued ones included. Any thread.</summary>
    public long MessagesWritten => throw new NotImplementedException();

    /// <summary>Messages whose last byte the socket has taken. Any thread.</summary>
    public long MessagesSent => throw new NotImplementedException();

    /// <summary>Messages written and not sent yet. Any thread.</summary>
    public long MessagesQueued => MessagesWritten - MessagesSent;

    /// <summary>Frames that wait for the socket. Any thread.</summary>
    public int OutputBuffersInUse => throw new NotImplementedException();

    /// <summary>Most frames that may wait for the socket.</summary>
    public int OutputBufferLimit => throw new NotImplementedException();

    /// <summary>Bytes that wait for the socket. Any thread.</summary>
    public int BytesQueued => throw new NotImplementedException();
}
