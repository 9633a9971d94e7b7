namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    /// <summary>Takes the next whole message that is already here; never waits.</summary>
    /// <param name="message">The message, unpacked, joined and inflated; valid until the next call of any member of this channel, or its poller's wait.</param>
    /// <returns>False when none is whole yet, or the channel is not active. Read until false, or the next wait returns at once.</returns>
    public bool TryRead(out ReadOnlySpan<byte> message) => throw new NotImplementedException();

    /// <summary>Bytes received after the handshake, pings included. Any thread.</summary>
    public long BytesRead => throw new NotImplementedException();

    /// <summary>The same with every compressed body counted by its full length. Any thread.</summary>
    public long UncompressedBytesRead => throw new NotImplementedException();

    /// <summary>Messages that <see cref="TryRead"/> gave out. Any thread.</summary>
    public long MessagesRead => throw new NotImplementedException();
}
