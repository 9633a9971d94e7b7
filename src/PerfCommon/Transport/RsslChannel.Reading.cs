namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    // A peer that sends no message cannot keep the owner inside one read: behind so many bytes others have their turn.
    private const int MaxBytesPerRead = 256 * 1024;
    private const int BytesOfACall = 64 * 1024; // at least: a layer may have read so many for a few

    [Flags]
    private enum Reading : byte
    {
        None,
        Receivable = 1, // the socket may have bytes: receive may be tried
        Unread = 2, // TryRead has not answered false since bytes came
        Held = 4, // the owner takes nothing for now
    }

    private Reading _reading;

    /// <summary>Bytes received after the handshake, pings included. Any thread.</summary>
    public long BytesRead => _reader?.BytesRead ?? 0;

    /// <summary>Messages that <see cref="TryRead"/> gave out. Any thread.</summary>
    public long MessagesRead => _reader?.MessagesRead ?? 0;

    /// <summary>Pings received. Any thread.</summary>
    public long PingsRead => _reader?.Pings ?? 0;

    /// <summary>True when the owner has not read everything that is known to be here.</summary>
    internal bool MayHaveMore => (_reading & (Reading.Unread | Reading.Held)) == Reading.Unread && State == ChannelState.Active;

    private bool IsReceivable => (_reading & Reading.Receivable) != 0;

    private bool IsHeld => (_reading & Reading.Held) != 0;

    /// <summary>Lets the next read try the socket without having been told that it is readable.</summary>
    internal void MarkReadableBlindly() => _reading |= Reading.Receivable;

    /// <summary>
    /// Has the waits no longer tell of what comes, or tell of it again: for an owner that cannot take more for now. The peer's bytes stay
    /// in the system, so that it is held up in the end, and it is not taken for silent meanwhile, unless it takes nothing of what waits for it.
    /// </summary>
    internal void HoldReading(bool holds)
    {
        if (holds == IsHeld || State != ChannelState.Active)
            return;
        _reading ^= Reading.Held;
        UpdateInterest();
        if (MayHaveMore)
            _driver.ListReady();
    }

    /// <summary>Takes the next whole message that is already here; never waits.</summary>
    /// <param name="message">The message, unpacked, joined and inflated; valid until the next call of any member of this channel, or its
    /// poller's wait.</param>
    /// <returns>
    /// False when none is whole yet, or the channel is not active, or much has come that is no message: the next wait returns at once then.
    /// Read until false.
    /// </returns>
    public bool TryRead(out ReadOnlySpan<byte> message)
    {
        FrameReader? reader = _reader;
        if (reader is not null && reader.TryTake(out message))
            return true;
        return TryReadAfterReceiving(out message);
    }

    /// <summary>The plain messages that are here, from the next one on; hand them back by <see cref="EndRun(in ReceivedRun)"/>.</summary>
    /// <remarks>
    /// Not returned: the caller would copy it through a register of 256 bits, and while the upper half of one is in use each copy that the
    /// framework's ready-made code does takes 140 ns more on some processors.
    /// </remarks>
    internal void BeginRun(out ReceivedRun run)
    {
        if (_reader is null)
            run = default;
        else
            _reader.BeginRun(out run);
    }

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
        int received = 0;
        while (_reader.Problem is null && IsReceivable && !_reader.HasPaused && received < MaxBytesPerRead)
        {
            PipeStatus status = _pipe!.Receive(_reader.Room(), out int count);
            if (status is PipeStatus.Ended or PipeStatus.Failed)
            {
                EndInput(status);
                return false;
            }

            if (status != PipeStatus.Ready)
                _reading &= ~Reading.Receivable;
            _reader.Advance(count);
            received += Math.Max(count, BytesOfACall);
            if (_reader.TryTake(out message))
            {
                // The last of all that had come: an owner of one message at a time need not look again before it waits.
                if (!IsReceivable && _reader.IsDrained && !_pipe.HasUnsent)
                    _reading &= ~Reading.Unread;
                return true;
            }

            if (count == 0)
                break; // a layer took its share of what is not for us
        }

        bool goesOn = _reader.Problem is null && (IsReceivable || _reader.HasPaused);
        if (!goesOn)
            _reading &= ~Reading.Unread;
        if (!_isBlocked && _pipe!.HasUnsent)
            FlushLayers(); // an answer of a layer's own
        if (_reader.Problem is not null)
            EndWith(_reader.Problem);
        else if (_sendFailure is not null)
            EndWith(new CloseReason(CloseKind.Reset, _sendFailure));
        else if (!goesOn)
            ReleaseWhenEmpty();
        return false;
    }

    private void ReleaseWhenEmpty()
    {
        _reader!.ReleaseWhenEmpty();
        _pipe!.ReleaseWhenEmpty();
    }
}
