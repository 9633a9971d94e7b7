namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    /// <summary>Sends one message: waits for an output buffer when none is free, queues the message and flushes.</summary>
    /// <remarks>For many messages at once, begin and end them on <see cref="Channel"/> and flush after the last.</remarks>
    /// <param name="message">The message, 1 byte or more; it is copied.</param>
    /// <param name="cancellation">Ends the waiting; the message may have been queued then.</param>
    /// <exception cref="IOException">The connection has ended or accepts no more messages.</exception>
    public async ValueTask SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancellation)
    {
        while (!TryQueue(message.Span))
        {
            if (Channel.State != ChannelState.Active || Channel.OutputBuffersInUse == 0)
                throw new IOException(Channel.Closed?.Text ?? "the connection takes no more messages", Channel.Closed?.Cause);
            await FlushAsync(cancellation).ConfigureAwait(false);
        }

        await FlushAsync(cancellation).ConfigureAwait(false);
    }

    private bool TryQueue(ReadOnlySpan<byte> message)
    {
        if (!Channel.TryBeginMessage(message.Length, out Span<byte> room))
            return false;
        message.CopyTo(room);
        Channel.EndMessage(message.Length);
        return true;
    }
}
