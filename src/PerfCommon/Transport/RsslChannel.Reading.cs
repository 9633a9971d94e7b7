namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    private bool _readable; // the socket may have bytes: receive may be tried
    private bool _mayHaveMore; // TryRead has not answered false since bytes came

    /// <summary>Bytes received after the handshake, pings included. Any thread.</summary>
    public long BytesRead => _reader?.BytesRead ?? 0;

    /// <summary>Messages that <see cref="TryRead"/> gave out. Any thread.</summary>
    public long MessagesRead => _reader?.MessagesRead ?? 0;

    /// <summary>Pings received. Any thread.</summary>
    public long PingsRead => _reader?.Pings ?? 0;

    /// <summary>True when the owner has not read everything that is known to be here.</summary>
    internal bool MayHaveMore => _mayHaveMore && !IsPaused && State == ChannelState.Active;

    private bool IsPaused => _reader is { IsPaused: true };

    /// <summary>Lets the next read try the socket without having been told that it is readable.</summary>
    internal void MarkReadableBlindly() => _readable = true;

    /// <summary>Stops reading, so that the peer's bytes stay in the system and it is held up in the end; it is not taken for silent meanwhile.</summary>
    internal void PauseReading()
    {
        if (_reader is null || IsPaused)
            return;
        _reader.IsPaused = true;
        UpdateInterest();
    }

    /// <summary>Goes on reading: the channel is ready with the next wait.</summary>
    internal void ResumeReading()
    {
        if (!IsPaused)
            return;
        _reader!.IsPaused = false;
        if (State != ChannelState.Active)
            return;
        UpdateInterest();
        MarkReadable();
    }

    /// <summary>Takes the next whole message that is already here; never waits.</summary>
    /// <param name="message">The message, unpacked, joined and inflated; valid until the next call of any member of this channel, or its poller's wait.</param>
    /// <returns>False when none is whole yet, or the channel is not active. Read until false, or the next wait returns at once.</returns>
    public bool TryRead(out ReadOnlySpan<byte> message)
    {
        FrameReader? reader = _reader;
        if (reader is not null && reader.TryTake(out message))
            return true;
        return TryReadAfterReceiving(out message);
    }

    /// <summary>The plain messages that are here, from the next one on; hand them back by <see cref="EndRun(in ReceivedRun)"/>.</summary>
    internal ReceivedRun BeginRun() => _reader is null ? default : _reader.BeginRun();

    /// <summary>Steps over what was taken of a run; without effect when the channel was closed meanwhile.</summary>
    internal void EndRun(in ReceivedRun run)
    {
        if (run.Messages > 0 && State != ChannelState.Closed)
            _reader!.EndRun(run);
    }

    private bool TryReadAfterReceiving(out ReadOnlySpan<byte> message)
    {
        message = default;
        if (_reader is null || State != ChannelState.Active)
            return false;
        while (_reader.Problem is null && _readable)
        {
            PipeStatus status = _pipe!.Receive(_reader.Room(), out int count);
            if (status is PipeStatus.Ended or PipeStatus.Failed)
            {
                EndInput(status);
                return false;
            }
            _readable = status == PipeStatus.Ready;
            _reader.Advance(count);
            if (_reader.TryTake(out message))
                return true;
        }
        _mayHaveMore = false;
        if (!_isBlocked && _pipe!.HasUnsent)
            FlushLayers(); // an answer of a layer's own
        if (_reader.Problem is not null)
            EndWith(_reader.Problem);
        else if (_sendFailure is not null)
            EndWith(new CloseReason(CloseKind.Reset, _sendFailure));
        else
            ReleaseWhenEmpty();
        return false;
    }

    private void ReleaseWhenEmpty()
    {
        _reader!.ReleaseWhenEmpty();
        _pipe!.ReleaseWhenEmpty();
    }
}
