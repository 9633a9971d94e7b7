using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>
/// One RSSL connection for asynchronous programs, over any duplex pipe; same opening, frames and limits as <see cref="RsslChannel"/>.
/// </summary>
/// <remarks>
/// One caller at a time: calls must not overlap. Pings are sent and silence is detected while <see cref="ReadAsync"/> waits.
/// </remarks>
[DebuggerDisplay("{Channel}")]
public sealed partial class RsslConnection : IAsyncDisposable
{
    private readonly AwaitedDriver _driver;
    private byte[] _message = [];

    private RsslConnection(AwaitedDriver driver, ChannelOptions options, AcceptedConnection? accepted = null)
    {
        _driver = driver;
        Channel = new RsslChannel(driver, options, accepted);
    }

    /// <summary>The channel of the connection: begin and end messages and read counters there; read and flush here.</summary>
    public RsslChannel Channel { get; }

    /// <summary>Reads the next message.</summary>
    /// <returns>
    /// The message, valid until the next call; null when the connection has ended (<see cref="RsslChannel.Closed"/> is the reason).
    /// </returns>
    public async ValueTask<ReadOnlyMemory<byte>?> ReadAsync(CancellationToken cancellation)
    {
        while (true)
        {
            if (TryCopyMessage(out ReadOnlyMemory<byte> message))
                return message;
            if (Channel.Closed is not null)
                return null;
            await _driver.WaitAsync(Channel, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Sends everything queued.</summary>
    public ValueTask FlushAsync(CancellationToken cancellation) => _driver.FlushAsync(Channel, cancellation);

    private bool TryCopyMessage(out ReadOnlyMemory<byte> copy)
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
}
