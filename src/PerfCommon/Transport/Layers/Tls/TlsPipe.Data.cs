namespace PerfCommon.Transport.Tls;

internal sealed partial class TlsPipe
{
    private byte[] _plain = [];
    private int _plainStart;
    private int _plainEnd;
    private int _chunkBytes; // plain bytes whose records wait to be sent
    private bool _peerEnded;
    private bool _finishing;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = TakePlain(room);
        bool drained = false;
        while (count < room.Length && !_peerEnded)
        {
            if (!_records.HasWholeRecord)
            {
                PipeStatus status = drained ? PipeStatus.Wait : ReceiveOnce();
                drained = status == PipeStatus.Wait;
                if (status != PipeStatus.Ready && !_records.HasWholeRecord)
                    return EndOfBytes(status, count);
                continue;
            }
            if (!TryDecrypt(room[count..], out int taken))
                return count > 0 ? PipeStatus.Ready : PipeStatus.Failed;
            count += taken;
        }
        return count > 0 || !_peerEnded ? PipeStatus.Ready : PipeStatus.Ended;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        while (true)
        {
            PipeStatus status = _records.SendTo(_inner);
            if (status != PipeStatus.Ready)
                return status;
            count += _chunkBytes;
            _chunkBytes = 0;
            if (_finishing)
                _inner.FinishSending();
            if (count >= bytes.Length)
                return PipeStatus.Ready;
            if (!TryEncrypt(bytes.Slice(count, Math.Min(MostChunkBytes, bytes.Length - count))))
                return PipeStatus.Failed;
        }
    }

    public override void FinishSending()
    {
        if (_finishing || !_open)
            return;
        _finishing = true;
        try
        {
            _ssl.ShutdownAsync().GetAwaiter().GetResult(); // only writes into our own buffer
        }
        catch (Exception problem) when (problem is IOException or InvalidOperationException)
        {
            _failure ??= $"TLS: {problem.Message}";
        }
        Send([], out _);
    }

    private PipeStatus ReceiveOnce()
    {
        PipeStatus status = _inner.Receive(_records.ReceiveRoom, out int count);
        if (count > 0)
            _records.AddReceived(count);
        return status;
    }

    // A missing close_notify is the end of the stream; what was decrypted comes first.
    private PipeStatus EndOfBytes(PipeStatus status, int count)
    {
        _peerEnded = status == PipeStatus.Ended;
        if (_peerEnded && _records.HasPart)
        {
            _failure ??= "the peer ended inside a TLS record";
            status = PipeStatus.Failed;
        }
        return count > 0 && status != PipeStatus.Wait ? PipeStatus.Ready : status;
    }

    private bool TryDecrypt(Span<byte> room, out int count)
    {
        count = 0;
        try
        {
            if (room.Length >= MostDataBytes)
            {
                count = _ssl.Read(room);
                _peerEnded = count == 0;
                return true;
            }
            if (_plain.Length == 0)
                _plain = GC.AllocateUninitializedArray<byte>(MostDataBytes);
            (_plainStart, _plainEnd) = (0, _ssl.Read(_plain));
            _peerEnded = _plainEnd == 0;
            count = TakePlain(room);
            return true;
        }
        catch (WouldBlockException)
        {
            return true; // the record held nothing for us
        }
        catch (Exception problem) when (problem is IOException or InvalidOperationException)
        {
            _failure ??= $"TLS: {Describe(problem)}";
            return false;
        }
    }

    private bool TryEncrypt(ReadOnlySpan<byte> chunk)
    {
        try
        {
            _ssl.Write(chunk);
            _chunkBytes = chunk.Length;
            return true;
        }
        catch (Exception problem) when (problem is IOException or InvalidOperationException)
        {
            _failure ??= $"TLS: {Describe(problem)}";
            return false;
        }
    }

    private int TakePlain(Span<byte> room)
    {
        int count = Math.Min(room.Length, _plainEnd - _plainStart);
        _plain.AsSpan(_plainStart, count).CopyTo(room);
        _plainStart += count;
        return count;
    }
}
