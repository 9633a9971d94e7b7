using System.Diagnostics;
using System.IO.Pipelines;
using PerfCommon.Measurement;
using PerfCommon.Transport.Proxy;

namespace PerfCommon.Transport;

/// <summary>One RSSL connection for programs that await, over any duplex pipe; same handshake, frames and limits as <see cref="RsslChannel"/>.</summary>
/// <remarks>One caller at a time: calls must not overlap. Pings are sent and silence is noticed while <see cref="ReadAsync"/> waits.</remarks>
[DebuggerDisplay("{Channel}")]
public sealed partial class RsslConnection : IAsyncDisposable
{
    private readonly IDuplexPipe _pipe;
    private readonly DuplexBytePipe _bytes;
    private readonly Timer _timer;
    private readonly SocketStreamPipe? _below;
    private byte[] _message = [];

    private RsslConnection(
        IDuplexPipe pipe, ChannelOptions options, Handshake? handshake = null,
        ProxyLogin? login = null, AcceptedConnection? accepted = null)
    {
        _pipe = pipe;
        _below = pipe as SocketStreamPipe;
        _bytes = new DuplexBytePipe(pipe, _below?.Socket);
        _timer = new Timer(_ => pipe.Input.CancelPendingRead());
        BufferPool pool = new();
        Channel = new RsslChannel(poller: null, pool, options) { Accepted = accepted };
        BytePipe layers = options is ConnectOptions client
            ? PipeLayers.ForClient(_bytes, client, login ?? new ProxyLogin(), pool)
            : PipeLayers.ForServer(_bytes, (ListenOptions)options, pool);
        Channel.Open(layers, handshake ?? Handshake.Create(options), Clock.NowNanos);
    }

    /// <summary>The channel that holds the frames: begin and end messages and read counters there; read and flush here.</summary>
    public RsslChannel Channel { get; }

    /// <summary>Shakes hands as a client over a pipe that is open already, with the highest version of the options and no fallback.</summary>
    /// <exception cref="IOException">When the handshake fails; the sentence says why.</exception>
    public static Task<RsslConnection> OpenClientAsync(IDuplexPipe pipe, ConnectOptions options, CancellationToken cancellation) =>
        OpenAsync(pipe, options, cancellation);

    /// <summary>Shakes hands as a server over a pipe that is open already.</summary>
    /// <exception cref="IOException">When the handshake fails; the sentence says why.</exception>
    public static Task<RsslConnection> OpenServerAsync(IDuplexPipe pipe, ListenOptions options, CancellationToken cancellation) =>
        OpenAsync(pipe, options, cancellation);

    /// <summary>Reads the next message.</summary>
    /// <returns>The message, valid until the next call; null when the connection has ended (<see cref="RsslChannel.Closed"/> says why).</returns>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancellation)
    {
        while (true)
        {
            if (TryTake(out ReadOnlyMemory<byte> message))
                return message;
            if (Channel.Closed is not null)
                return null;
            await WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Sends everything queued.</summary>
    public async ValueTask FlushAsync(CancellationToken cancellation)
    {
        Channel.Flush();
        if (!_bytes.NeedsFlush || Channel.Closed is not null)
            return;
        _bytes.NeedsFlush = false;
        try
        {
            await _pipe.Output.FlushAsync(cancellation).ConfigureAwait(false);
        }
        catch (IOException problem)
        {
            Channel.EndWith(new CloseReason(CloseKind.Reset, problem.Message, problem));
        }
    }

    private static Task<RsslConnection> OpenAsync(IDuplexPipe pipe, ChannelOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(pipe);
        ArgumentNullException.ThrowIfNull(options);
        return OpenedAsync(new RsslConnection(pipe, options), cancellation);
    }

    private static async Task<RsslConnection> OpenedAsync(RsslConnection connection, CancellationToken cancellation)
    {
        try
        {
            while (connection.Channel.State == ChannelState.Connecting)
                await connection.WaitAsync(cancellation).ConfigureAwait(false);
            await connection.FlushAsync(cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
        if (connection.Channel.Closed is not CloseReason reason)
            return connection;
        await connection.DisposeAsync().ConfigureAwait(false);
        throw new IOException(reason.Text, reason.Cause);
    }

    private bool TryTake(out ReadOnlyMemory<byte> copy)
    {
        copy = default;
        if (!Channel.TryRead(out ReadOnlySpan<byte> message))
            return false;
        if (_message.Length < message.Length)
            _message = new byte[Math.Max(message.Length, 2 * _message.Length)];
        message.CopyTo(_message);
        copy = _message.AsMemory(0, message.Length);
        return true;
    }

    /// <summary>Sends what the handshake or a ping left in the writer, then waits for bytes or for the channel's timer.</summary>
    private async ValueTask WaitAsync(CancellationToken cancellation)
    {
        await FlushAsync(cancellation).ConfigureAwait(false);
        long due = Math.Max(0, Channel.NextTimerNanos - Clock.NowNanos) / Clock.NanosPerMilli + 1;
        _timer.Change((int)Math.Min(due, int.MaxValue), Timeout.Infinite);
        bool isReadable = true;
        try
        {
            if (!_bytes.TakeWake())
            {
                ReadResult result = await _pipe.Input.ReadAsync(cancellation).ConfigureAwait(false);
                _bytes.NoteEnd(result);
                isReadable = !result.IsCanceled || result.Buffer.Length > 0 || _bytes.TakeWake();
                _pipe.Input.AdvanceTo(result.Buffer.Start); // the channel takes them itself
            }
        }
        catch (IOException problem)
        {
            Channel.EndWith(new CloseReason(CloseKind.Reset, problem.Message, problem));
        }
        long now = Clock.NowNanos;
        if (isReadable)
            Channel.OnEvents(readable: true, writable: false, now);
        if (now >= Channel.NextTimerNanos)
            Channel.OnTimer(now);
    }
}
