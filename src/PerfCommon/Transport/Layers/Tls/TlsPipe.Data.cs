namespace PerfCommon.Transport.Tls;

internal sealed partial class TlsPipe
{
    // Limits the records of one call before others are served; a record without data for us costs SslStream an exception.
    private const int MaxRecordsPerCall = 256;
    private const int RecordsOfAnEmptyOne = 16;

    private readonly ByteQueue _plain = new();
    private bool _peerEnded;
    private bool _hasReceived; // any bytes but those of TLS itself

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = _plain.Dequeue(room);
        bool drained = false;
        int records = 0;
        while (count < room.Length && !_peerEnded && records < MaxRecordsPerCall)
        {
            if (count > 0 && room.Length - count < MostDataBytes)
                return PipeStatus.Ready; // the next record is decrypted directly into a buffer that holds all of it, not copied
            if (!_records.HasWholeRecord)
            {
                PipeStatus status = drained ? PipeStatus.Wait : _records.Receive(out _);
                drained = status == PipeStatus.Wait;
                if (status != PipeStatus.Ready && !_records.HasWholeRecord)
                    return EndOfBytes(status, count);
                continue;
            }

            if (!TryDecrypt(room[count..], out int taken))
                return count > 0 ? PipeStatus.Ready : PipeStatus.Failed;
            count += taken;
            records += taken == 0 ? RecordsOfAnEmptyOne : 1;
        }

        return count > 0 || !_peerEnded ? PipeStatus.Ready : PipeStatus.Ended;
    }

    protected override int Encode(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> chunk = bytes[..Math.Min(MostChunkBytes, bytes.Length)];
        try
        {
            _records.BeginChunk();
            _ssl.Write(chunk); // its records are sent together
            AddRecordParts(chunk.Length);
            return chunk.Length;
        }
        catch (Exception problem) when (TlsErrors.IsMeantBy(problem))
        {
            Problem ??= $"TLS: {TlsErrors.Describe(problem, _versions)}";
            return 0;
        }
    }

    // All records of a chunk are full except the last.
    private void AddRecordParts(int dataBytes)
    {
        (int encodedBytes, int recordBytes) = _records.Chunk;
        int encodedAt = encodedBytes - _records.UnsentBytes; // the bytes before are sent
        for (int at = 0, end = recordBytes; at < dataBytes; at += MostDataBytes, end += recordBytes)
        {
            int partBytes = Math.Min(MostDataBytes, dataBytes - at);
            int partEnd = Math.Max(at + partBytes == dataBytes ? encodedBytes : end, encodedAt);
            AddPart(partBytes, partEnd - encodedAt);
            encodedAt = partEnd;
        }
    }

    protected override void EncodeEnd() // wire/transport 8.1
    {
        try
        {
            _ssl.ShutdownAsync().GetAwaiter().GetResult(); // only writes into our buffer
        }
        catch (Exception problem) when (TlsErrors.IsMeantBy(problem))
        {
            Problem ??= $"TLS: {TlsErrors.Describe(problem, _versions)}";
        }
    }

    // A missing close_notify is the end of the stream; decrypted data is returned first. A server may disconnect without a reason because of
    // a certificate that it checks only after the handshake (TLS 1.3).
    private PipeStatus EndOfBytes(PipeStatus status, int count)
    {
        _peerEnded = status == PipeStatus.Ended;
        if (_peerEnded && _records.HasPart)
        {
            Problem ??= "the peer ended inside a TLS record"; // wire/transport 8.1
            status = PipeStatus.Failed;
        }
        else if (status != PipeStatus.Wait && !_hasReceived && _check.Suspicion is { } why)
        {
            // also a reset, where our request was still unread
            Problem ??= $"TLS: {why}";
            status = PipeStatus.Failed;
        }

        return count > 0 && status != PipeStatus.Wait ? PipeStatus.Ready : status;
    }

    private void RecordReceived(int bytes)
    {
        _peerEnded = bytes == 0;
        _hasReceived |= bytes > 0;
    }

    private bool TryDecrypt(Span<byte> room, out int count)
    {
        count = 0;
        try
        {
            if (room.Length >= MostDataBytes)
            {
                count = _ssl.Read(room);
                RecordReceived(count);
                return true;
            }

            int plainBytes = _ssl.Read(_plain.Room(MostDataBytes));
            _plain.Commit(plainBytes);
            RecordReceived(plainBytes);
            count = _plain.Dequeue(room);
            return true;
        }
        catch (WouldBlockException)
        {
            return true; // the record held no data for us
        }
        catch (Exception problem) when (TlsErrors.IsMeantBy(problem))
        {
            Problem ??= $"TLS: {TlsErrors.Describe(problem, _versions)}";
            return false;
        }
    }
}
