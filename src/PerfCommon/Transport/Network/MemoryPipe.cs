namespace PerfCommon.Transport;

/// <summary>One end of a connection within one thread: what one end sends, the other receives.</summary>
/// <remarks>Waited for by a <see cref="MemoryWaiter"/>. Both ends belong to one thread.</remarks>
internal sealed class MemoryPipe : BytePipe
{
    private const int CapacityBytes = 256 * 1024;

    private readonly ByteQueue _received = new();
    private MemoryPipe? _other;
    private bool _isFinished; // no byte will follow what is received

    private MemoryPipe() => _received.Room(CapacityBytes);

    /// <summary>True when the owner should look at it: bytes, or the end of the stream.</summary>
    public bool HasInput => !_received.IsEmpty || _isFinished;

    /// <summary>True when the other end has room for more.</summary>
    public bool HasRoom => _other!._received.Count < CapacityBytes;

    public override string? Failure => null;

    public static (MemoryPipe Client, MemoryPipe Server) CreatePair()
    {
        (MemoryPipe client, MemoryPipe server) = (new(), new());
        (client._other, server._other) = (server, client);
        return (client, server);
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = _received.Take(room);
        if (count == 0 && _isFinished)
            return PipeStatus.Ended;
        return HasInput ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = Math.Min(bytes.Length, CapacityBytes - _other!._received.Count);
        _other._received.Add(bytes[..count]);
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending() => _other!._isFinished = true;

    public override void Dispose() => FinishSending();
}
