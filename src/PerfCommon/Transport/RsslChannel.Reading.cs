namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    // A peer that sends no message cannot keep the owner inside one read: after this number of bytes others are served.
    private const int MaxBytesPerRead = 256 * 1024;
    private const int BytesOfACall = 64 * 1024; // at least: a layer may have read that many for a few

    [Flags]
    private enum Reading : byte
    {
        None,
        Receivable = 1, // the socket may have bytes: receive may be called
        Unread = 2, // TryRead has not returned false since bytes arrived
        Held = 4, // the owner does not read for now
    }

    private Reading _reading;

    /// <summary>Bytes received after the handshake, pings included. Any thread.</summary>
    public long BytesRead => _reader?.BytesRead ?? 0;

    /// <summary>Messages that <see cref="TryRead"/> returned. Any thread.</summary>
    public long MessagesRead => _reader?.MessagesRead ?? 0;

    /// <summary>Pings received. Any thread.</summary>
    public long PingsRead => _reader?.Pings ?? 0;

    /// <summary>True when the owner has not read everything that is known to have arrived.</summary>
    internal bool MayHaveMore => (_reading & (Reading.Unread | Reading.Held)) == Reading.Unread && State == ChannelState.Active;

    private bool IsReceivable => (_reading & Reading.Receivable) != 0;

    private bool IsHeld => (_reading & Reading.Held) != 0;

    /// <summary>Allows the next read to try the socket without a report that it is readable.</summary>
    internal void MarkReadableBlindly() => _reading |= Reading.Receivable;

    /// <summary>
    /// Stops or resumes the reports of arriving bytes: for an owner that cannot process more for now. The peer's bytes stay in the system, which
    /// eventually blocks the peer. It does not count as silent meanwhile, unless it does not read what waits for it.
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

    /// <summary>Reads the next whole message that has already arrived; never waits.</summary>
    /// <param name="message">The message, unpacked, reassembled and inflated; valid until the next call of any member of this channel, or its
    /// poller's wait.</param>
    /// <returns>
    /// False when none is complete, when the channel is not active, or when many bytes without a message have arrived: then the next wait
    /// returns at once. Read until false.
    /// </returns>
    public bool TryRead(out ReadOnlySpan<byte> message)
    {
        FrameReader? reader = _reader;
        if (reader is not null && reader.TryReadMessage(out message))
            return true;
        return TryReadAfterReceiving(out message);
    }

    /// <summary>Returns the plain messages that have arrived, from the next one on; complete the batch by <see cref="EndBatch(in ReceiveBatch)"/>.</summary>
    /// <remarks>
    /// An out parameter, because the caller would copy a return value through a 256-bit register. While the upper half of one is in use, each
    /// copy by the framework's precompiled code needs 140 ns more on some processors.
    /// </remarks>
    internal void BeginBatch(out ReceiveBatch run)
    {
        if (_reader is null)
            run = default;
        else
            _reader.BeginBatch(out run);
    }

    /// <summary>Skips the messages that were read from a batch; without effect when the channel was closed meanwhile.</summary>
    internal void EndBatch(in ReceiveBatch run)
    {
        if (run.Messages > 0 && State != ChannelState.Closed)
            _reader!.EndBatch(run);
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
            if (_reader.TryReadMessage(out message))
            {
                // The last of all received messages: an owner that reads one message at a time need not check again before it waits.
                if (!IsReceivable && _reader.IsDrained && !_pipe.HasUnsent)
                    _reading &= ~Reading.Unread;
                return true;
            }

            if (count == 0)
                break; // a layer used its share for bytes that are not for us
        }

        bool goesOn = _reader.Problem is null && (IsReceivable || _reader.HasPaused);
        if (!goesOn)
            _reading &= ~Reading.Unread;
        if (!_isBlocked && _pipe!.HasUnsent)
            FlushLayers(); // an answer of the layer itself
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
