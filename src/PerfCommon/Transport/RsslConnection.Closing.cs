namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    /// <summary>Longest time that ending in good order may take.</summary>
    private static readonly TimeSpan EndingLimit = TimeSpan.FromSeconds(3);

    private bool _isDisposed;

    /// <summary>
    /// Ends in good order, within 3 s: sends what is queued, ends our stream, drops what still comes until the peer has ended its own, and
    /// closes. Over a pipe of the caller's nothing is waited for.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        bool isEnded = await TryEndAsync().ConfigureAwait(false);
        if (!isEnded)
            _driver.CloseLink(); // first, or closing the pipe would wait for the peer to take the rest
        Channel.Close();
        await _driver.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Closing with bytes unread would reset the connection, and take from the peer what it has not read yet.</summary>
    private async ValueTask<bool> TryEndAsync()
    {
        using CancellationTokenSource limit = new(EndingLimit);
        try
        {
            await FlushAsync(limit.Token).ConfigureAwait(false);
            if (!_driver.HasSocket || Channel.State != ChannelState.Active)
                return true;
            Channel.FinishSending();
            while (Channel.Closed is null)
            {
                if (!Channel.TryRead(out _) && Channel.Closed is null)
                    await _driver.WaitAsync(Channel, limit.Token).ConfigureAwait(false);
            }

            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
