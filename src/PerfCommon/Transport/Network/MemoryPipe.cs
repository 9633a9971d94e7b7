namespace PerfCommon.Transport;

/// <summary>One end of a connection within one thread: the bytes that one end sends, the other receives.</summary>
/// <remarks>A <see cref="MemoryWaiter"/> waits for it. Both ends belong to one thread.</remarks>
internal class MemoryPipe : BytePipe
{
    private const int UsualCapacityBytes = 256 * 1024;

    private readonly ByteQueue _received = new();
    private readonly int _capacityBytes;
    private MemoryPipe? _other;
    private bool _isFinished; // no byte will follow those received

    /// <param name="capacityBytes">Maximum bytes queued at this end.</param>
    protected MemoryPipe(int capacityBytes)
    {
        _capacityBytes = capacityBytes;
        _received.Room(capacityBytes);
    }

    /// <summary>Makes the owner of this end check it again.</summary>
    public Action? Owner { private get; set; }

    public override bool StaysOnThread => true;

    /// <summary>False while it is connecting.</summary>
    public virtual bool IsConnected => true;

    /// <summary>True when the owner has something to read: bytes, or the end of the stream.</summary>
    public virtual bool HasInput => HasReceived || _isFinished;

    /// <summary>True when the other end can accept more.</summary>
    public virtual bool HasRoom => RoomAtOther > 0;

    /// <summary>True while bytes are queued here.</summary>
    protected bool HasReceived => !_received.IsEmpty;

    /// <summary>Bytes that the other end can accept now.</summary>
    protected int RoomAtOther => _other!._capacityBytes - _other._received.Count;

    public override string? Failure => null;

    public static (MemoryPipe Client, MemoryPipe Server) CreatePair()
    {
        (MemoryPipe client, MemoryPipe server) = (new(UsualCapacityBytes), new(UsualCapacityBytes));
        Join(client, server);
        return (client, server);
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = _received.Dequeue(room);
        if (count == 0 && _isFinished)
            return PipeStatus.Ended;
        return HasInput ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = Math.Min(bytes.Length, RoomAtOther);
        _other!._received.Add(bytes[..count]);
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending() => _other!._isFinished = true;

    public override void WakeOwner() => Owner?.Invoke();

    public override void Dispose() => FinishSending();

    /// <summary>Joins two ends into one connection.</summary>
    protected static void Join(MemoryPipe client, MemoryPipe server) => (client._other, server._other) = (server, client);

    /// <summary>Discards the bytes queued here.</summary>
    protected void DropReceived() => _received.Clear();
}
