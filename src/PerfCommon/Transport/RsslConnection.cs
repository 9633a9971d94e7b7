using System.IO.Pipelines;

namespace PerfCommon.Transport;

/// <summary>One RSSL connection for programs that await, over any duplex pipe; same handshake, frames and limits as <see cref="RsslChannel"/>.</summary>
/// <remarks>One reader and one writer at a time, not at once: calls must not overlap.</remarks>
public sealed class RsslConnection : IAsyncDisposable
{
    /// <summary>The channel that holds the frames: begin and end messages and read counters there; read and flush here.</summary>
    public RsslChannel Channel => throw new NotImplementedException();

    /// <summary>Connects over TCP: all addresses, all versions.</summary>
    /// <exception cref="IOException">When no connection came about; the sentence says why.</exception>
    public static Task<RsslConnection> ConnectAsync(ConnectOptions options, CancellationToken cancellation) => throw new NotImplementedException();

    /// <summary>Shakes hands as a client over a pipe that is open already, with the highest version of the options.</summary>
    /// <exception cref="IOException">When the handshake fails; the sentence says why.</exception>
    public static Task<RsslConnection> OpenClientAsync(IDuplexPipe pipe, ConnectOptions options, CancellationToken cancellation) => throw new NotImplementedException();

    /// <summary>Shakes hands as a server over a pipe that is open already.</summary>
    /// <exception cref="IOException">When the handshake fails; the sentence says why.</exception>
    public static Task<RsslConnection> OpenServerAsync(IDuplexPipe pipe, ListenOptions options, CancellationToken cancellation) => throw new NotImplementedException();

    /// <summary>Reads the next message.</summary>
    /// <returns>The message, valid until the next call; null when the connection has ended (<see cref="RsslChannel.Closed"/> says why).</returns>
    public ValueTask<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancellation) => throw new NotImplementedException();

    /// <summary>Sends everything queued.</summary>
    public ValueTask FlushAsync(CancellationToken cancellation) => throw new NotImplementedException();

    /// <summary>Flushes, ends our stream and closes.</summary>
    public ValueTask DisposeAsync() => throw new NotImplementedException();
}
