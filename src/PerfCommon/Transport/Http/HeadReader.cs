namespace PerfCommon.Transport.Http;

/// <summary>Collects the bytes of an HTTP head up to its empty line; what stands behind it is kept for whoever comes next.</summary>
/// <param name="longestBytes">Most bytes that a head may have.</param>
internal sealed class HeadReader(int longestBytes)
{
    private byte[] _bytes = new byte[1024];
    private int _count;

    /// <summary>Bytes behind the last head.</summary>
    public ReadOnlySpan<byte> Rest => _bytes.AsSpan(0, _count);

    /// <summary>Why reading failed; null until it did.</summary>
    public string? Problem { get; private set; }

    /// <summary>Adds bytes that were received elsewhere.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _bytes.Length - _count)
            Array.Resize(ref _bytes, _count + bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(_count));
        _count += bytes.Length;
    }

    /// <summary>Takes bytes off the rest.</summary>
    public int Drop(int most)
    {
        int count = Math.Min(most, _count);
        _bytes.AsSpan(count, _count - count).CopyTo(_bytes);
        _count -= count;
        return count;
    }

    /// <summary>Goes on reading.</summary>
    /// <returns>Ready with a head, else Wait, Ended or Failed.</returns>
    public PipeStatus Read(BytePipe pipe, out HttpHead? head)
    {
        while (true)
        {
            head = TakeHead();
            if (head is not null)
                return PipeStatus.Ready;
            if (Problem is not null)
                return PipeStatus.Failed;
            PipeStatus status = Fill(pipe);
            if (status != PipeStatus.Ready)
                return status;
        }
    }

    /// <summary>Receives once; Ready when bytes came.</summary>
    public PipeStatus Fill(BytePipe pipe)
    {
        if (_count == _bytes.Length)
            Array.Resize(ref _bytes, _bytes.Length * 2);
        PipeStatus status = pipe.Receive(_bytes.AsSpan(_count), out int count);
        _count += count;
        return count > 0 ? PipeStatus.Ready : status;
    }

    private HttpHead? TakeHead()
    {
        int end = Rest.IndexOf("\r\n\r\n"u8);
        if (end < 0 ? _count > longestBytes : end > longestBytes)
            Problem = $"an HTTP head is longer than {longestBytes} bytes";
        if (end < 0 || Problem is not null)
            return null;
        HttpHead? head = HttpHead.TryParse(Rest[..end]);
        if (head is null)
            Problem = "an HTTP head is malformed";
        else
            Drop(end + 4);
        return head;
    }
}
