using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <content>Accepts connections for asynchronous programs: one after the other, each with its handshake complete.</content>
public sealed partial class RsslListener
{
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _ending = new();
    private readonly CancellationToken _ended;
    private readonly List<Task<RsslConnection?>> _opening = [];
    private Task<AwaitedLink?>? _accepting;

    /// <summary>Waits for the next connection whose handshake is complete.</summary>
    /// <remarks>
    /// Handshakes run in parallel, so that a silent peer delays no other. Those that fail, and those over
    /// <see cref="ListenOptions.MaxConnections"/>, are refused and never returned. One caller at a time, and not together with
    /// <see cref="TryAccept"/>.
    /// </remarks>
    /// <param name="cancellation">Ends the waiting; connections that arrived meanwhile are kept for the next call.</param>
    /// <exception cref="ObjectDisposedException">The listener was disposed.</exception>
    public async Task<RsslConnection> AcceptAsync(CancellationToken cancellation)
    {
        while (true)
        {
            Task done = await Task.WhenAny(Pending(cancellation)).WaitAsync(cancellation).ConfigureAwait(false);
            if (done is Task<AwaitedLink?> accepting)
                await BeginOpeningAsync(accepting).ConfigureAwait(false);
            else if (done is Task<RsslConnection?> opened && await AwaitOpenedAsync(opened).ConfigureAwait(false) is { } connection)
                return connection;
        }
    }

    private List<Task> Pending(CancellationToken cancellation)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_ended.IsCancellationRequested, this);
            _accepting ??= AcceptLinkAsync();
            bool waits = _accepting is { IsCompletedSuccessfully: true, Result: not null } && !_unfinished.TryMakeRoom();
            return [waits ? _unfinished.WaitForChangeAsync(cancellation) : _accepting, .. _opening];
        }
    }

    private async ValueTask BeginOpeningAsync(Task<AwaitedLink?> accepting)
    {
        AwaitedLink? link = await accepting.ConfigureAwait(false);
        lock (_gate)
        {
            _accepting = null;
            if (link is not null && Admit(link) is { } accepted)
                _opening.Add(OpenAsync(accepted, link));
        }
    }

    private async ValueTask<RsslConnection?> AwaitOpenedAsync(Task<RsslConnection?> opening)
    {
        lock (_gate)
            _opening.Remove(opening);
        return await opening.ConfigureAwait(false);
    }

    private Task<AwaitedLink?> AcceptLinkAsync() =>
        _port is SocketPort port ? port.AcceptAsync(_ended) : throw new NotSupportedException("only a port of the system's can be awaited");

    private async Task<RsslConnection?> OpenAsync(AcceptedConnection accepted, AwaitedLink link)
    {
        try
        {
            return await RsslConnection.OpenAcceptedAsync(accepted, link, _ended).ConfigureAwait(false);
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
