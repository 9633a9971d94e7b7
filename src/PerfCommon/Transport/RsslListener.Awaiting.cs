using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <content>For programs that await: one connection after the other, each with its handshake done.</content>
public sealed partial class RsslListener
{
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _ending = new();
    private readonly CancellationToken _ended;
    private readonly List<Task<RsslConnection?>> _opening = [];
    private Task<AcceptedConnection?>? _accepting;

    /// <summary>Waits for the next connection whose handshake is done.</summary>
    /// <remarks>
    /// Handshakes go on side by side, so that a silent peer holds nobody up. Those that fail, and those over
    /// <see cref="ListenOptions.MaxConnections"/>, are refused and never seen here. One caller at a time, and not beside <see cref="TryAccept"/>.
    /// </remarks>
    /// <param name="cancellation">Ends the waiting; what came meanwhile is kept for the next call.</param>
    /// <exception cref="ObjectDisposedException">The listener was disposed.</exception>
    public async Task<RsslConnection> AcceptAsync(CancellationToken cancellation)
    {
        while (true)
        {
            Task done = await Task.WhenAny(Pending()).WaitAsync(cancellation).ConfigureAwait(false);
            if (done is Task<AcceptedConnection?> accepting)
                await BeginOpeningAsync(accepting).ConfigureAwait(false);
            else if (await TakeOpenedAsync((Task<RsslConnection?>)done).ConfigureAwait(false) is { } connection)
                return connection;
        }
    }

    private List<Task> Pending()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_ended.IsCancellationRequested, this);
            _accepting ??= AcceptSocketAsync();
            return [_accepting, .. _opening];
        }
    }

    private async ValueTask BeginOpeningAsync(Task<AcceptedConnection?> accepting)
    {
        AcceptedConnection? accepted = await accepting.ConfigureAwait(false);
        lock (_gate)
        {
            _accepting = null;
            if (accepted is not null)
                _opening.Add(OpenAsync(accepted));
        }
    }

    private async ValueTask<RsslConnection?> TakeOpenedAsync(Task<RsslConnection?> opening)
    {
        lock (_gate)
            _opening.Remove(opening);
        return await opening.ConfigureAwait(false);
    }

    private async Task<AcceptedConnection?> AcceptSocketAsync()
    {
        try
        {
            return Admit(await _socket.AcceptAsync(_ended).ConfigureAwait(false));
        }
        catch (SocketException problem) when (problem.SocketErrorCode == SocketError.TooManyOpenSockets)
        {
            await Task.Delay(LongestPause).ConfigureAwait(false); // it stays readable: do not ask without end
            return null;
        }
        catch (Exception problem) when (problem is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            return null; // the peer was gone before we took it, or the listener ended
        }
    }

    private async Task<RsslConnection?> OpenAsync(AcceptedConnection accepted)
    {
        try
        {
            return await RsslConnection.OpenAcceptedAsync(accepted, _ended).ConfigureAwait(false);
        }
        catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
        {
            accepted.Dispose();
            return null;
        }
    }

    private void EndAccepting()
    {
        if (_ended.IsCancellationRequested)
            return;
        _ending.Cancel();
        _ending.Dispose();
        lock (_gate)
        {
            if (_accepting is not null)
                _accepting.ContinueWith(static taken => taken.Result?.Dispose(), TaskScheduler.Default);
            foreach (Task<RsslConnection?> opening in _opening)
                opening.ContinueWith(static opened => opened.Result?.Channel.Close(), TaskScheduler.Default);
            _opening.Clear();
        }
    }
}
