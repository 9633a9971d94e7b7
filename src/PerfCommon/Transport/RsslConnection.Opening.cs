using System.IO.Pipelines;

namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    /// <summary>Connects over TCP: all addresses, all versions from the highest of the options down.</summary>
    /// <exception cref="IOException">No connection was established; the sentence is the reason.</exception>
    public static Task<RsslConnection> ConnectAsync(ConnectOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(options);
        RsslConnection connection = new(new AwaitedDriver(), options);
        connection.Channel.Connect();
        return connection.OpenedAsync(cancellation);
    }

    /// <summary>
    /// Runs the client's handshake over an open pipe, with the highest version of the options and no fallback.
    /// </summary>
    /// <exception cref="IOException">The handshake failed; the sentence is the reason.</exception>
    public static Task<RsslConnection> OpenClientAsync(IDuplexPipe pipe, ConnectOptions options, CancellationToken cancellation) =>
        OpenAsync(pipe, options, cancellation);

    /// <summary>Runs the server's handshake over an open pipe.</summary>
    /// <exception cref="IOException">The handshake failed; the sentence is the reason.</exception>
    public static Task<RsslConnection> OpenServerAsync(IDuplexPipe pipe, ListenOptions options, CancellationToken cancellation) =>
        OpenAsync(pipe, options, cancellation);

    /// <summary>Runs the server's handshake over an accepted connection, or refuses it.</summary>
    internal static Task<RsslConnection> OpenAcceptedAsync(AcceptedConnection accepted, AwaitedLink link, CancellationToken cancellation)
    {
        link.Configure(accepted.Options);
        return OpenAsync(link, accepted.Options, accepted, cancellation);
    }

    private static Task<RsslConnection> OpenAsync(IDuplexPipe pipe, ChannelOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(pipe);
        ArgumentNullException.ThrowIfNull(options);
        return OpenAsync(new AwaitedLink(pipe), options, accepted: null, cancellation);
    }

    private static Task<RsslConnection> OpenAsync(
        AwaitedLink link, ChannelOptions options, AcceptedConnection? accepted, CancellationToken cancellation)
    {
        RsslConnection connection = new(new AwaitedDriver(link), options, accepted);
        accepted?.Attach(connection.Channel);
        connection.Channel.Open(link.Open(connection.Channel.WakeForOpening), connection.Channel.Time.NowNanos);
        return connection.OpenedAsync(cancellation);
    }

    private async Task<RsslConnection> OpenedAsync(CancellationToken cancellation)
    {
        try
        {
            while (Channel.State == ChannelState.Connecting)
                await _driver.WaitAsync(Channel, cancellation).ConfigureAwait(false);
            await _driver.FlushAsync(Channel, cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            await DisposeAsync().ConfigureAwait(false);
            throw;
        }

        if (Channel.Closed is not CloseReason reason)
            return this;
        await DisposeAsync().ConfigureAwait(false);
        throw new IOException(reason.Text, reason.Cause);
    }
}
