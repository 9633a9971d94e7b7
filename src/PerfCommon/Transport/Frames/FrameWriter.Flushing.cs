namespace PerfCommon.Transport;

internal sealed partial class FrameWriter
{
    private const int MostGatheredFrames = 32; // wire/transport 11

    private bool _mixed;
    private int _flushPosition;
    private FrameQueue? _committedQueue; // whose next bytes a layer has encoded already
    private int _committedBytes;

    /// <summary>Passes the queued bytes to the pipe.</summary>
    /// <returns>Ready when nothing is left, Wait when the pipe accepts no more now, Failed.</returns>
    public PipeStatus Flush(BytePipe pipe) => Flush(pipe, keptBytes: 0);

    /// <summary>Passes the queued bytes to the pipe in the middle of a burst: whole records only, where it has records.</summary>
    /// <returns>Ready when less than a record is left, else as <see cref="Flush(BytePipe)"/>.</returns>
    public PipeStatus FlushRecords(BytePipe pipe)
    {
        int recordBytes = pipe.RecordBytes;
        return Flush(pipe, recordBytes > 0 && _highWaterMark >= recordBytes ? PendingBytes % recordBytes : 0);
    }

    private PipeStatus Flush(BytePipe pipe, int keptBytes)
    {
        while (PendingBytes > keptBytes)
        {
            if (_mixed && _gathered.Bytes == 0)
                Gather();
            FrameQueue queue = _mixed && _gathered.Bytes > 0 ? _gathered : _current;
            ReadOnlySpan<byte> unsent = queue.Unsent;
            PipeStatus status = pipe.Send(unsent[..Math.Min(unsent.Length, PendingBytes - keptBytes)], out int sent);
            MarkSent(queue, sent);
            (_committedQueue, _committedBytes) = (queue, pipe.CommittedBytes);
            if (status != PipeStatus.Ready)
                return status;
        }

        if (keptBytes > 0 && !_mixed)
            _current.MoveToFront();
        return PipeStatus.Ready;
    }

    private void MarkSent(FrameQueue queue, int sent)
    {
        _sentBytes += sent;
        _messagesSent += queue.MarkSent(sent);
        if (PendingBytes == 0)
            ReleaseQueues();
        else if (queue == _gathered && queue.Bytes == 0)
            queue.Release();
        if (_buffers.HasBorrowed)
            _buffers.ReturnUnneeded(FramesInUse);
        UpdateLimits();
    }

    private void ReleaseQueues()
    {
        if (_mixed)
        {
            foreach (FrameQueue queue in _queues)
                ReleaseUnlessOpen(queue);
            _gathered.Release();
            _mixed = false;
        }

        ReleaseUnlessOpen(_current);
    }

    private void ReleaseUnlessOpen(FrameQueue queue)
    {
        if (queue != _current || _opened == NothingOpen)
            queue.Release();
    }

    /// <summary>Collects the next frames in flush order.</summary>
    private void Gather() // wire/transport 7
    {
        foreach (FrameQueue queue in _queues)
        {
            if (queue.HeadIsCut)
                Move(queue);
            while (queue == _committedQueue && _gathered.Bytes < _committedBytes && queue.Bytes > 0)
                Move(queue);
        }

        int emptyInARow = 0;
        for (int frames = 0; frames < MostGatheredFrames && emptyInARow < _flushOrder.Length;)
        {
            FrameQueue queue = QueueOf(_flushOrder[_flushPosition]);
            _flushPosition = (_flushPosition + 1) % _flushOrder.Length;
            if (queue.Bytes == 0)
            {
                emptyInARow++;
                continue;
            }

            emptyInARow = 0;
            Move(queue);
            frames++;
        }

        if (_gathered.Bytes == 0)
            MoveUnnamed();
    }

    private void MoveUnnamed() // wire/transport 7
    {
        foreach (FrameQueue queue in _queues)
        {
            for (int frames = 0; frames < MostGatheredFrames && queue.Bytes > 0; frames++)
                Move(queue);
        }
    }

    private void Move(FrameQueue queue)
    {
        ReadOnlySpan<byte> frame = queue.DequeueFrame(out int alreadySent, out int messages);
        _gathered.Append(frame, alreadySent, messages);
    }

    private FrameQueue QueueOf(char letter) => letter switch
    {
        'H' => _queues[(int)WritePriority.High],
        'M' => _queues[(int)WritePriority.Medium],
        _ => _queues[(int)WritePriority.Low],
    };
}
