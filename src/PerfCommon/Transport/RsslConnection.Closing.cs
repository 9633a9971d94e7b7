namespace PerfCommon.Transport;

public sealed partial class RsslConnection
{
    /// <summary>Time limit for ending in order.</summary>
    private static readonly TimeSpan EndingLimit = TimeSpan.FromSeconds(3);

    private bool _isDisposed;

    /// <summary>
    /// Ends in order, within 3 s: sends queued messages, ends our stream, discards arriving bytes until the peer has ended its stream, and
    /// closes. Over a caller's pipe it does not wait.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        bool isEnded = await TryEndAsync().ConfigureAwait(false);
        if (!isEnded)
            _driver.CloseLink(); // first, or closing the pipe would wait until the peer accepts the rest
        Channel.Close();
        await _driver.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Waits for the peer's end: closing with unread bytes would reset the connection, and lose bytes that the peer has not read.</summary>
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
